import type { ByteSource } from '../source/byte-source.js';

/** Bytes that are in memory already, given in pieces of at most `pieceBytes`. */
export function bytesSource(bytes: Uint8Array, pieceBytes = Number.POSITIVE_INFINITY): ByteSource {
  let at = 0;
  return {
    totalBytes: bytes.length,
    read(into, from) {
      const count = Math.min(bytes.length - at, into.length - from, pieceBytes);
      into.set(bytes.subarray(at, at + count), from);
      at += count;
      return count;
    },
    close() {},
  };
}
