// Takes whole records out of the decoder's window as long as they are plain: a key whose value is one string that need
// not be looked into, in a shape that the memory model has judged before. The first record that is not is left to the
// decoder. See record-run.ts of the folder above.

import { countSizes, countSlots, countTotals, keepHash, putSlot, SLOT_BATCH } from './counters';
import { digestKey, slot } from './digest';
import { hasHigh, hasNul, startKey } from './key';
import { reserve } from './memory';
import {
  count,
  expiresAt,
  freq,
  hasExpiry,
  idle,
  isHash,
  isString,
  keyAt,
  keyBytes,
  limitRecords,
  next,
  readRecord,
  typeAt,
  typeCode,
  valueBytes,
  width,
} from './plain-record';
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
  MAX_COUNT,
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
import { addKey } from './sums';
import { nodeOfKey } from './tree';

const UNKNOWN: f64 = -1;

/** Longer strings lie in a block of their own in every server; see EmbedLayout of the memory model. */
const JOINT_BYTES: i32 = 256;
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
let hashedRows: f64 = 0;

// What is known of the shape of the record at hand.
let memoryBytes: f64 = 0;
let kind: i32 = 0;
let cell: i32 = NO_CELL;

// Of the run: keys in it, those with an expiry, expired ones; and the slots that wait to be counted.
let keys: i32 = 0;
let withExpiry: i32 = 0;
let expiredKeys: i32 = 0;
let waitingSlots: i32 = 0;

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
  hashedRows = hashLimit;
  limitRecords(earliestExpiryMs, latestExpiryMs, longestString);
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
  // Numbers that the file tells may have any 32 bits: a negative one is too large.
  if (kind > MAX_KIND || keyBytes > MAX_KEY_BYTES || <u32>valueBytes > <u32>MAX_VALUE_BYTES) return;
  if (<u32>count > <u32>MAX_COUNT) return;
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
 * which may belong to it. The steps are functions for the reader only: the compiler inlines them.
 * @param row of the first key
 */
export function takeRun(from: usize, end: usize, fileOffset: f64, row: f64): void {
  let done = from;
  let reason = LEFT;
  let fullPart = 0;
  keys = withExpiry = expiredKeys = waitingSlots = 0;
  while (reason === LEFT) {
    if (!readRecord(done, end) || !knowsShape()) break;
    if (!hasRoom(keyBytes)) break;
    startKey(keyAt, keyBytes);
    if (hasHigh()) break;
    takeRecord(row, fileOffset + <f64>(done - from));
    done = next;
    if (hasExpiry && withExpiry === EXPIRIES) reason = EXPIRIES_FULL;
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

/** Recalls what the memory model said of such a record. */
@inline
function knowsShape(): bool {
  let headBytes: f64 = 0;
  let shape: u64;
  if (isString() && isJoint(valueBytes, width)) {
    shape = shapeOf(typeCode, hasExpiry, keyBytes, valueBytes, count, width);
  } else {
    headBytes = headBytesOf(keyBytes, hasExpiry);
    if (headBytes === 0) return false;
    shape = shapeOf(typeCode, false, ANY_KEY, width !== 0 ? 0 : valueBytes, count, width);
  }
  const place = recall(shape);
  if (place === 0) return false;
  memoryBytes = headBytes + memoryBytesOf(place);
  kind = kindOf(place);
  cell = totalsCellOf(kind);
  return cell !== NO_CELL;
}

/** Counts the record wherever keys are counted, and writes its row. @param offset where it begins in the snapshot */
@inline
function takeRecord(row: f64, offset: f64): void {
  const type = typeOf(kind);
  const serializedBytes = <f64>(next - typeAt);
  const payloadBytes = isString() ? <f64>valueBytes : UNKNOWN;
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
    offset,
    payloadBytes,
    payloadBytes,
    hasExpiry ? 1 : 0,
    expiresAt,
    idle,
    freq,
    isHash() ? 0 : UNKNOWN,
    UNKNOWN,
  );
  if (encoded !== 1) unreachable(); // hasRoom said so
  keys++;
  if (expired) expiredKeys++;
  if (hasExpiry) {
    const waiting = expiries + <usize>(withExpiry++ << 4);
    store<f64>(waiting, expiresAt);
    store<f64>(waiting, memoryBytes, 8);
  }
}
