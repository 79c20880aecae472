/** What is counted by powers of two. */
export const MEASURES = ['memory_bytes', 'serialized_bytes', 'elements', 'largest_element_bytes'] as const;
export type Measure = (typeof MEASURES)[number];

/** Bucket 0 holds zeros, bucket b + 1 holds 2^b <= value < 2^(b+1). */
const BUCKETS = 65;

export interface SizeBucket {
  readonly typeIndex: number;
  readonly measure: Measure;
  /** The power of two, -1 for zeros. */
  readonly bucket: number;
  readonly keys: number;
  readonly total: number;
}

/** Histograms by type of what keys take, so that no report has to read every row for them. */
export class SizeHistograms {
  private counts = new Float64Array(0);
  private totals = new Float64Array(0);

  /** Counts one key. Unknown values, below 0, are in no bucket. */
  add(
    typeIndex: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    largestElement: number,
  ): void {
    const base = typeIndex * MEASURES.length * BUCKETS;
    if (base >= this.counts.length) this.grow(typeIndex);
    this.sum(base, memoryBytes);
    this.sum(base + BUCKETS, serializedBytes);
    this.sum(base + 2 * BUCKETS, elements);
    this.sum(base + 3 * BUCKETS, largestElement);
  }

  *buckets(): Generator<SizeBucket> {
    for (let i = 0; i < this.counts.length; i++) {
      if (this.counts[i] === 0) continue;
      const row = Math.floor(i / BUCKETS);
      yield {
        typeIndex: Math.floor(row / MEASURES.length),
        measure: MEASURES[row % MEASURES.length]!,
        bucket: (i % BUCKETS) - 1,
        keys: this.counts[i]!,
        total: this.totals[i]!,
      };
    }
  }

  private sum(base: number, value: number): void {
    if (value < 0) return;
    const at = base + (value < 2 ** 31 ? 32 - Math.clz32(value) : sizeBucket(value) + 1);
    this.counts[at] = this.counts[at]! + 1;
    this.totals[at] = this.totals[at]! + value;
  }

  private grow(typeIndex: number): void {
    const length = (typeIndex + 1) * MEASURES.length * BUCKETS;
    const counts = new Float64Array(length);
    const totals = new Float64Array(length);
    counts.set(this.counts);
    totals.set(this.totals);
    this.counts = counts;
    this.totals = totals;
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
