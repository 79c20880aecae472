// Rows of streams: their columns go on to the last id, a text. See rows.ts.

import { length } from './key';
import {
  COLUMN_BYTES,
  EXPIRES_AT,
  IDLE_SECONDS,
  LEAF_RESERVE_BYTES,
  NULL,
  page,
  pageBytes,
  putInteger,
  putKnown,
  putNumber,
  putReversed,
  reserveCell,
  VALUES,
  varintBytes,
  writeKey,
  writeVarint,
} from './rows';

// Numbers behind the key, in the order of KEY_COLUMNS.
const STREAM_NODES: i32 = 16;
const NUMBERS: i32 = 21;
const SERIALS = memory.data(24);

/** Two numbers of up to twenty digits and what joins them. */
const LAST_ID = memory.data(48);
const LAST_ID_END: usize = LAST_ID + 48;

/** As `encodeRow`. */
export function encodeStreamRow(
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
  nodes: f64,
  groups: f64,
  consumers: f64,
  pending: f64,
  oldestPendingMs: f64,
  lastMs: u64,
  lastSeq: u64,
): i32 {
  memory.fill(SERIALS, <u8>NULL, NUMBERS);
  put(0, putInteger(0, kind));
  put(1, putNumber(1, db));
  put(2, putInteger(2, file));
  put(3, putInteger(3, prefix));
  put(4, putInteger(4, slot));
  put(5, putKnown(5, elements));
  put(6, putNumber(6, memoryBytes));
  put(7, putNumber(7, serializedBytes));
  put(8, putNumber(8, fileOffset));
  put(9, putKnown(9, payloadBytes));
  put(10, putKnown(10, largestElement));
  if (hasExpiry) put(EXPIRES_AT, putNumber(EXPIRES_AT, expiresAt));
  put(IDLE_SECONDS, putKnown(IDLE_SECONDS, idleSeconds));
  put(IDLE_SECONDS + 1, putKnown(IDLE_SECONDS + 1, freq));
  put(IDLE_SECONDS + 2, putKnown(IDLE_SECONDS + 2, fieldsWithTtl));
  put(IDLE_SECONDS + 3, putKnown(IDLE_SECONDS + 3, firstFieldExpiry));
  put(STREAM_NODES, putNumber(STREAM_NODES, nodes));
  put(STREAM_NODES + 1, putNumber(STREAM_NODES + 1, groups));
  put(STREAM_NODES + 2, putNumber(STREAM_NODES + 2, consumers));
  put(STREAM_NODES + 3, putNumber(STREAM_NODES + 3, pending));
  put(STREAM_NODES + 4, putKnown(STREAM_NODES + 4, oldestPendingMs));
  const idAt = writeDigits(writeSeparator(writeDigits(LAST_ID_END, lastSeq)), lastMs);
  const idBytes = <i32>(LAST_ID_END - idAt);
  return writeRow(<u64>rowId, <u64>length * 2 + (isText ? 13 : 12), idAt, idBytes);
}

function writeRow(rowId: u64, keySerial: u64, idAt: usize, idBytes: i32): i32 {
  let bodyBytes = idBytes;
  for (let column = 0; column < NUMBERS; column++) bodyBytes += widthOf(column);
  const headerBytes = 2 + varintBytes(keySerial) + NUMBERS + 1;
  const payload = headerBytes + length + bodyBytes;
  if (payload > pageBytes - LEAF_RESERVE_BYTES) return -1;
  const cell = reserveCell(varintBytes(payload) + varintBytes(rowId) + payload);
  if (cell === 0) return 0;
  let at = writeVarint(writeVarint(page + cell, payload), rowId);
  const keyAt = at + headerBytes;
  // From the end, as in rows.ts: each number overwrites what is too much of the one behind it.
  let end: usize = keyAt + length + bodyBytes - idBytes;
  memory.copy(end, idAt, idBytes);
  for (let column = NUMBERS; column > 0; column--) {
    const width = widthOf(column - 1);
    if (width > 0) putReversed(end - 8, VALUES + (<usize>(column - 1) << 3));
    end -= width;
  }
  store<u8>(at, headerBytes);
  store<u8>(at, 0, 1); // NULL for the id: it is the row id
  at = writeVarint(at + 2, keySerial);
  memory.copy(at, SERIALS, NUMBERS);
  store<u8>(at, 2 * idBytes + 13, NUMBERS);
  writeKey(keyAt);
  return 1;
}

@inline
function put(column: i32, serial: u64): void {
  store<u8>(SERIALS + <usize>column, <u8>serial);
}

@inline
function widthOf(column: i32): i32 {
  return load<u8>(COLUMN_BYTES + <usize>load<u8>(SERIALS + <usize>column));
}

@inline
function writeSeparator(end: usize): usize {
  store<u8>(end - 1, 0x2d);
  return end - 1;
}

/** Writes a number's digits in front of an address; returns where they begin. */
function writeDigits(end: usize, value: u64): usize {
  let at = end;
  let left = value;
  do {
    store<u8>(--at, 0x30 + <u8>(left % 10));
    left /= 10;
  } while (left > 0);
  return at;
}
