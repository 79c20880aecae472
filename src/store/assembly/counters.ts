// What is counted of each key besides the prefix tree. The tables are read by size-histograms.ts, slot-totals.ts and
// totals.ts, where it is said what they are for.

import { slot } from './digest';
import { length } from './key';
import { reserve } from './memory';

const SLOTS: usize = 16384;
const MEASURES: usize = 4;
/** Bucket 0 holds zeros, bucket b + 1 holds 2^b <= value < 2^(b+1). */
const BUCKETS: usize = 65;
/** Keys and their sum. */
const PAIR_BYTES: usize = 16;
const TOTALS_BYTES: usize = 12 * 8;

let slots: usize = 0;
let sizes: usize = 0;
let totals: usize = 0;

export function initCounters(types: i32, totalsCells: i32): void {
  slots = reserve(SLOTS * PAIR_BYTES);
  sizes = reserve(<usize>types * MEASURES * BUCKETS * PAIR_BYTES);
  totals = reserve(<usize>totalsCells * TOTALS_BYTES);
}

export function slotsAddress(): usize {
  return slots;
}

export function sizesAddress(): usize {
  return sizes;
}

export function totalsAddress(): usize {
  return totals;
}

/** Counts the key at hand in its slot. */
@inline
export function countSlot(memoryBytes: f64): void {
  pair(slots + <usize>slot * PAIR_BYTES, memoryBytes);
}

/** How many slots have keys. */
export function slotsUsed(): i32 {
  let used = 0;
  for (let slot: usize = 0; slot < SLOTS; slot++) if (load<f64>(slots + slot * PAIR_BYTES) !== 0) used++;
  return used;
}

/** Keys whose slots wait: their places come at random, and so the processor can wait for several at once. */
export const SLOT_BATCH: i32 = 256;
const WAITING_SLOTS = memory.data(256 * 16, 16);

/** Puts the key at hand to those that wait. */
@inline
export function putSlot(at: i32, memoryBytes: f64): void {
  const to = WAITING_SLOTS + ((<usize>at) << 4);
  store<u32>(to, slot);
  store<f64>(to, memoryBytes, 8);
}

/** Counts the first `count` that wait in their slots. */
export function countSlots(count: i32): void {
  const end = WAITING_SLOTS + ((<usize>count) << 4);
  for (let at = WAITING_SLOTS; at < end; at += 16) {
    pair(slots + <usize>load<u32>(at) * PAIR_BYTES, load<f64>(at, 8));
  }
}

/** Counts it in the histograms of its type; unknown values, below 0, are in no bucket. */
@inline
export function countSizes(
  type: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
  largestElement: f64,
): void {
  const at = sizes + <usize>type * MEASURES * BUCKETS * PAIR_BYTES;
  countSize(at, memoryBytes);
  countSize(at + BUCKETS * PAIR_BYTES, serializedBytes);
  countSize(at + 2 * BUCKETS * PAIR_BYTES, elements);
  countSize(at + 3 * BUCKETS * PAIR_BYTES, largestElement);
}

@inline
function countSize(at: usize, value: f64): void {
  if (value < 0) return;
  // A double's exponent is the power of two; 1023 is its bias. Below 1 there is only 0.
  const power = <i32>(reinterpret<u64>(value) >> 52) - 1023;
  pair(at + <usize>min(max(power + 1, 0), <i32>BUCKETS - 1) * PAIR_BYTES, value);
}

/** Counts it in the sums of its file, database and kind. */
@inline
export function countTotals(
  cell: i32,
  row: f64,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
  hasExpiry: bool,
  expired: bool,
): void {
  const at = totals + <usize>cell * TOTALS_BYTES;
  plus(at, 1);
  plus(at + 8, memoryBytes);
  plus(at + 16, serializedBytes);
  plus(at + 24, max(elements, 0));
  plus(at + 32, length);
  if (!hasExpiry) {
    plus(at + 40, 1);
    plus(at + 48, memoryBytes);
  } else if (expired) {
    plus(at + 56, 1);
    plus(at + 64, memoryBytes);
  }
  if (memoryBytes > load<f64>(at, 72) || load<f64>(at, 80) === 0) {
    store<f64>(at, memoryBytes, 72);
    store<f64>(at, row, 80);
  }
}

@inline
function pair(at: usize, value: f64): void {
  plus(at, 1);
  plus(at + 8, value);
}

@inline
function plus(at: usize, value: f64): void {
  store<f64>(at, load<f64>(at) + value);
}
