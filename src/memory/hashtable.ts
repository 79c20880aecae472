import type { Bytes } from './layout.js';

/** Valkey's table since 8.1: buckets of one cache line that chain when they overflow. Source: hashtable.c (8.1). */
export interface HashtableLayout {
  readonly kind: 'hashtable';
  /** sizeof(hashtable) */
  readonly bytes: Bytes;
  /** What a hash's table holds beside that: metadata of its type, e.g. the index of fields that expire. */
  readonly hashMetadataBytes: Bytes;
  /** sizeof(bucket) */
  readonly bucketBytes: Bytes;
  /** ENTRIES_PER_BUCKET */
  readonly entriesPerBucket: Bytes;
}

/**
 * A table is made so big that on average no more than this many of a bucket's seven places are taken (32 of 35).
 * Source: hashtable.c, MAX_FILL_PERCENT_SOFT = 100 with BUCKET_FACTOR 5, BUCKET_DIVISOR 32 (Valkey 8.1, 64-bit).
 */
const BUCKETS_PER_ENTRY = 5 / 32;

/** Buckets of a table that was expanded for `count` entries, without chained ones. Source: hashtable.c, `nextBucketExp`. */
export function bucketsFor(count: number): number {
  const wanted = Math.ceil(count * BUCKETS_PER_ENTRY);
  let buckets = 1;
  while (buckets < wanted) buckets *= 2;
  return buckets;
}

/**
 * Chained buckets that `count` random entries bring about, as an expected value: a chained bucket takes the last place
 * of the one before it, so each beyond the first holds one entry less than it has places.
 */
export function expectedChildBuckets(count: number, buckets: number, entriesPerBucket: number): number {
  if (count <= entriesPerBucket) return 0;
  if (buckets === 1) return childBuckets(count, entriesPerBucket);
  const ratio = 1 / (buckets - 1);
  let probability = Math.exp(count * Math.log1p(-1 / buckets));
  let children = 0;
  // 64 entries in one bucket are out of reach at a mean below 7: the tail beyond is under 10^-30
  for (let entries = 0; entries <= Math.min(count, 64); entries++) {
    children += probability * childBuckets(entries, entriesPerBucket);
    probability *= ((count - entries) / (entries + 1)) * ratio;
  }
  return children * buckets;
}

function childBuckets(entries: number, entriesPerBucket: number): number {
  if (entries <= entriesPerBucket) return 0;
  return Math.ceil((entries - entriesPerBucket) / (entriesPerBucket - 1));
}
