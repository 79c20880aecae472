// Values that lie in one block: what they take follows from their length, as BlockCosts of the memory model and
// block-figures.ts of the folder above tell it, a range of lengths at a time.

import { reserve } from './memory';

/** Blocks beyond are not in the allocator's table. */
export const MAX_TABLED_BYTES: i32 = 1 << 14;

/** Of one type code; the models tell no more. */
const RANGES: usize = 4;
const TYPE_CODES: usize = 256;

// A range: the first length, and how many lengths it has, none where nothing is told yet; then what the fields of
// BlockCosts say, and the kind of key.
const RANGE_BYTES: usize = 32;
const LENGTHS: usize = 4;
const OWN_BYTES: usize = 8;
const EXTRA_BYTES: usize = 16;
const IS_USABLE: usize = 20;
const KIND: usize = 24;

let ranges: usize = 0;
/** By bytes requested: what the allocator gives; each two bytes wide. */
let usableBytes: usize = 0;

export function initBlocks(): void {
  ranges = reserve(TYPE_CODES * RANGES * RANGE_BYTES);
  usableBytes = reserve((<usize>MAX_TABLED_BYTES + 1) * 2);
}

/** Where the allocator's table is to be put. */
export function usableBytesAddress(): usize {
  return usableBytes;
}

/** Another server's blocks cost something else. */
export function forgetBlocks(): void {
  memory.fill(ranges, 0, TYPE_CODES * RANGES * RANGE_BYTES);
}

/** Keeps a range, in place of the one with the same first length; where there is no room, in place of the last. */
export function tellRange(
  typeCode: u32,
  fromBytes: i32,
  lengths: i32,
  ownBytes: f64,
  extraBytes: i32,
  isUsable: i32,
  kind: i32,
): void {
  let at = rangesOf(typeCode);
  const last = at + (RANGES - 1) * RANGE_BYTES;
  while (at < last && load<i32>(at, LENGTHS) !== 0 && load<i32>(at) !== fromBytes) at += RANGE_BYTES;
  store<i32>(at, fromBytes);
  store<i32>(at, lengths, LENGTHS);
  store<f64>(at, ownBytes, OWN_BYTES);
  store<i32>(at, extraBytes, EXTRA_BYTES);
  store<i32>(at, isUsable, IS_USABLE);
  store<i32>(at, kind, KIND);
}

/** What the allocator gives for so many bytes, at most MAX_TABLED_BYTES. */
@inline
export function usable(requested: u32): f64 {
  return <f64>load<u16>(usableBytes + (<usize>requested << 1));
}

/** Where the range is that such a value is in, 0 when none is told. */
@inline
export function rangeOf(typeCode: u32, valueBytes: i32): usize {
  const from = rangesOf(typeCode);
  for (let at = from; at < from + RANGES * RANGE_BYTES; at += RANGE_BYTES) {
    if (<u32>(valueBytes - load<i32>(at)) < load<u32>(at, LENGTHS)) return at;
  }
  return 0;
}

@inline
function rangesOf(typeCode: u32): usize {
  return ranges + <usize>typeCode * (RANGES * RANGE_BYTES);
}

@inline
export function kindOfRange(range: usize): i32 {
  return load<i32>(range, KIND);
}

/** What a value of that range takes beside its head. */
@inline
export function blockBytes(range: usize, valueBytes: i32): f64 {
  const requested = valueBytes + load<i32>(range, EXTRA_BYTES);
  const isUsable = load<i32>(range, IS_USABLE) !== 0;
  const counted = isUsable ? <i32>load<u16>(usableBytes + (<usize>requested << 1)) : requested;
  return load<f64>(range, OWN_BYTES) + <f64>counted;
}
