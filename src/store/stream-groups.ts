import { type StreamFacts, UNKNOWN } from '../rdb-parser/records.js';
import type { KeyCore } from './key-core.js';

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

// How the core keeps a group, see assembly/stream-value.ts: where the numbers stand behind the row's, and the name.
const LAST_MS = 8;
const LAST_SEQ = 16;
const CONSUMERS = 24;
const PENDING = 32;
const OLDEST = 40;
const NAME_BYTES = 48;
const GROUP_BYTES = 56;

/** Collects the consumer groups of all streams until they can be stored. */
export class StreamGroups {
  readonly rows: StreamGroupRow[] = [];
  /** Groups for which there was no room, here or in the decoder. */
  dropped = 0;

  private bytes = 0;

  add(keyId: number, stream: StreamFacts): void {
    for (const { name, lastIdMs, lastIdSeq, consumers, pending, oldestPendingMs } of stream.groupFacts) {
      if (!this.hasRoomFor(name.length)) continue;
      const lastId = `${lastIdMs}-${lastIdSeq}`;
      this.rows.push({
        keyId,
        name: name.slice(),
        lastId,
        consumers,
        pending,
        oldestPendingMs: timeOf(oldestPendingMs),
      });
    }
    this.dropped += Math.max(0, stream.groups - stream.groupFacts.length);
  }

  /** Adds the groups that the core has read, up to an address in its memory. */
  addFrom({ exports, bytes, doubles, words }: KeyCore, end: number): void {
    for (let at = exports.streamGroupsAddress(); at < end; ) {
      const nameBytes = words[(at + NAME_BYTES) / 4]!;
      const name = at + GROUP_BYTES;
      if (this.hasRoomFor(nameBytes)) {
        const numbers = at / 8;
        this.rows.push({
          keyId: doubles[numbers]!,
          name: bytes.slice(name, name + nameBytes),
          lastId: `${idHalf(words, at + LAST_MS)}-${idHalf(words, at + LAST_SEQ)}`,
          consumers: doubles[numbers + CONSUMERS / 8]!,
          pending: doubles[numbers + PENDING / 8]!,
          oldestPendingMs: timeOf(doubles[numbers + OLDEST / 8]!),
        });
      }
      at = name + ((nameBytes + 7) & ~7);
    }
  }

  private hasRoomFor(nameBytes: number): boolean {
    this.bytes += nameBytes + ROW_BYTES;
    if (this.bytes <= MAX_BYTES) return true;
    this.bytes = MAX_BYTES;
    this.dropped++;
    return false;
  }
}

function timeOf(ms: number): number | null {
  return ms === UNKNOWN ? null : ms;
}

/** A number of 64 bits. */
function idHalf(words: Uint32Array, at: number): number | bigint {
  const high = words[at / 4 + 1]!;
  const low = words[at / 4]!;
  return high < 2 ** 21 ? high * 2 ** 32 + low : (BigInt(high) << 32n) | BigInt(low);
}
