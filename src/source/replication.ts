import type { ChunkReader } from './chunk-reader.js';

/** What a captured replication stream puts before the snapshot. */
export interface ReplicationFraming {
  /** The 40 bytes that follow the snapshot again, from `$EOF:<mark>`; undefined for a sized or unmarked capture. */
  readonly mark: Uint8Array | undefined;
  /** The snapshot's size in bytes, from `$<length>`. */
  readonly announcedBytes: number | undefined;
  /** Bytes before the magic. */
  readonly bytes: number;
}

/**
 * Takes off the lines before a snapshot: keep-alive newlines, status replies (`+FULLRESYNC ...`), `$EOF:<mark>` or
 * `$<length>`. Leaves the reader where no such line starts; undefined when there was none.
 * Source: replication.c, Redis 7.2, `readSyncBulkPayload`.
 */
export async function stripReplication(reader: ChunkReader): Promise<ReplicationFraming | undefined> {
  let mark: Uint8Array | undefined;
  let announcedBytes: number | undefined;
  let bytes = 0;
  for (;;) {
    const line = await reader.peek(LONGEST_LINE);
    const kind = line[0];
    if (kind === NEWLINE) {
      await reader.take(1);
      bytes++;
      continue;
    }
    const end = line.indexOf(NEWLINE);
    if (end < 1 || line[end - 1] !== CARRIAGE_RETURN || (kind !== STATUS && kind !== BULK)) break;
    if (kind === BULK) {
      const text = Buffer.from(line.subarray(1, end - 1)).toString('latin1');
      if (text.startsWith('EOF:') && text.length === 4 + MARK_BYTES) mark = line.slice(5, 5 + MARK_BYTES);
      else if (/^\d{1,15}$/.test(text)) announcedBytes = Number(text);
      else break;
    }
    await reader.take(end + 1);
    bytes += end + 1;
  }
  return bytes === 0 ? undefined : { mark, announcedBytes, bytes };
}

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const STATUS = 0x2b;
const BULK = 0x24;

/** Source: replication.c, Redis 7.2, `CONFIG_RUN_ID_SIZE`. */
const MARK_BYTES = 40;

/** Status replies are `+FULLRESYNC`, 40 digits and an offset at most; anything longer is not ours. */
const LONGEST_LINE = 256;
