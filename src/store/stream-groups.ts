import { type StreamFacts, UNKNOWN } from '../rdb-parser/records.js';

/** Room for names and rows that wait for their table; groups beyond it are counted but not listed. */
const MAX_BYTES = 16 * 2 ** 20;
/** What a row takes besides its name, roughly. */
const ROW_BYTES = 200;

export interface StreamGroupRow {
  readonly keyId: number;
  readonly name: Uint8Array;
  readonly lastId: string;
  readonly consumers: number;
  readonly pending: number;
  readonly oldestPendingMs: number | null;
}

/** Collects the consumer groups of all streams until they can be stored. */
export class StreamGroups {
  readonly rows: StreamGroupRow[] = [];
  /** Groups for which there was no room, here or in the decoder. */
  dropped = 0;

  private bytes = 0;

  add(keyId: number, stream: StreamFacts): void {
    for (const group of stream.groupFacts) {
      this.bytes += group.name.length + ROW_BYTES;
      if (this.bytes > MAX_BYTES) {
        this.bytes = MAX_BYTES;
        this.dropped++;
        continue;
      }
      this.rows.push({
        keyId,
        name: group.name.slice(),
        lastId: `${group.lastIdMs}-${group.lastIdSeq}`,
        consumers: group.consumers,
        pending: group.pending,
        oldestPendingMs: group.oldestPendingMs === UNKNOWN ? null : group.oldestPendingMs,
      });
    }
    this.dropped += Math.max(0, stream.groups - stream.groupFacts.length);
  }
}
