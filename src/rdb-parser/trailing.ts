import { type ByteReader, MAX_CONTIGUOUS } from './byte-reader.js';
import type { SnapshotFacts } from './records.js';

export interface Trailing {
  readonly bytes: number;
  readonly kind: SnapshotFacts['trailingKind'];
}

/** First bytes of what follows a snapshot, enough to tell what it is. */
const HEAD_BYTES = 64;

/**
 * A transfer's mark without the line that announced it, as `redis-cli --rdb -` lets it through: 40 hexadecimal digits.
 * Source: redis src/rdb.c (7.0), rdbSaveRioWithEOFMark; src/server.h, RDB_EOF_MARK_SIZE.
 */
const MARK_BYTES = 40;
const MARK = /^[0-9a-f]{40}$/;

/** Counts what follows the trailer and says what it looks like. Reads to the end of the input. */
export function countTrailing(reader: ByteReader, mark: Uint8Array | undefined): Trailing {
  const start = reader.offset;
  const head: number[] = [];
  let onlyZeros = true;
  while (!reader.atEnd()) {
    const piece = Math.min(reader.end - reader.pos, MAX_CONTIGUOUS);
    for (let i = 0; i < piece; i++) {
      const byte = reader.buffer[reader.pos + i]!;
      if (head.length < HEAD_BYTES) head.push(byte);
      if (byte !== 0) onlyZeros = false;
    }
    reader.pos += piece;
  }
  const bytes = reader.offset - start;
  return { bytes, kind: kindOf(Uint8Array.from(head), bytes, onlyZeros, mark) };
}

function kindOf(
  head: Uint8Array,
  bytes: number,
  onlyZeros: boolean,
  mark: Uint8Array | undefined,
): Trailing['kind'] {
  if (bytes === 0) return 'none';
  if (mark !== undefined && bytes === mark.length && Buffer.from(mark).equals(head.subarray(0, bytes))) {
    return 'replication-mark';
  }
  const text = new TextDecoder('latin1').decode(head);
  if (bytes === MARK_BYTES && MARK.test(text)) return 'replication-mark';
  if (/^(\*\d|#TS:)/.test(text)) return 'aof';
  if (/^(REDIS\d{4}|VALKEY\d{3})/.test(text)) return 'another-snapshot';
  return onlyZeros ? 'zeros' : 'unknown';
}
