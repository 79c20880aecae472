// What the memory model said of keys whose values were not looked into: their figure follows from a few numbers, the
// key's shape. A table of fixed size that forgets; see record-run.ts of the folder above.

import { reserve } from './memory';

const PLACES: u32 = 1 << 14;
const PLACE_BITS: u64 = 14;

// A place's fields.
const SHAPE: usize = 0;
const MEMORY_BYTES: usize = 8;
const EPOCH: usize = 16;
const KIND: usize = 20;
const TYPE: usize = 24;
const TOTALS_CELL: usize = 28;
const PLACE_BYTES: usize = 32;

/** The widest numbers that a shape has room for. */
export const MAX_KEY_BYTES: i32 = (1 << 10) - 1;
export const MAX_VALUE_BYTES: i32 = (1 << 24) - 1;

let places: usize = 0;
/** Answers hold for one file and database: those of other epochs are forgotten. */
let epoch: u32 = 0;

export function initShapes(): void {
  places = reserve(<usize>PLACES * PLACE_BYTES);
}

export function forgetShapes(): void {
  epoch++;
}

/**
 * @param valueBytes length of the string that the value is, inflated
 * @param count elements that a packed value announces, at most 65,534
 * @param integer 0, or how wide the integer is that a string spells: 1 for up to 32 bits, 2 for more
 */
@inline
export function shapeOf(
  typeCode: u32,
  hasExpiry: bool,
  keyBytes: i32,
  valueBytes: i32,
  count: i32,
  integer: u32,
): u64 {
  return (
    ((<u64>1) << 63) |
    ((<u64>valueBytes) << 37) |
    ((<u64>count) << 21) |
    ((<u64>keyBytes) << 11) |
    ((<u64>integer) << 9) |
    ((<u64>hasExpiry) << 8) |
    <u64>typeCode
  );
}

@inline
function placeOf(shape: u64): usize {
  return places + <usize>((shape * 0x9e3779b97f4a7c15) >> (64 - PLACE_BITS)) * PLACE_BYTES;
}

/** Where the answer to a shape is, 0 when it is not known. */
@inline
export function recall(shape: u64): usize {
  const at = placeOf(shape);
  return load<u64>(at, SHAPE) === shape && load<u32>(at, EPOCH) === epoch ? at : 0;
}

export function learn(shape: u64, memoryBytes: f64, kind: i32, type: i32, totalsCell: i32): void {
  const at = placeOf(shape);
  store<u64>(at, shape, SHAPE);
  store<f64>(at, memoryBytes, MEMORY_BYTES);
  store<u32>(at, epoch, EPOCH);
  store<i32>(at, kind, KIND);
  store<i32>(at, type, TYPE);
  store<i32>(at, totalsCell, TOTALS_CELL);
}

@inline
export function memoryBytesOf(place: usize): f64 {
  return load<f64>(place, MEMORY_BYTES);
}

@inline
export function kindOf(place: usize): i32 {
  return load<i32>(place, KIND);
}

@inline
export function typeOf(place: usize): i32 {
  return load<i32>(place, TYPE);
}

@inline
export function totalsCellOf(place: usize): i32 {
  return load<i32>(place, TOTALS_CELL);
}
