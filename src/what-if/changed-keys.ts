import type { DataType, KeyRecord } from '../rdb-parser/records.js';

/** One key whose memory would change. */
export interface ChangedKey {
  readonly db: number;
  /** Its first bytes, when it is longer than a table has use for. */
  readonly key: Uint8Array;
  readonly type: DataType;
  readonly elements: number;
  readonly nowBytes: number;
  readonly otherBytes: number;
  readonly nowEncoding: string | undefined;
  readonly otherEncoding: string | undefined;
}

const KEPT_KEY_BYTES = 1024;

/** The keys that change most, largest first; of two alike the earlier. */
export class ChangedKeys {
  readonly keys: ChangedKey[] = [];
  private readonly most: number;
  /** Differences up to this one are not among the largest. */
  private floor = 0;

  constructor(most: number) {
    this.most = most;
  }

  add(
    record: KeyRecord,
    now: { readonly memoryBytes: number; readonly encoding: string | undefined },
    other: { readonly memoryBytes: number; readonly encoding: string | undefined },
  ): void {
    const difference = Math.abs(other.memoryBytes - now.memoryBytes);
    if (difference <= this.floor || this.most === 0) return;
    const { db, keyBuffer, keyStart, keyLength, dataType, elementCount } = record;
    const { keys } = this;
    let place = keys.length;
    while (place > 0 && differenceOf(keys[place - 1]!) < difference) place--;
    keys.splice(place, 0, {
      db,
      key: keyBuffer.slice(keyStart, keyStart + Math.min(keyLength, KEPT_KEY_BYTES)),
      type: dataType,
      elements: elementCount,
      nowBytes: now.memoryBytes,
      otherBytes: other.memoryBytes,
      nowEncoding: now.encoding,
      otherEncoding: other.encoding,
    });
    if (keys.length > this.most) keys.pop();
    if (keys.length === this.most) this.floor = differenceOf(keys.at(-1)!);
  }
}

export function differenceOf({ nowBytes, otherBytes }: ChangedKey): number {
  return Math.abs(otherBytes - nowBytes);
}
