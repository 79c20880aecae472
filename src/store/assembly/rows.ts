// Rows of `key_rows` as cells of a leaf page. Source: SQLite file format, sections 1.6 and 2.1. What is not common
// (rows that overflow a page, expiries beyond 2^53) is encoded by row-encoder.ts into the same page.

import { key, length } from './key';

const LEAF_HEADER_BYTES: i32 = 8;
export const LEAF_RESERVE_BYTES: i32 = 35;

/** "Not known" in a record: NULL in the row. */
const UNKNOWN: f64 = -1;
const INT64_END: f64 = 9223372036854775808.0;

export let page: usize = 0;
export let pageBytes: i32 = 0;
/** Where in the page the content of its cells begins. */
let content: i32 = 0;
let cells: i32 = 0;

/** Begins an empty leaf at an address. */
export function startPage(address: usize, bytes: i32): void {
  page = address;
  pageBytes = bytes;
  content = bytes;
  cells = 0;
}

/** The leaf at hand now stands elsewhere. */
export function movePage(address: usize): void {
  page = address;
}

export function pageContent(): i32 {
  return content;
}

export function pageCells(): i32 {
  return cells;
}

/** Takes room for a cell and points to it; where it is in the page, or 0 when there is no room. */
export function reserveCell(bytes: i32): i32 {
  const pointer = LEAF_HEADER_BYTES + 2 * cells;
  if (content - bytes < pointer + 2) return 0;
  content -= bytes;
  cells++;
  store<u16>(page + pointer, bswap<u16>(<u16>content));
  return content;
}

// Columns after the key, in the order of KEY_COLUMNS. Values stand in memory; serial types, a byte each, in two words.
const FIXED_COLUMNS: i32 = 11;
export const EXPIRES_AT: i32 = 11;
export const IDLE_SECONDS: i32 = 12;
const COLUMNS: i32 = 16;
export const VALUES = memory.data(24 * 8, 16); // streams have more columns
let firstSerials: u64 = 0;
let otherSerials: u64 = 0;

/** By the bits of a number without its sign: the serial type that is wide enough. */
const SERIALS_BY_BITS = memory.data(65);
/** By serial type. */
export const COLUMN_BYTES = memory.data<u8>([0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0], 16);
/** What the columns' contents take, laid out like their serial types. */
let firstWidths: u64 = 0;
let otherWidths: u64 = 0;
export const NULL: u64 = 0;
const REAL: u64 = 7;
/** 0 and 1 have serial types of their own, 8 and 9. */
const ZERO: u64 = 8;

export function initRows(): void {
  for (let bits: i32 = 0; bits <= 64; bits++) {
    let serial = 6;
    if (bits < 8) serial = 1;
    else if (bits < 16) serial = 2;
    else if (bits < 24) serial = 3;
    else if (bits < 32) serial = 4;
    else if (bits < 48) serial = 5;
    store<u8>(SERIALS_BY_BITS + bits, serial);
  }
}

/** Puts a whole number into a column; returns its serial type. No branches: which widths come can't be foreseen. */
@inline
export function putInteger(column: i32, value: i64): u64 {
  store<i64>(VALUES + (column << 3), value);
  const bits = 64 - <i32>clz(value ^ (value >> 63));
  const wide = <u64>load<u8>(SERIALS_BY_BITS + <usize>bits);
  return select<u64>(ZERO + <u64>value, wide, <u64>value < 2);
}

@inline
export function putNumber(column: i32, value: f64): u64 {
  if (value >= INT64_END || value < -INT64_END) {
    store<f64>(VALUES + (column << 3), value);
    return REAL;
  }
  return putInteger(column, <i64>value);
}

@inline
export function putKnown(column: i32, value: f64): u64 {
  return value === UNKNOWN ? NULL : putNumber(column, value);
}

/** The serial type of a column that is in the row. */
@inline
function serialOf(column: i32): u64 {
  return ((column < 8 ? firstSerials >> (column << 3) : otherSerials >> ((column - 8) << 3)) & 0xff);
}

/**
 * Encodes the key at hand with its numbers as the page's next cell. Returns 1; 0 when this page has no room; -1 when
 * no page has, so that the row must overflow.
 */
export function encodeRow(
  rowId: f64,
  isText: i32,
  kind: i32,
  db: f64,
  file: i32,
  prefix: i32,
  slot: i32,
  elements: f64,
  memoryBytes: f64,
  serializedBytes: f64,
  fileOffset: f64,
  payloadBytes: f64,
  largestElement: f64,
  hasExpiry: i32,
  expiresAt: f64,
  idleSeconds: f64,
  freq: f64,
  fieldsWithTtl: f64,
  firstFieldExpiry: f64,
): i32 {
  firstSerials =
    putInteger(0, kind) |
    (putNumber(1, db) << 8) |
    (putInteger(2, file) << 16) |
    (putInteger(3, prefix) << 24) |
    (putInteger(4, slot) << 32) |
    (putKnown(5, elements) << 40) |
    (putNumber(6, memoryBytes) << 48) |
    (putNumber(7, serializedBytes) << 56);
  otherSerials =
    putNumber(8, fileOffset) | (putKnown(9, payloadBytes) << 8) | (putKnown(10, largestElement) << 16);
  let columns = FIXED_COLUMNS;
  if (hasExpiry) {
    otherSerials |= putNumber(EXPIRES_AT, expiresAt) << 24;
    columns = EXPIRES_AT + 1;
  }
  if (idleSeconds !== UNKNOWN || freq !== UNKNOWN || fieldsWithTtl !== UNKNOWN) {
    otherSerials |=
      (putKnown(IDLE_SECONDS, idleSeconds) << 32) |
      (putKnown(IDLE_SECONDS + 1, freq) << 40) |
      (putKnown(IDLE_SECONDS + 2, fieldsWithTtl) << 48) |
      (putKnown(IDLE_SECONDS + 3, firstFieldExpiry) << 56);
    // Columns that are NULL at the end are left out.
    columns = COLUMNS - <i32>(clz(otherSerials) >> 3);
  }
  const serials = i64x2.replace_lane(i64x2.splat(firstSerials), 1, otherSerials);
  const widths = i8x16.swizzle(v128.load(COLUMN_BYTES), serials);
  firstWidths = i64x2.extract_lane(widths, 0);
  otherWidths = i64x2.extract_lane(widths, 1);
  const bodyBytes = <i32>(sumOfBytes(firstWidths) + sumOfBytes(otherWidths));
  const keySerial = <u64>length * 2 + (isText ? 13 : 12);
  const headerBytes = 2 + varintBytes(keySerial) + columns;
  const payload = headerBytes + length + bodyBytes;
  if (payload > pageBytes - LEAF_RESERVE_BYTES) return -1;
  const id = <u64>rowId;
  const cell = reserveCell(varintBytes(payload) + varintBytes(id) + payload);
  if (cell === 0) return 0;
  writeCell(page + cell, id, payload, headerBytes, bodyBytes, columns, keySerial);
  return 1;
}

@inline
function writeCell(
  cell: usize,
  rowId: u64,
  payload: i32,
  headerBytes: i32,
  bodyBytes: i32,
  columns: i32,
  keySerial: u64,
): void {
  let at = writeVarint(writeVarint(cell, payload), rowId);
  const keyAt = at + headerBytes;
  // The body from its end: each number is stored as eight bytes, of which the next one overwrites those that are too
  // many. The header and the key in front of the first are written afterwards.
  let end = keyAt + length + bodyBytes;
  let widths = otherWidths << ((COLUMNS - columns) << 3);
  for (let column = columns - 1; column >= 8; column--) {
    putReversed(end - 8, VALUES + (column << 3));
    end -= <usize>(widths >> 56);
    widths <<= 8;
  }
  widths = firstWidths;
  for (let column = 7; column >= 0; column--) {
    putReversed(end - 8, VALUES + (column << 3));
    end -= <usize>(widths >> 56);
    widths <<= 8;
  }
  store<u8>(at, headerBytes);
  store<u8>(at, 0, 1); // NULL for the id: it is the row id
  at = writeVarint(at + 2, keySerial);
  if (length >= COLUMNS) {
    // What is too much here, the key overwrites.
    store<u64>(at, firstSerials);
    store<u64>(at + 8, otherSerials);
  } else {
    for (let column = 0; column < columns; column++) store<u8>(at + column, serialOf(column));
  }
  writeKey(keyAt);
}

@inline
export function writeKey(to: usize): void {
  const bytes = length;
  if (bytes > 128) {
    memory.copy(to, key, bytes);
  } else if (bytes >= 8) {
    // The last eight may overlap those before.
    for (let at = 0; at < bytes - 8; at += 8) store<u64>(to + at, load<u64>(key + at));
    store<u64>(to + bytes - 8, load<u64>(key + bytes - 8));
  } else {
    for (let at = 0; at < bytes; at++) store<u8>(to + at, load<u8>(key + at));
  }
}

/** At most 255. */
@inline
function sumOfBytes(bytes: u64): u64 {
  return (bytes * 0x0101010101010101) >> 56;
}

/** Eight bytes in the other order: one shuffle, where a swap would be a dozen steps. */
@inline
export function putReversed(to: usize, from: usize): void {
  const value = v128.load_zero<u64>(from);
  const reversed = i8x16.shuffle(value, value, 7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0);
  v128.store_lane<u64>(to, reversed, 0);
}

@inline
export function varintBytes(value: u64): i32 {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : (70 - <i32>clz(value)) / 7;
}

@inline
export function writeVarint(at: usize, value: u64): usize {
  if (value < 0x80) {
    store<u8>(at, value);
    return at + 1;
  }
  const bytes = varintBytes(value);
  let rest = value;
  let mark: u64 = 0;
  for (let i = bytes - 1; i >= 0; i--) {
    store<u8>(at + i, (rest & 0x7f) | mark);
    rest >>= 7;
    mark = 0x80;
  }
  return at + bytes;
}
