// Takes whole records out of the decoder's window as long as they are plain: a key whose value is one string that need
// not be looked into, in a shape that the memory model has judged before. The first record that is not is left to the
// decoder. See record-run.ts of the folder above.

import { countSizes, countSlots, countTotals, keepHash, putSlot, SLOT_BATCH } from './counters';
import { digestKey, slot } from './digest';
import { hasHigh, hasNul, startKey } from './key';
import { reserve } from './memory';
import { rankKey } from './ranks';
import { encodeRow, hasRoom } from './rows';
import {
  ANY_KEY,
  forgetCells,
  forgetShapes,
  headBytesOf,
  initShapes,
  kindOf,
  learn,
  learnHead,
  MAX_KEY_BYTES,
  MAX_KIND,
  MAX_VALUE_BYTES,
  memoryBytesOf,
  NO_CELL,
  recall,
  shapeOf,
  totalsCellOf,
  typeOf,
} from './shapes';
import {
  bytes,
  HEAD_BYTES,
  INTEGER,
  integer,
  integerWidth,
  LONGEST_INTEGER_TEXT,
  LZF,
  logical,
  OTHER,
  RAW,
  readHead,
  readLength,
  stored,
  textLength,
} from './string-head';
import { addKey } from './sums';
import { nodeOfKey } from './tree';

const UNKNOWN: f64 = -1;

// How the value of a type is written; the numbers are those of record-run.ts of the folder above.
const STRING: i32 = 1;
const LISTPACK: i32 = 2;
const ZIPLIST: i32 = 3;
const INTSET: i32 = 4;
/** Added for values whose elements come in pairs, and for hashes. */
const PAIRS: i32 = 8;
const HASH: i32 = 16;
/** Added for a list of one node: a count stands before the string; and what holds the node, behind that. */
const NODE: i32 = 32;
const CONTAINER: i32 = 64;
const FORM: i32 = 7;

/** What a type byte means, 0 for a type that is left to the decoder. */
const TYPES = memory.data(256);

// Opcodes that say something of the key behind them. Source: redis/src/rdb.h, 7.2.
const OPCODE_IDLE: u32 = 248;
const OPCODE_FREQ: u32 = 249;
const OPCODE_AUX: u32 = 250;
const OPCODE_EXPIRETIME_MS: u32 = 252;

/** Bytes that one attribute, or a type byte with the head behind it, takes at most. */
const STEP_BYTES: usize = HEAD_BYTES + 1;
/** Source: redis/src/quicklist.h QUICKLIST_NODE_CONTAINER_PACKED, 7.2. */
const CONTAINER_PACKED: u32 = 2;
/** Longer strings lie in a block of their own in every server; see EmbedLayout of the memory model. */
const JOINT_BYTES: i32 = 256;
/** Headers of packed values. Source: redis/src/listpack.c, ziplist.c, intset.c, 7.2. */
const LISTPACK_HEADER: u32 = 6;
const ZIPLIST_HEADER: u32 = 10;
const INTSET_HEADER: u32 = 8;
const COUNT_UNKNOWN: u32 = 0xffff;

/** Expiries that wait to be counted: milliseconds, then memory. */
const EXPIRIES: i32 = 1024;

// Why a run ended; as in record-run.ts of the folder above.
const LEFT: i32 = 0;
const EXPIRIES_FULL: i32 = 1;
const HASHES_FULL: i32 = 2;

/** What a run tells: the reason, bytes, keys, keys with an expiry, expired ones, the part of the hashes that is full. */
const OUTCOME = memory.data(6 * 4, 16);

let expiries: usize = 0;
let file: i32 = 0;
let db: f64 = 0;
let salt: u32 = 0;
let createdAt: f64 = 0;
let earliestExpiry: f64 = 0;
let latestExpiry: f64 = 0;
let hashedRows: f64 = 0;
let stringLimit: u32 = 0;

export function initRun(): void {
  initShapes();
  expiries = reserve(EXPIRIES * 16);
}

export function expiriesAddress(): usize {
  return expiries;
}

export function outcomeAddress(): usize {
  return OUTCOME;
}

/** @param form see the constants above */
export function setRunType(typeCode: i32, form: i32): void {
  store<u8>(TYPES + <usize>typeCode, form);
}

/** Another file, perhaps of another server. */
export function startRunFile(fileId: i32): void {
  file = fileId;
  forgetShapes();
}

/**
 * Keys are of this database from now on.
 * @param databaseSalt see digestKey
 * @param hashLimit rows whose hashes are kept: the first ones
 * @param longestString longer ones are looked into by the decoder
 */
export function startRunDatabase(
  database: f64,
  databaseSalt: i32,
  createdAtMs: f64,
  earliestExpiryMs: f64,
  latestExpiryMs: f64,
  hashLimit: f64,
  longestString: i32,
): void {
  db = database;
  salt = databaseSalt;
  createdAt = createdAtMs;
  earliestExpiry = earliestExpiryMs;
  latestExpiry = latestExpiryMs;
  hashedRows = hashLimit;
  stringLimit = longestString;
  forgetCells();
}

/**
 * What the memory model said of a key.
 * @param count elements
 * @param integer see integerWidth
 * @param headBytes what the value has no part in, 0 or less where that can't be told
 */
export function learnShape(
  typeCode: i32,
  hasExpiry: i32,
  keyBytes: i32,
  valueBytes: i32,
  count: i32,
  integer: i32,
  isText: i32,
  memoryBytes: f64,
  headBytes: f64,
  kind: i32,
  type: i32,
  totalsCell: i32,
): void {
  if (kind > MAX_KIND || keyBytes > MAX_KEY_BYTES || valueBytes > MAX_VALUE_BYTES) return;
  if (<u32>count >= COUNT_UNKNOWN) return;
  if (isText !== 0 && isJoint(valueBytes, integer)) {
    const shape = shapeOf(typeCode, hasExpiry !== 0, keyBytes, valueBytes, count, integer);
    learn(shape, memoryBytes, kind, type, totalsCell);
  } else if (headBytes > 0) {
    learnHead(keyBytes, hasExpiry !== 0, headBytes);
    const shape = shapeOf(typeCode, false, ANY_KEY, integer !== 0 ? 0 : valueBytes, count, integer);
    learn(shape, memoryBytes - headBytes, kind, type, totalsCell);
  }
}

/** Whether a string may lie in one block with its key, so that their figure is learned together. */
@inline
function isJoint(valueBytes: i32, integer: u32): bool {
  return integer === 0 && valueBytes < JOINT_BYTES;
}

/**
 * Takes the records that stand at `[from, end)`, the first of them `fileOffset` bytes into the snapshot. What became of
 * it stands in OUTCOME. A record is only taken whole, and when the byte behind it is there and begins no AUX field,
 * which may belong to it.
 * @param row of the first key
 */
export function takeRun(from: usize, end: usize, fileOffset: f64, row: f64): void {
  let done = from;
  let keys = 0;
  let withExpiry = 0;
  let expiredKeys = 0;
  let reason = LEFT;
  let fullPart = 0;
  let waitingSlots = 0;
  while (reason === LEFT) {
    let at = done;
    let hasExpiry = false;
    let expiresAt: f64 = 0;
    let idle: f64 = UNKNOWN;
    let freq: f64 = UNKNOWN;
    let typeCode: u32 = 0;
    let form = 0;
    while (end - at > STEP_BYTES) {
      typeCode = load<u8>(at);
      form = load<u8>(TYPES + <usize>typeCode);
      if (form !== 0) break;
      if (typeCode === OPCODE_EXPIRETIME_MS) {
        const ms = load<i64>(at, 1);
        expiresAt = <f64>ms;
        hasExpiry = true;
        at += 9;
      } else if (typeCode === OPCODE_FREQ) {
        freq = load<u8>(at, 1);
        at += 2;
      } else if (typeCode === OPCODE_IDLE) {
        if (!readLength(at + 1)) break;
        idle = stored;
        at = bytes;
      } else break;
    }
    if (form === 0) break;
    if (hasExpiry && !(expiresAt >= earliestExpiry && expiresAt <= latestExpiry)) break;

    const typeAt = at;
    if (end - at <= STEP_BYTES || readHead(at + 1) !== RAW || stored > <u32>MAX_KEY_BYTES) break;
    const keyAt = bytes;
    const keyBytes = <i32>stored;
    at = bytes + stored;
    if (at >= end || end - at <= HEAD_BYTES + 2) break;
    if ((form & NODE) !== 0) {
      if (load<u8>(at++) !== 1) break;
      if ((form & CONTAINER) !== 0 && load<u8>(at++) !== CONTAINER_PACKED) break;
    }

    const headForm = readHead(at);
    if (headForm === OTHER || stored >= <u32>(end - bytes)) break;
    const next = bytes + stored;
    if (load<u8>(next) === OPCODE_AUX) break;
    let valueBytes: i32;
    let count: i32 = 1;
    let width: u32 = 0;
    if ((form & FORM) === STRING) {
      if (headForm === INTEGER) {
        width = 1;
        valueBytes = textLength(integer);
      } else {
        if (logical >= stringLimit) break;
        valueBytes = logical;
        if (headForm === RAW && logical <= LONGEST_INTEGER_TEXT) width = integerWidth(bytes, logical);
      }
    } else {
      if (headForm === INTEGER || logical > <u32>MAX_VALUE_BYTES) break;
      valueBytes = logical;
      count = announced(form & FORM, headForm);
      if (count <= 0 || ((form & PAIRS) !== 0 && (count & 1) !== 0)) break;
      if ((form & PAIRS) !== 0) count >>= 1;
    }
    let headBytes: f64 = 0;
    let shape: u64;
    if ((form & FORM) === STRING && isJoint(valueBytes, width)) {
      shape = shapeOf(typeCode, hasExpiry, keyBytes, valueBytes, count, width);
    } else {
      headBytes = headBytesOf(keyBytes, hasExpiry);
      if (headBytes === 0) break;
      shape = shapeOf(typeCode, false, ANY_KEY, width !== 0 ? 0 : valueBytes, count, width);
    }
    const place = recall(shape);
    if (place === 0 || !hasRoom(keyBytes)) break;
    const kind = kindOf(place);
    const cell = totalsCellOf(kind);
    if (cell === NO_CELL) break;
    startKey(keyAt, keyBytes);
    if (hasHigh()) break;

    // The record is taken.
    const memoryBytes = headBytes + memoryBytesOf(place);
    const type = typeOf(kind);
    const serializedBytes = <f64>(next - typeAt);
    const payloadBytes = (form & FORM) === STRING ? <f64>valueBytes : UNKNOWN;
    const expired = hasExpiry && expiresAt < createdAt;
    const node = nodeOfKey();
    addKey(node, type, keyBytes, memoryBytes, serializedBytes, count, hasExpiry, expired);
    digestKey(salt);
    if (waitingSlots === SLOT_BATCH) {
      countSlots(waitingSlots);
      waitingSlots = 0;
    }
    putSlot(waitingSlots++, memoryBytes);
    countSizes(type, memoryBytes, serializedBytes, count, payloadBytes);
    countTotals(cell, row, memoryBytes, serializedBytes, count, hasExpiry, expired);
    rankKey(row, memoryBytes, hasExpiry, serializedBytes, count, payloadBytes);
    const encoded = encodeRow(
      row,
      hasNul() ? 0 : 1,
      kind,
      db,
      file,
      node,
      slot,
      count,
      memoryBytes,
      serializedBytes,
      fileOffset + <f64>(done - from),
      payloadBytes,
      payloadBytes,
      hasExpiry ? 1 : 0,
      expiresAt,
      idle,
      freq,
      (form & HASH) !== 0 ? 0 : UNKNOWN,
      UNKNOWN,
    );
    if (encoded !== 1) unreachable(); // hasRoom said so
    done = next;
    keys++;
    if (expired) expiredKeys++;
    if (hasExpiry) {
      const waiting = expiries + <usize>(withExpiry << 4);
      store<f64>(waiting, expiresAt);
      store<f64>(waiting, memoryBytes, 8);
      if (++withExpiry === EXPIRIES) reason = EXPIRIES_FULL;
    }
    if (row <= hashedRows) {
      fullPart = keepHash(<i32>row);
      if (fullPart !== 0) reason |= HASHES_FULL;
    }
    row += 1;
  }
  countSlots(waitingSlots);
  store<i32>(OUTCOME, reason);
  store<i32>(OUTCOME, <i32>(done - from), 4);
  store<i32>(OUTCOME, keys, 8);
  store<i32>(OUTCOME, withExpiry, 12);
  store<i32>(OUTCOME, expiredKeys, 16);
  store<i32>(OUTCOME, fullPart - 1, 20);
}

/**
 * How many elements the packed value announces whose head was read last; 0 when its header does not tell, is damaged,
 * or is not at hand because it is compressed.
 */
function announced(form: i32, headForm: i32): i32 {
  let header = bytes;
  let there = stored;
  if (headForm === LZF) {
    // The first run is nearly always of literal bytes. Source: redis/src/lzf_d.c, 7.2.
    if (stored === 0) return 0;
    const control: u32 = load<u8>(bytes);
    if (control >= 32 || control + 2 > stored) return 0;
    header++;
    there = control + 1;
  }
  if (there < (form === LISTPACK ? LISTPACK_HEADER : form === INTSET ? INTSET_HEADER : ZIPLIST_HEADER)) return 0;
  const first = load<u32>(header);
  let count: u32;
  if (form === INTSET) {
    count = load<u32>(header, 4);
    if (first !== 2 && first !== 4 && first !== 8) return 0;
    if (count >= COUNT_UNKNOWN || logical !== INTSET_HEADER + first * count) return 0;
    return count;
  }
  count = form === LISTPACK ? load<u16>(header, 4) : load<u16>(header, 8);
  const isWhole = first === logical && logical > (form === LISTPACK ? LISTPACK_HEADER : ZIPLIST_HEADER);
  return isWhole && count < COUNT_UNKNOWN && count <= logical ? count : 0;
}
