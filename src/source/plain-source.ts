import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { systemError } from './source-error.js';

/**
 * A bare snapshot file, read in the calling thread. Nothing is unpacked; see `openInput` for the rest.
 * @throws SourceError when it can't be opened or read
 */
export function fileSource(path: string): ByteSource {
  try {
    return openFile(path);
  } catch (error) {
    throw systemError(error, path);
  }
}

function openFile(path: string): ByteSource {
  const descriptor = openSync(path, 'r');
  const found = fstatSync(descriptor);
  return {
    ...(found.isFile() ? { totalBytes: found.size } : {}),
    read(into, at) {
      try {
        return readSync(descriptor, into, at, into.length - at, null);
      } catch (error) {
        throw systemError(error, path);
      }
    },
    close: () => closeSync(descriptor),
  };
}

/** Bytes that are in memory already. @param chunkBytes most that one `read` gives, to try out chunk boundaries */
export function bytesSource(bytes: Uint8Array, chunkBytes = bytes.length): ByteSource {
  let position = 0;
  return {
    totalBytes: bytes.length,
    read(into, at) {
      const count = Math.min(into.length - at, chunkBytes, bytes.length - position);
      into.set(bytes.subarray(position, position + count), at);
      position += count;
      return count;
    },
    close: () => {},
  };
}
