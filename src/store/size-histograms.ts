import type { KeyCore } from './key-core.js';

/** What is counted by powers of two. */
export const MEASURES = ['memory_bytes', 'serialized_bytes', 'elements', 'largest_element_bytes'] as const;
export type Measure = (typeof MEASURES)[number];

/** Also in assembly/counters.ts. Bucket 0 holds zeros, bucket b + 1 holds 2^b <= value < 2^(b+1). */
const BUCKETS = 65;

export interface SizeBucket {
  readonly typeIndex: number;
  readonly measure: Measure;
  /** The power of two, -1 for zeros. */
  readonly bucket: number;
  readonly keys: number;
  readonly total: number;
}

/** Histograms by type of what keys take, so that no report has to read every row for them. The core counts. */
export class SizeHistograms {
  private readonly pairs: Float64Array;
  private readonly types: number;

  /** @param types data types that occurred */
  constructor(core: KeyCore, types: number) {
    const start = core.exports.sizesAddress() / 8;
    this.pairs = core.doubles.subarray(start, start + types * MEASURES.length * BUCKETS * 2);
    this.types = types;
  }

  *buckets(): Generator<SizeBucket> {
    for (let typeIndex = 0; typeIndex < this.types; typeIndex++) {
      for (const [place, measure] of MEASURES.entries()) {
        const start = (typeIndex * MEASURES.length + place) * BUCKETS;
        for (let bucket = 0; bucket < BUCKETS; bucket++) {
          const at = (start + bucket) * 2;
          const keys = this.pairs[at]!;
          const total = this.pairs[at + 1]!;
          if (keys !== 0) yield { typeIndex, measure, bucket: bucket - 1, keys, total };
        }
      }
    }
  }
}

/** The power of two at or below a value, -1 for zero. @param value at least 0 */
export function sizeBucket(value: number): number {
  if (value < 1) return -1;
  if (value < 2 ** 31) return 31 - Math.clz32(value);
  const power = Math.floor(Math.log2(value));
  // The logarithm of a number just below a power of two may be rounded up to it.
  return Math.min(63, 2 ** power > value ? power - 1 : power);
}
