import type { DataType } from '../rdb-parser/records.js';

/** Keys and their memory as it is and as it would be, in bytes. */
export interface Change {
  readonly keys: number;
  readonly nowBytes: number;
  readonly otherBytes: number;
}

/** All keys of one type that have the same two encodings; undefined where a server knows no such type. */
export interface EncodingChange extends Change {
  readonly type: DataType;
  readonly nowEncoding: string | undefined;
  readonly otherEncoding: string | undefined;
}

interface Sum extends EncodingChange {
  keys: number;
  nowBytes: number;
  otherBytes: number;
}

/** Sums by type and pair of encodings: some dozens of combinations at most, so a search is cheaper than a map's key. */
export class ChangeSums {
  private readonly sums: Sum[] = [];
  private last: Sum | undefined;

  add(
    type: DataType,
    nowEncoding: string | undefined,
    otherEncoding: string | undefined,
    nowBytes: number,
    otherBytes: number,
  ): void {
    let sum = this.last;
    if (
      sum === undefined ||
      sum.type !== type ||
      sum.nowEncoding !== nowEncoding ||
      sum.otherEncoding !== otherEncoding
    ) {
      sum = this.find(type, nowEncoding, otherEncoding);
      this.last = sum;
    }
    sum.keys++;
    sum.nowBytes += nowBytes;
    sum.otherBytes += otherBytes;
  }

  rows(): readonly EncodingChange[] {
    return this.sums;
  }

  private find(type: DataType, nowEncoding: string | undefined, otherEncoding: string | undefined): Sum {
    for (const sum of this.sums) {
      if (sum.type === type && sum.nowEncoding === nowEncoding && sum.otherEncoding === otherEncoding)
        return sum;
    }
    const sum: Sum = { type, nowEncoding, otherEncoding, keys: 0, nowBytes: 0, otherBytes: 0 };
    this.sums.push(sum);
    return sum;
  }
}
