// Joins sorted expiry buckets to rows; see expiry-rows.ts of the folder above, which decides how many are joined.

import { BUCKET_BYTES, farBuckets, farNumbers, nearBuckets, widthSeconds } from './expiries';
import { reserve } from './memory';

/** A bucket is told apart from its span when it has this many times the span's usual number of keys. */
const STANDS_OUT_FACTOR: f64 = 8;
/** Of a row: the bucket that it begins with, how many it spans, keys, memory. */
const ROW_BYTES: usize = 32;
/** Most rows that there is room for. */
export const MOST_ROWS: i32 = 1 << 17;

let buckets: usize = 0;
let count: i32 = 0;
let rows: usize = 0;

export function initExpiryRows(mostBuckets: i32): void {
  buckets = reserve(<usize>mostBuckets * BUCKET_BYTES);
  rows = reserve(<usize>MOST_ROWS * ROW_BYTES);
}

export function expiryBucketsAddress(): usize {
  return buckets;
}

export function expiryRowsAddress(): usize {
  return rows;
}

/** Lays out the near seconds, which the calls below work on then; returns how many have a key. */
export function layOutNear(): i32 {
  count = nearBuckets(buckets);
  return count;
}

/** Lays out the numbers of the other buckets, to be sorted where they stand; returns how many there are. */
export function layOutFarNumbers(): i32 {
  count = farNumbers(buckets);
  return count;
}

/** Lays out those buckets, once their numbers are sorted; returns their width in seconds. */
export function layOutFar(): f64 {
  farBuckets(buckets, count);
  return widthSeconds();
}

/** How many spans of `factor` buckets have a key. */
export function countSpans(factor: f64): i32 {
  const end = buckets + <usize>count * BUCKET_BYTES;
  let spans = 0;
  let last: f64 = -1;
  for (let at = buckets; at < end; at += BUCKET_BYTES) {
    const span = Math.floor(load<f64>(at) / factor);
    if (span !== last) spans++;
    last = span;
  }
  return spans;
}

/**
 * Joins each `factor` buckets, except those of at least `leastKeys` that stand out.
 * @param most rows that are written; more are only counted
 */
export function joinBuckets(factor: f64, leastKeys: f64, most: i32): i32 {
  const end = buckets + <usize>count * BUCKET_BYTES;
  let made = 0;
  for (let from = buckets; from < end; ) {
    const span = Math.floor(load<f64>(from) / factor);
    let to = from;
    let spanKeys: f64 = 0;
    while (to < end && Math.floor(load<f64>(to) / factor) === span) {
      spanKeys += load<f64>(to, 8);
      to += BUCKET_BYTES;
    }
    const standsOut = max(leastKeys, (spanKeys / factor) * STANDS_OUT_FACTOR);
    let restKeys: f64 = 0;
    let restMemory: f64 = 0;
    for (let at = from; at < to; at += BUCKET_BYTES) {
      if (load<f64>(at, 8) >= standsOut) continue;
      restKeys += load<f64>(at, 8);
      restMemory += load<f64>(at, 16);
    }
    if (restKeys > 0) putRow(made++, most, span * factor, factor, restKeys, restMemory);
    for (let at = from; at < to; at += BUCKET_BYTES) {
      const keys = load<f64>(at, 8);
      if (keys >= standsOut) putRow(made++, most, load<f64>(at), 1, keys, load<f64>(at, 16));
    }
    from = to;
  }
  return made;
}

function putRow(number: i32, most: i32, start: f64, spans: f64, keys: f64, memoryBytes: f64): void {
  if (number >= most) return;
  const at = rows + <usize>number * ROW_BYTES;
  store<f64>(at, start);
  store<f64>(at, spans, 8);
  store<f64>(at, keys, 16);
  store<f64>(at, memoryBytes, 24);
}
