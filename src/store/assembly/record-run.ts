// Takes whole records out of the decoder's window as long as they are plain; the first one that is not is left to the
// decoder. What a key takes follows from what the memory model was asked before. See record-run.ts of the folder above.

import { countSizes, countSlots, countTotals, putSlot, SLOT_BATCH } from './counters';
import { digestKey } from './digest';
import { countExpiry } from './expiries';
import { cell, initFigures, kind, knowsFigure, memoryBytes, startFigures } from './figures';
import { keepHash } from './hashes';
import { hasHigh, startKey } from './key';
import { reserve } from './memory';
import {
  CONTENT_BYTES,
  contentAt,
  count,
  expiresAt,
  hasExpiry,
  isPlainCollection,
  isStream,
  keyAt,
  keyBytes,
  largest,
  limitIntegers,
  limitRecords,
  next,
  payload,
  readRecord,
  table,
  typeAt,
  typeCode,
  valueBytes,
  width,
} from './plain-record';
import { rankKey } from './ranks';
import { writeRow } from './record-row';
import { pageCells } from './rows';
import { forgetCells, LEFT_KIND, typeOf } from './shapes';
import { emptyGroups, groupsBehind, keepGroups } from './stream-value';
import { addKey } from './sums';
import { nodeOfKey } from './tree';

// What long strings hold waits to be told by their first bytes. An entry: those bytes; the row id, memory, size in the
// file, length; the node.
const CONTENTS: i32 = 256;
const CONTENT_ENTRY_BYTES: usize = 64;

// Why a run ended; as in record-run.ts of the folder above.
const LEFT: i32 = 0;
const HASHES_FULL: i32 = 2;
const CONTENTS_FULL: i32 = 4;
const PAGE_FULL: i32 = 8;
const FIGURE_UNTOLD: i32 = 16;
const GROUPS_FULL: i32 = 32;

/** What a run tells, see `takeRun`. */
const OUTCOME = memory.data(15 * 4, 16);
/** In place of a plain collection's table. */
const NO_TABLE: i32 = -1;

let contents: usize = 0;
let file: i32 = 0;
let db: f64 = 0;
let salt: u32 = 0;
let createdAt: f64 = 0;
let hashedRows: f64 = 0;

// Of the run: keys in it, those with an expiry, expired ones, long strings; and the slots that wait to be counted.
let keys: i32 = 0;
let withExpiry: i32 = 0;
let expiredKeys: i32 = 0;
let withContent: i32 = 0;
let waitingSlots: i32 = 0;
let groupsFull: bool = false;

export function initRun(): void {
  initFigures();
  contents = reserve(<usize>CONTENTS * CONTENT_ENTRY_BYTES);
}

export function contentsAddress(): usize {
  return contents;
}

export function outcomeAddress(): usize {
  return OUTCOME;
}

/**
 * Another file, perhaps of another server.
 * @param jointBelowBytes see ValueCosts of the memory model
 * @param widestInteger of those that the server keeps as such; see integerWidth
 */
export function startRunFile(fileId: i32, jointBelowBytes: i32, widestInteger: i32): void {
  file = fileId;
  limitIntegers(widestInteger);
  startFigures(jointBelowBytes);
}

/**
 * Keys are of this database from now on.
 * @param databaseSalt see digestKey
 * @param hashLimit rows whose hashes are kept: the first ones
 * @param contentFromBytes what strings of so many bytes hold is told by their first bytes
 */
export function startRunDatabase(
  database: f64,
  databaseSalt: i32,
  createdAtMs: f64,
  earliestExpiryMs: f64,
  latestExpiryMs: f64,
  hashLimit: f64,
  contentFromBytes: i32,
): void {
  db = database;
  salt = databaseSalt;
  createdAt = createdAtMs;
  hashedRows = hashLimit;
  limitRecords(earliestExpiryMs, latestExpiryMs, contentFromBytes);
  forgetCells();
}

/**
 * Takes the records that stand at `[from, end)`, the first of them `fileOffset` bytes into the snapshot. What became of
 * it stands in OUTCOME: the reason, bytes, keys, keys with an expiry, expired ones, the part of the hashes to be emptied,
 * long strings; then of the record whose figure is not known: table or NO_TABLE, elements, type, length of the key,
 * whether it expires, length and integer of the value; last where the groups of its streams end. A record is only taken
 * whole, and when the byte behind it is there and begins no AUX field, which may belong to it. The steps are functions
 * for the reader only: the compiler inlines them.
 * @param row of the first key
 */
export function takeRun(from: usize, end: usize, fileOffset: f64, row: f64): void {
  let done = from;
  let reason = LEFT;
  let fullPart = 0;
  keys = withExpiry = expiredKeys = withContent = waitingSlots = 0;
  groupsFull = false;
  emptyGroups();
  while (reason === LEFT) {
    if (!readRecord(done, end)) break;
    if (!knowsFigure()) {
      reason = FIGURE_UNTOLD;
      break;
    }
    if (kind === LEFT_KIND) break;
    startKey(keyAt, keyBytes);
    if (hasHigh()) break;
    const written = takeRecord(row, fileOffset + <f64>(done - from));
    if (written !== 1) {
      // A row that does not fit into an empty page is the decoder's.
      if (written === 0 && pageCells() > 0) reason = PAGE_FULL;
      break;
    }
    done = next;
    if (contentAt !== 0 && withContent === CONTENTS) reason = CONTENTS_FULL;
    if (groupsFull) reason = GROUPS_FULL;
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
  store<i32>(OUTCOME, withContent, 24);
  store<usize>(OUTCOME, groupsBehind(), 56);
  if (reason === FIGURE_UNTOLD) {
    store<i32>(OUTCOME, isPlainCollection() ? table() : NO_TABLE, 28);
    store<i32>(OUTCOME, count, 32);
    store<u32>(OUTCOME, typeCode, 36);
    store<i32>(OUTCOME, keyBytes, 40);
    store<i32>(OUTCOME, hasExpiry ? 1 : 0, 44);
    store<i32>(OUTCOME, valueBytes, 48);
    store<u32>(OUTCOME, width, 52);
  }
}

/**
 * Writes the record's row, and counts it wherever keys are counted; or nothing of that, and returns what `encodeRow`
 * said.
 * @param offset where it begins in the snapshot
 */
@inline
function takeRecord(row: f64, offset: f64): i32 {
  const type = typeOf(kind);
  const serializedBytes = <f64>(next - typeAt);
  const expired = hasExpiry && expiresAt < createdAt;
  const node = nodeOfKey();
  digestKey(salt);
  const written = writeRow(row, kind, db, file, node, memoryBytes, serializedBytes, offset);
  if (written !== 1) return written;
  addKey(node, type, keyBytes, memoryBytes, serializedBytes, count, hasExpiry, expired);
  if (waitingSlots === SLOT_BATCH) {
    countSlots(waitingSlots);
    waitingSlots = 0;
  }
  putSlot(waitingSlots++, memoryBytes);
  countSizes(type, memoryBytes, serializedBytes, count, largest);
  countTotals(cell, row, memoryBytes, serializedBytes, count, hasExpiry, expired);
  rankKey(row, memoryBytes, hasExpiry, serializedBytes, count, largest);
  keys++;
  if (expired) expiredKeys++;
  if (hasExpiry) {
    withExpiry++;
    countExpiry(expiresAt, memoryBytes);
  }
  if (contentAt !== 0) putContent(row, node, serializedBytes);
  if (isStream() && keepGroups(row)) groupsFull = true;
  return 1;
}

/** Keeps the first bytes of a long string, and what else is told of it once it is known what it holds. */
function putContent(row: f64, node: i32, serializedBytes: f64): void {
  const to = contents + <usize>(withContent++) * CONTENT_ENTRY_BYTES;
  memory.copy(to, contentAt, CONTENT_BYTES);
  store<f64>(to, row, 16);
  store<f64>(to, memoryBytes, 24);
  store<f64>(to, serializedBytes, 32);
  store<f64>(to, payload, 40);
  store<i32>(to, node, 48);
}
