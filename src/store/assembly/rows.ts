// Rows of `key_rows` as cells of a leaf page. Source: SQLite file format, sections 1.6 and 2.1. What is not common
// (streams, rows that overflow a page, expiries beyond 2^53) is encoded by row-encoder.ts into the same page.

import { key, length } from './key';

const LEAF_HEADER_BYTES: i32 = 8;
const LEAF_RESERVE_BYTES: i32 = 35;

/** "Not known" in a record: NULL in the row. */
const UNKNOWN: f64 = -1;
const INT64_END: f64 = 9223372036854775808.0;

let page: usize = 0;
let pageBytes: i32 = 0;
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

// Columns after the key, in the order of KEY_COLUMNS; values and their serial types.
const COLUMNS: i32 = 16;
const VALUES = memory.data(COLUMNS * 8);
const SERIALS = memory.data(COLUMNS);
let columns: i32 = 0;
let bodyBytes: i32 = 0;

/** The next column is a whole number. */
@inline
function put(value: f64): void {
  if (value >= INT64_END || value < -INT64_END) {
    store<f64>(VALUES + (columns << 3), value);
    store<u8>(SERIALS + columns++, 7);
    bodyBytes += 8;
    return;
  }
  putInteger(<i64>value);
}

@inline
function putInteger(value: i64): void {
  // Bits without the sign: 7, 15, 23, 31, 47, 63.
  const bits = 64 - <i32>clz(value ^ (value >> 63));
  let serial: i32;
  if (bits <= 1 && value >= 0) serial = 8 + <i32>value;
  else if (bits < 16) serial = bits < 8 ? 1 : 2;
  else if (bits < 32) serial = bits < 24 ? 3 : 4;
  else serial = bits < 48 ? 5 : 6;
  store<i64>(VALUES + (columns << 3), value);
  store<u8>(SERIALS + columns++, serial);
  bodyBytes += contentBytes(serial);
}

/** Bytes of the serial types: 0, 1, 2, 3, 4, 6, 8, 8, 0, 0. */
@inline
function contentBytes(serial: i32): i32 {
  return <i32>((<u64>0x0088643210 >> (serial << 2)) & 15);
}

@inline
function putNull(): void {
  store<u8>(SERIALS + columns++, 0);
}

@inline
function putKnown(value: f64): void {
  if (value === UNKNOWN) putNull();
  else put(value);
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
  columns = 0;
  bodyBytes = 0;
  putInteger(kind);
  put(db);
  putInteger(file);
  putInteger(prefix);
  putInteger(slot);
  putKnown(elements);
  put(memoryBytes);
  put(serializedBytes);
  put(fileOffset);
  putKnown(payloadBytes);
  putKnown(largestElement);
  if (hasExpiry) put(expiresAt);
  if (idleSeconds !== UNKNOWN || freq !== UNKNOWN || fieldsWithTtl !== UNKNOWN) {
    if (!hasExpiry) putNull();
    putKnown(idleSeconds);
    putKnown(freq);
    putKnown(fieldsWithTtl);
    putKnown(firstFieldExpiry);
    // Columns that are NULL at the end are left out.
    while (load<u8>(SERIALS + columns - 1) === 0) columns--;
  }
  const keySerial = <u64>length * 2 + (isText ? 13 : 12);
  const headerBytes = 2 + varintBytes(keySerial) + columns;
  const payload = headerBytes + length + bodyBytes;
  if (payload > pageBytes - LEAF_RESERVE_BYTES) return -1;
  const id = <u64>rowId;
  const cell = reserveCell(varintBytes(payload) + varintBytes(id) + payload);
  if (cell === 0) return 0;
  writeCell(page + cell, id, payload, headerBytes, keySerial);
  return 1;
}

@inline
function writeCell(cell: usize, rowId: u64, payload: i32, headerBytes: i32, keySerial: u64): void {
  let at = writeVarint(writeVarint(cell, payload), rowId);
  const keyAt = at + headerBytes;
  // The body from its end: each number is stored as eight bytes, of which the next one overwrites those that are too
  // many. The header and the key in front of the first are written afterwards.
  let end = keyAt + length + bodyBytes;
  for (let i = columns - 1; i >= 0; i--) {
    store<u64>(end - 8, bswap<u64>(load<u64>(VALUES + (i << 3))));
    end -= contentBytes(load<u8>(SERIALS + i));
  }
  copyKey(keyAt);
  store<u8>(at, headerBytes);
  store<u8>(at, 0, 1); // NULL for the id: it is the row id
  at = writeVarint(at + 2, keySerial);
  for (let i = 0; i < columns; i++) store<u8>(at + i, load<u8>(SERIALS + i));
}

@inline
function copyKey(to: usize): void {
  const bytes = length;
  if (bytes >= 64) {
    memory.copy(to, key, bytes);
    return;
  }
  let at = 0;
  for (; at + 8 <= bytes; at += 8) store<u64>(to + at, load<u64>(key + at));
  for (; at < bytes; at++) store<u8>(to + at, load<u8>(key + at));
}

@inline
function varintBytes(value: u64): i32 {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : (70 - <i32>clz(value)) / 7;
}

@inline
function writeVarint(at: usize, value: u64): usize {
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
