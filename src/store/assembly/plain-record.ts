// Reads one record of the decoder's window that is plain: the value is one string of which at most the first bytes
// matter, a collection of ordinary elements, or a stream. What is not plain, damaged or only rare is the decoder's.
// Source of the layout: redis/src/rdb.c rdbSaveKeyValuePair, 7.2.

import { textLength } from '../../rdb-parser/assembly/integer-text';
import { inflatePrefix } from '../../rdb-parser/assembly/lzf-prefix';
import { announcedElements } from './blob-head';
import { largest as largestPassed, passElements, payloadBytes as payloadPassed } from './elements';
import { MAX_KEY_BYTES, MAX_VALUE_BYTES } from './shapes';
import { entries, readStream } from './stream-value';
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
} from './string-head';

const UNKNOWN: f64 = -1;

// How the value of a type is written; the numbers are those of record-run.ts of the folder above.
const STRING: i32 = 1;
const ELEMENTS: i32 = 5;
const STREAM: i32 = 6;
/** Added for values whose elements come in pairs, and for hashes. */
const PAIRS: i32 = 8;
const HASH: i32 = 16;
/** Added for a list of one node: a count stands before the string; and what holds the node, behind that. */
const NODE: i32 = 32;
const CONTAINER: i32 = 64;
/** Added for members with scores. */
const SCORED: i32 = 128;
/** Of streams: so many times their version. */
const VERSION: i32 = 256;
const FORM: i32 = 7;

/** What a type byte means, 0 for a type that is left to the decoder; up to how many elements its blobs are kept. */
const TYPES = memory.data(256 * 4, 4);
const KEPT_UP_TO = memory.data(256 * 4, 4);

// Opcodes that say something of the key behind them. Source: redis/src/rdb.h, 7.2.
const OPCODE_IDLE: u32 = 248;
const OPCODE_FREQ: u32 = 249;
const OPCODE_AUX: u32 = 250;
const OPCODE_EXPIRETIME_MS: u32 = 252;

/** Bytes that one attribute, or a type byte with the head behind it, takes at most. */
const STEP_BYTES: usize = HEAD_BYTES + 1;
/** Source: redis/src/quicklist.h QUICKLIST_NODE_CONTAINER_PACKED, 7.2. */
const CONTAINER_PACKED: u32 = 2;

let earliestExpiry: f64 = 0;
let latestExpiry: f64 = 0;
let contentFrom: u32 = 0;
let widestInteger: u32 = 0;
/** First bytes of a string that tell what it holds. */
export const CONTENT_BYTES: u32 = 16;

// The record read last.
let form: i32 = 0;
export let typeCode: u32 = 0;
export let typeAt: usize = 0;
export let hasExpiry: bool = false;
export let expiresAt: f64 = 0;
export let idle: f64 = UNKNOWN;
export let freq: f64 = UNKNOWN;
export let keyAt: usize = 0;
export let keyBytes: i32 = 0;
let valueAt: usize = 0;
export let valueBytes: i32 = 0;
export let count: i32 = 0;
export let width: u32 = 0;
/** The user's own bytes, and those of the longest element. */
export let payload: f64 = UNKNOWN;
export let largest: f64 = UNKNOWN;
/** Where a long string's first bytes are, 0 for all else. */
export let contentAt: usize = 0;
/** Where the record behind it begins. */
export let next: usize = 0;

/** @param form see the constants above @param keptUpTo elements up to which the figure of a blob does not depend on them */
export function setRunType(typeCode: i32, form: i32, keptUpTo: i32): void {
  store<i32>(TYPES + (<usize>typeCode << 2), form);
  store<i32>(KEPT_UP_TO + (<usize>typeCode << 2), keptUpTo);
}

/** @param widest of the integers that the server keeps as such; see integerWidth */
export function limitIntegers(widest: i32): void {
  widestInteger = widest;
}

/** @param contentFromBytes what strings of so many bytes hold is told by their first bytes */
export function limitRecords(earliestExpiryMs: f64, latestExpiryMs: f64, contentFromBytes: i32): void {
  earliestExpiry = earliestExpiryMs;
  latestExpiry = latestExpiryMs;
  contentFrom = contentFromBytes;
}

/** Reads the record at an address; false when it does not end before `end`, or is the decoder's. */
@inline
export function readRecord(at: usize, end: usize): bool {
  return readAttributes(at, end) && readKey(end) && readValue(end);
}

@inline
export function isString(): bool {
  return (form & FORM) === STRING;
}

@inline
export function isHash(): bool {
  return (form & HASH) !== 0;
}

@inline
export function isStream(): bool {
  return (form & FORM) === STREAM;
}

@inline
export function isPlainCollection(): bool {
  return (form & FORM) === ELEMENTS;
}

/** Of a plain collection; see elements.ts. */
@inline
export function table(): i32 {
  return (form & SCORED) !== 0 ? 1 : (form & PAIRS) !== 0 ? 2 : 0;
}

/** Reads what stands before a type byte, and that; false when the record, or its expiry, is not ordinary. */
@inline
function readAttributes(from: usize, end: usize): bool {
  let at = from;
  form = 0;
  hasExpiry = false;
  expiresAt = 0;
  idle = UNKNOWN;
  freq = UNKNOWN;
  while (end - at > STEP_BYTES) {
    typeCode = load<u8>(at);
    form = load<i32>(TYPES + (<usize>typeCode << 2));
    if (form !== 0) break;
    if (typeCode === OPCODE_EXPIRETIME_MS) {
      expiresAt = <f64>load<i64>(at, 1);
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
  typeAt = at;
  return form !== 0 && (!hasExpiry || (expiresAt >= earliestExpiry && expiresAt <= latestExpiry));
}

/** Finds the key, and the string that is the value behind it. */
@inline
function readKey(end: usize): bool {
  if (end - typeAt <= STEP_BYTES || readHead(typeAt + 1) !== RAW || stored > <u32>MAX_KEY_BYTES) return false;
  keyAt = bytes;
  keyBytes = <i32>stored;
  let at = bytes + stored;
  if (at >= end || end - at <= HEAD_BYTES + 2) return false;
  if ((form & NODE) !== 0) {
    if (load<u8>(at++) !== 1) return false;
    if ((form & CONTAINER) !== 0 && load<u8>(at++) !== CONTAINER_PACKED) return false;
  }
  valueAt = at;
  return true;
}

/** Reads of the value what its figure follows from. */
@inline
function readValue(end: usize): bool {
  contentAt = 0;
  payload = largest = UNKNOWN;
  const layout = form & FORM;
  if (layout === ELEMENTS) return readElements(end);
  if (layout === STREAM) return readStreamValue(end);
  const headForm = readHead(valueAt);
  if (headForm === OTHER || stored >= <u32>(end - bytes)) return false;
  next = bytes + stored;
  if (load<u8>(next) === OPCODE_AUX) return false;
  return layout === STRING ? readString(headForm) : readBlob(layout, headForm);
}

/** Reads of the string whose head was read last what it spells and holds. */
@inline
function readString(headForm: i32): bool {
  count = 1;
  width = 0;
  if (headForm === INTEGER) {
    width = 1;
    valueBytes = textLength(integer);
  } else {
    if (logical >= contentFrom && !findContent(headForm)) return false;
    valueBytes = logical;
    if (headForm === RAW && logical <= LONGEST_INTEGER_TEXT) width = integerWidth(bytes, logical);
    if (width > widestInteger) width = 0;
  }
  payload = largest = <f64>valueBytes;
  return true;
}

/** Finds the first bytes of a long string; false when it is damaged, or too long. */
function findContent(headForm: i32): bool {
  if (headForm === RAW) {
    contentAt = bytes;
  } else {
    contentAt = inflatePrefix(bytes, bytes + stored, CONTENT_BYTES);
  }
  return contentAt !== 0 && logical <= <u32>MAX_VALUE_BYTES;
}

/** Reads how many elements a blob has whose head was read last. */
@inline
function readBlob(layout: i32, headForm: i32): bool {
  width = 0;
  if (headForm === INTEGER || logical > <u32>MAX_VALUE_BYTES) return false;
  valueBytes = logical;
  const elements = announcedElements(layout, headForm, bytes, stored, logical);
  const isPairs = (form & PAIRS) !== 0;
  count = isPairs ? elements >> 1 : elements;
  if (count > load<i32>(KEPT_UP_TO + (<usize>typeCode << 2))) return false;
  return elements > 0 && (!isPairs || (elements & 1) === 0);
}

@inline
function readElements(end: usize): bool {
  width = 0;
  valueBytes = 0;
  if (!readLength(valueAt)) return false;
  count = <i32>stored;
  next = passElements(table(), count, bytes, end);
  payload = <f64>payloadPassed;
  largest = <f64>largestPassed;
  return isBehind(end);
}

function readStreamValue(end: usize): bool {
  width = 0;
  valueBytes = 0;
  next = readStream(valueAt, end, form / VERSION);
  if (entries > <u64>i32.MAX_VALUE) return false;
  count = <i32>entries;
  return isBehind(end);
}

/** Whether the next record is at hand, and is none that belongs to this one. */
@inline
function isBehind(end: usize): bool {
  return next !== 0 && next < end && load<u8>(next) !== OPCODE_AUX;
}
