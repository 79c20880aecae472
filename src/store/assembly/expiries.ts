// Keys summed by the second in which they expire, in bounded memory: the next weeks in a plain array, what lies beyond in
// a table whose buckets become wider when there are too many different seconds. See expiry-buckets.ts of the folder above.

import { reserve } from './memory';

/**
 * Keys that wait to be counted: milliseconds, then memory. Their seconds come at random, over more pages of memory than
 * the processor knows the places of; sorted by stretches of seconds they are counted several times as fast.
 */
const WAITING: usize = 1 << 16;
const WAITING_BYTES: usize = 16;
/** A stretch is 2^12 seconds: 64 KiB of counts. */
const STRETCH_LOG2: u32 = 12;
const MOST_STRETCHES: i32 = 512;
const COUNT_BYTES: usize = 16;
/** Of a bucket: its number plus one (0: a free place), keys, memory. */
export const BUCKET_BYTES: usize = 24;
const FIRST_PLACES: i32 = 1 << 12;

// Widths of buckets in seconds, each a multiple of the one before it. With the last, all instants that a double can name
// to the millisecond are a thousand buckets. Also in expiry-rows.ts of the folder above.
const WIDTHS: i32 = 12;
const WIDTHS_S = memory.data<f64>([
  1, 2, 10, 60, 600, 3600, 86_400, 864_000, 8_640_000, 86_400_000, 864_000_000, 8_640_000_000,
]);

let earliest: f64 = 0;
let waiting: usize = 0;
let sorted: usize = 0;
let waitingKeys: i32 = 0;
/** Where in `sorted` the next key of each stretch goes; the last is for those beyond. */
const STRETCHES = memory.data((512 + 1) * 4, 4);

let near: usize = 0;
let nearSeconds: f64 = 0;
let nearStart: f64 = -1;
/** Behind the last near second that has a key; what follows was never touched. */
let nearEnd: i32 = 0;

let places: usize = 0;
/** The other room for places, for when the table changes. */
let otherPlaces: usize = 0;
let mask: u32 = 0;
let used: i32 = 0;
let width: i32 = 0;
let mostPlaces: i32 = 0;
/** Odd, and unknown to who makes snapshots, so that nobody can aim at one place. */
let multiplier: u64 = 1;

/**
 * @param maxPlaces of the table, a power of two, at least 4096: three in four are taken
 * @param nearSecondsLimit seconds from the first snapshot's own time on that are counted one by one, up to 2^21
 * @param earliestMs no key expires earlier
 * @param seed of the table
 */
export function initExpiries(maxPlaces: i32, nearSecondsLimit: i32, earliestMs: f64, seed: i64): void {
  multiplier = 0x9e3779b97f4a7c15 ^ (<u64>seed << 1);
  earliest = earliestMs;
  waiting = reserve(WAITING * WAITING_BYTES);
  sorted = reserve(WAITING * WAITING_BYTES);
  nearSeconds = nearSecondsLimit;
  near = reserve(<usize>nearSecondsLimit * COUNT_BYTES);
  mostPlaces = maxPlaces;
  places = reserve(<usize>maxPlaces * BUCKET_BYTES);
  otherPlaces = reserve(<usize>maxPlaces * BUCKET_BYTES);
  mask = <u32>FIRST_PLACES - 1;
}

/** Keys are of a snapshot of this instant. The first one's begins the near seconds. */
export function startExpiries(createdAtMs: f64): void {
  if (nearStart < 0) nearStart = max<f64>(0, secondOf(createdAtMs));
}

/** Counts a key whose expiry is a plausible instant. */
@inline
export function countExpiry(expiresAtMs: f64, memoryBytes: f64): void {
  const at = waiting + <usize>waitingKeys * WAITING_BYTES;
  store<f64>(at, expiresAtMs);
  store<f64>(at, memoryBytes, 8);
  if (++waitingKeys === <i32>WAITING) countWaiting();
}

/** Counts all that waits. Keys of one second are counted in the order in which they came. */
export function countWaiting(): void {
  const end = waiting + <usize>waitingKeys * WAITING_BYTES;
  waitingKeys = 0;
  memory.fill(STRETCHES, 0, (MOST_STRETCHES + 1) * 4);
  for (let at = waiting; at < end; at += WAITING_BYTES) {
    const stretch = stretchAt(load<f64>(at));
    store<u32>(stretch, load<u32>(stretch) + 1);
  }
  let start: u32 = 0;
  for (let stretch = STRETCHES; stretch <= STRETCHES + MOST_STRETCHES * 4; stretch += 4) {
    const keys = load<u32>(stretch);
    store<u32>(stretch, start);
    start += keys;
  }
  for (let at = waiting; at < end; at += WAITING_BYTES) {
    const stretch = stretchAt(load<f64>(at));
    const place = load<u32>(stretch);
    store<u32>(stretch, place + 1);
    v128.store(sorted + <usize>place * WAITING_BYTES, v128.load(at));
  }
  const far = sorted + <usize>load<u32>(STRETCHES, (MOST_STRETCHES - 1) * 4) * WAITING_BYTES;
  for (let at = sorted; at < far; at += WAITING_BYTES) {
    const second = <i32>(secondOf(load<f64>(at)) - nearStart);
    const count = near + <usize>second * COUNT_BYTES;
    store<f64>(count, load<f64>(count) + 1);
    store<f64>(count, load<f64>(count, 8) + load<f64>(at, 8), 8);
    nearEnd = max(nearEnd, second + 1);
  }
  const sortedEnd = sorted + (end - waiting);
  for (let at = far; at < sortedEnd; at += WAITING_BYTES) {
    // The width may change on the way.
    const number = Math.floor((load<f64>(at) - earliest) / 1000 / widthSeconds()) + 1;
    sum(number, 1, load<f64>(at, 8));
    while (<u32>used * 4 > (mask + 1) * 3) makeRoom();
  }
}

/** Since the earliest expiry. */
@inline
function secondOf(ms: f64): f64 {
  return Math.floor((ms - earliest) / 1000);
}

/** Where the place of an expiry's stretch stands in STRETCHES. */
@inline
function stretchAt(expiresAtMs: f64): usize {
  const second = secondOf(expiresAtMs) - nearStart;
  if (second < 0 || second >= nearSeconds) return STRETCHES + (MOST_STRETCHES << 2);
  return STRETCHES + ((<usize>(<u32>second >> STRETCH_LOG2)) << 2);
}

/** Of the table's buckets, in seconds. */
export function widthSeconds(): f64 {
  return load<f64>(WIDTHS_S + (<usize>width << 3));
}

function sum(number: f64, keys: f64, memoryBytes: f64): void {
  const at = placeOf(number);
  if (load<f64>(at) === number) {
    store<f64>(at, load<f64>(at, 8) + keys, 8);
    store<f64>(at, load<f64>(at, 16) + memoryBytes, 16);
    return;
  }
  store<f64>(at, number);
  store<f64>(at, keys, 8);
  store<f64>(at, memoryBytes, 16);
  used++;
}

/** Where a bucket is in the table, or the free place where it belongs. */
function placeOf(number: f64): usize {
  let place = <u32>((<u64>number * multiplier) >> 32);
  let at = places + <usize>(place & mask) * BUCKET_BYTES;
  for (let held = load<f64>(at); held !== number && held !== 0; held = load<f64>(at)) {
    at = places + <usize>(++place & mask) * BUCKET_BYTES;
  }
  return at;
}

/** A table twice as large, or wider buckets, which may still be too many. */
function makeRoom(): void {
  const old = places;
  const oldEnd = old + <usize>(mask + 1) * BUCKET_BYTES;
  const before = widthSeconds();
  if (<i32>mask + 1 < mostPlaces) mask = mask * 2 + 1;
  else if (width + 1 < WIDTHS) width++;
  const factor = widthSeconds() / before;
  places = otherPlaces;
  otherPlaces = old;
  memory.fill(places, 0, <usize>(mask + 1) * BUCKET_BYTES);
  used = 0;
  for (let at = old; at < oldEnd; at += BUCKET_BYTES) {
    const number = load<f64>(at);
    if (number !== 0) sum(Math.floor((number - 1) / factor) + 1, load<f64>(at, 8), load<f64>(at, 16));
  }
}

/** Puts the near seconds that have a key there, in order: their numbers since `earliest`, keys, memory; returns how many. */
export function nearBuckets(to: usize): i32 {
  let out = to;
  for (let second = 0; second < nearEnd; second++) {
    const count = near + <usize>second * COUNT_BYTES;
    const keys = load<f64>(count);
    if (keys === 0) continue;
    store<f64>(out, nearStart + <f64>second);
    store<f64>(out, keys, 8);
    store<f64>(out, load<f64>(count, 8), 16);
    out += BUCKET_BYTES;
  }
  return <i32>((out - to) / BUCKET_BYTES);
}

/** Puts the numbers of the table's buckets there, eight bytes each and in no order. */
export function farNumbers(to: usize): i32 {
  let out = to;
  const end = places + <usize>(mask + 1) * BUCKET_BYTES;
  for (let at = places; at < end; at += BUCKET_BYTES) {
    const number = load<f64>(at);
    if (number === 0) continue;
    store<f64>(out, number);
    out += 8;
  }
  return <i32>((out - to) >> 3);
}

/** Makes of numbers whole buckets, as nearBuckets does, in the same place. */
export function farBuckets(at: usize, count: i32): void {
  // From the last on: a bucket overwrites numbers that were read.
  for (let i = count - 1; i >= 0; i--) {
    const number = load<f64>(at + (<usize>i << 3));
    const place = placeOf(number);
    const to = at + <usize>i * BUCKET_BYTES;
    store<f64>(to, number - 1);
    store<f64>(to, load<f64>(place, 8), 8);
    store<f64>(to, load<f64>(place, 16), 16);
  }
}
