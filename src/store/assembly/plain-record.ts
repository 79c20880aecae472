// Reads one record of the decoder's window that is plain: the value is one string that need not be looked into. What is
// not plain, damaged or only rare is the decoder's. Source of the layout: redis/src/rdb.c rdbSaveKeyValuePair, 7.2.

import { MAX_KEY_BYTES, MAX_VALUE_BYTES } from './shapes';
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
/** Headers of packed values. Source: redis/src/listpack.c, ziplist.c, intset.c, 7.2. */
const LISTPACK_HEADER: u32 = 6;
const ZIPLIST_HEADER: u32 = 10;
const INTSET_HEADER: u32 = 8;
/** A count that says that there are more than it has room for. */
const COUNT_UNKNOWN: u32 = 0xffff;

let earliestExpiry: f64 = 0;
let latestExpiry: f64 = 0;
let stringLimit: u32 = 0;

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
/** Where the record behind it begins. */
export let next: usize = 0;

/** @param form see the constants above */
export function setRunType(typeCode: i32, form: i32): void {
  store<u8>(TYPES + <usize>typeCode, form);
}

/** @param longestString longer ones are looked into by the decoder */
export function limitRecords(earliestExpiryMs: f64, latestExpiryMs: f64, longestString: i32): void {
  earliestExpiry = earliestExpiryMs;
  latestExpiry = latestExpiryMs;
  stringLimit = longestString;
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
    form = load<u8>(TYPES + <usize>typeCode);
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
  const headForm = readHead(valueAt);
  if (headForm === OTHER || stored >= <u32>(end - bytes)) return false;
  next = bytes + stored;
  if (load<u8>(next) === OPCODE_AUX) return false;
  width = 0;
  if (isString()) {
    count = 1;
    if (headForm === INTEGER) {
      width = 1;
      valueBytes = textLength(integer);
      return true;
    }
    if (logical >= stringLimit) return false;
    valueBytes = logical;
    if (headForm === RAW && logical <= LONGEST_INTEGER_TEXT) width = integerWidth(bytes, logical);
    return true;
  }
  if (headForm === INTEGER || logical > <u32>MAX_VALUE_BYTES) return false;
  valueBytes = logical;
  const elements = announced(form & FORM, headForm);
  const isPairs = (form & PAIRS) !== 0;
  count = isPairs ? elements >> 1 : elements;
  return elements > 0 && (!isPairs || (elements & 1) === 0);
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
