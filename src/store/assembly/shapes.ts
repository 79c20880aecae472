// What the memory model said, as key-figures.ts of the folder above tells it: of keys whose figure follows from a few
// numbers, the key's shape, in a table of fixed size that forgets; of keys without their values; and which kinds there are.

import { reserve } from './memory';

/** Places lie in lines of four, as many as the processor fetches at once. */
const LINE_BITS: u64 = 14;
const LINES: usize = 1 << 14;
const LINE_BYTES: usize = 64;

// A place: what is left of the mixed shape when its highest bits have led to the line, and behind it the kind; the memory.
const PLACE_BYTES: usize = 16;
const KIND_BITS: u64 = 8;
const KIND_MASK: u64 = 0xff;

/** In place of a kind: the model has no answer that holds for all such keys, which the decoder takes. */
export const LEFT_KIND: i32 = 0;
const TYPES_OF_KINDS = memory.data(256 * 4, 16);
/** For the file and database at hand, NO_CELL where there is none yet. */
const CELLS_OF_KINDS = memory.data(256 * 4, 16);
export const NO_CELL: i32 = -1;

/** The widest numbers that a shape has room for. */
export const MAX_KEY_BYTES: i32 = (1 << 10) - 2;
/** Stands for the key's length in the shape of a value that lies in memory of its own, whatever the key. */
export const ANY_KEY: i32 = (1 << 10) - 1;
export const MAX_VALUE_BYTES: i32 = (1 << 24) - 1;

let places: usize = 0;
/** By length and whether it expires: what a key takes without its value. */
let heads: usize = 0;
const HEADS_BYTES: usize = 2 * 1024 * 8;

export function initShapes(): void {
  places = reserve(LINES * LINE_BYTES);
  heads = reserve(HEADS_BYTES);
}

@inline
function headAt(keyBytes: i32, hasExpiry: bool): usize {
  return heads + (((<usize>hasExpiry << 10) + keyBytes) << 3);
}

@inline
export function headBytesOf(keyBytes: i32, hasExpiry: bool): f64 {
  return load<f64>(headAt(keyBytes, hasExpiry));
}

/** Where what keys take without their values is to be put: a key of up to MAX_KEY_BYTES, an expiring one 1024 places on. */
export function headsAddress(): usize {
  return heads;
}

/** The cells of the totals are those of one file and database. */
export function forgetCells(): void {
  for (let kind: usize = 0; kind < 256; kind++) store<i32>(CELLS_OF_KINDS + (kind << 2), NO_CELL);
}

/** Another server may judge the same shapes otherwise. */
export function forgetShapes(): void {
  memory.fill(places, 0, LINES * LINE_BYTES);
}

/**
 * @param valueBytes length of the string that the value is, inflated
 * @param integer 0, or how wide the integer is that a string spells: 1 for up to 32 bits, 2 for more
 */
@inline
export function shapeOf(typeCode: u32, hasExpiry: bool, keyBytes: i32, valueBytes: i32, integer: u32): u64 {
  return (
    ((<u64>1) << 63) |
    ((<u64>valueBytes) << 21) |
    ((<u64>keyBytes) << 11) |
    ((<u64>integer) << 9) |
    ((<u64>hasExpiry) << 8) |
    <u64>typeCode
  );
}

/** No two shapes are mixed to the same number, which is never 0. */
@inline
function mix(shape: u64): u64 {
  return shape * 0x9e3779b97f4a7c15;
}

@inline
function lineOf(mixed: u64): usize {
  return places + <usize>(mixed >> (64 - LINE_BITS)) * LINE_BYTES;
}

/** Where the answer to a shape is, 0 when it is not known. */
@inline
export function recall(shape: u64): usize {
  const mixed = mix(shape);
  const line = lineOf(mixed);
  for (let at = line; at < line + LINE_BYTES; at += PLACE_BYTES) if (isOf(at, mixed)) return at;
  return 0;
}

/** Keeps the answer to a shape; where its line is full, the one that has been there longest is forgotten. */
export function tell(shape: u64, memoryBytes: f64, kind: i32): void {
  const mixed = mix(shape);
  const line = lineOf(mixed);
  let at = line;
  while (at < line + LINE_BYTES && !isOf(at, mixed)) at += PLACE_BYTES;
  if (at === line + LINE_BYTES) {
    at = line;
    memory.copy(line + PLACE_BYTES, line, LINE_BYTES - PLACE_BYTES);
  }
  store<u64>(at, (mixed << KIND_BITS) | <u64>kind);
  store<f64>(at, memoryBytes, 8);
}

/** Keeps of a kind its type, and where its totals are. */
export function tellKind(kind: i32, type: i32, totalsCell: i32): void {
  store<i32>(TYPES_OF_KINDS + ((<usize>kind) << 2), type);
  store<i32>(CELLS_OF_KINDS + ((<usize>kind) << 2), totalsCell);
}

/** Whether a place holds the answer to that shape; the line says the highest bits. An empty one holds none. */
@inline
function isOf(place: usize, mixed: u64): bool {
  const held = load<u64>(place);
  return ((held >> KIND_BITS) ^ mixed) << LINE_BITS === 0 && held !== 0;
}

@inline
export function kindOf(place: usize): i32 {
  return <i32>(load<u64>(place) & KIND_MASK);
}

@inline
export function memoryBytesOf(place: usize): f64 {
  return load<f64>(place, 8);
}

@inline
export function typeOf(kind: i32): i32 {
  return load<i32>(TYPES_OF_KINDS + ((<usize>kind) << 2));
}

@inline
export function totalsCellOf(kind: i32): i32 {
  return load<i32>(CELLS_OF_KINDS + ((<usize>kind) << 2));
}
