// Plain collections: a count, then the elements. What such a one takes follows from how many it has and how long each
// is, if the server surely keeps it as a table; the figures come from the memory model, see TableCosts there and
// key-figures.ts of the folder above.

import { textLength } from '../../rdb-parser/assembly/integer-text';
import { reserve } from './memory';
import { LEFT_KIND } from './shapes';
import { bytes, INTEGER, integer, integerWidth, logical, OTHER, RAW, readHead, stored } from './string-head';

/** Tables: of members, of members with scores, of fields with values. */
const TABLES: usize = 3;
const SCORED: i32 = 1;
const PAIRS: i32 = 2;

/** Larger ones are the decoder's, which reads many elements as fast. */
const MOST_ELEMENTS: i32 = 4096;
/** Longer elements, and longer fields and values, are the decoder's. Also in key-figures.ts of the folder above. */
const LONGEST_ELEMENT: u32 = 1024;
const SHORT_BITS: u32 = 6;
const LONGEST_SHORT: u32 = (1 << SHORT_BITS) - 1;
/** Room for what elements cost: by length, or by a field's and its value's. */
const COSTS: usize = 1 << (2 * SHORT_BITS);

/** Source: sizeof(robj), object.c objectComputeSize (Redis 7.2); as in memory/sampling.ts. */
const OBJECT_BYTES: f64 = 16;
/** Exponent bits of a double that is infinite or no number, in its highest two bytes. */
const NO_FINITE_NUMBER: u32 = 0x7ff0;

const NEVER: i32 = i32.MAX_VALUE;
/** Not told yet. */
export const UNTOLD: f64 = -1;

let costs: usize = 0;
/** By count: what a table takes, and what of it counts as its elements'. */
let counts: usize = 0;
const COUNTS_BYTES: usize = (<usize>MOST_ELEMENTS + 1) * 16;

// Of each table.
const SURELY_FROM = memory.data(3 * 4, 4);
const SURELY_WITH_TEXT_FROM = memory.data(3 * 4, 4);
const KINDS = memory.data(3 * 4, 4);
const OWN_BYTES = memory.data(3 * 8, 8);
const SAMPLED = memory.data(3 * 4, 4);

// Of the elements passed last.
export let payloadBytes: i32 = 0;
export let largest: i32 = 0;
let elementBytes: f64 = 0;

export function initElements(): void {
  costs = reserve(TABLES * COSTS * 8);
  counts = reserve(TABLES * COUNTS_BYTES);
  for (let table = 0; table < <i32>TABLES; table++) forgetTable(table);
}

/** Where what a table's elements cost is to be put. */
export function elementCostsAddress(table: i32): usize {
  return costs + <usize>table * COSTS * 8;
}

/** Another server's tables cost something else; until it is told, they are left to the decoder. */
export function forgetTable(table: i32): void {
  store<i32>(fieldOf(SURELY_FROM, table), NEVER);
  store<i32>(fieldOf(SURELY_WITH_TEXT_FROM, table), NEVER);
  store<i32>(fieldOf(KINDS, table), LEFT_KIND);
  const at = counts + <usize>table * COUNTS_BYTES;
  for (let byte: usize = 0; byte < COUNTS_BYTES; byte += 8) store<f64>(at + byte, UNTOLD);
}

/** @param surelyFrom, surelyWithTextFrom, ownBytes, sampled see TableCosts of the memory model */
export function setTable(
  table: i32,
  surelyFrom: i32,
  surelyWithTextFrom: i32,
  ownBytes: f64,
  sampled: i32,
): void {
  store<i32>(fieldOf(SURELY_FROM, table), surelyFrom);
  store<i32>(fieldOf(SURELY_WITH_TEXT_FROM, table), surelyWithTextFrom);
  store<f64>(OWN_BYTES + (<usize>table << 3), ownBytes);
  store<i32>(fieldOf(SAMPLED, table), sampled);
}

/** What a table of so many elements takes. */
export function setTableCount(table: i32, count: i32, fixedBytes: f64, entriesBytes: f64): void {
  const at = countAt(table, count);
  store<f64>(at, fixedBytes);
  store<f64>(at, entriesBytes, 8);
}

/** The kind of key that such a table is. */
export function setTableKind(table: i32, kind: i32): void {
  store<i32>(fieldOf(KINDS, table), kind);
}

export function kindOfTable(table: i32): i32 {
  return load<i32>(fieldOf(KINDS, table));
}

/**
 * Passes over the elements that begin at an address, reading up to 72 bytes behind `end`; returns where what is behind them begins, 0 when that is not before
 * `end`, when the elements are not ordinary, and when the collection may be anything but a table.
 */
export function passElements(table: i32, count: i32, from: usize, end: usize): usize {
  if (count < 1 || count > MOST_ELEMENTS) return 0;
  let texts = 0;
  if (count < load<i32>(fieldOf(SURELY_FROM, table))) {
    if (count < load<i32>(fieldOf(SURELY_WITH_TEXT_FROM, table))) return 0;
    texts = min(count, 2);
  }
  payloadBytes = largest = 0;
  elementBytes = 0;
  if (table === PAIRS) return passPairs(count, from, end);
  if (texts > 0 && !areTexts(texts, from, end)) return 0;
  return passMembers(table, count, from, end);
}

/** What the collection takes whose elements were passed last; UNTOLD when that was not told for its count. */
export function tableBytes(table: i32, count: i32): f64 {
  const at = countAt(table, count);
  const fixed = load<f64>(at);
  if (fixed === UNTOLD) return UNTOLD;
  const elements = elementBytes + load<f64>(at, 8);
  const own = load<f64>(OWN_BYTES + (<usize>table << 3));
  if (load<i32>(fieldOf(SAMPLED, table)) === 0) return own + (fixed + elements);
  return own + (floor(OBJECT_BYTES + fixed + (elements / <f64>count) * <f64>count) - OBJECT_BYTES);
}

function passMembers(table: i32, count: i32, from: usize, end: usize): usize {
  const costsAt = elementCostsAddress(table);
  let at = from;
  let sum: f64 = 0;
  let payload: u32 = 0;
  let longest: u32 = 0;
  for (let i = 0; i < count; i++) {
    if (at >= end) return 0;
    let length: u32 = load<u8>(at);
    if (length <= LONGEST_SHORT) at += 1 + length;
    else {
      at = passString(at, end);
      if (at === 0) return 0;
      length = stringBytes;
    }
    if (table === SCORED) {
      if ((load<u16>(at, 6) & NO_FINITE_NUMBER) === NO_FINITE_NUMBER) return 0;
      at += 8;
    }
    sum += load<f64>(costsAt + (<usize>length << 3));
    payload += length;
    longest = max(longest, length);
  }
  elementBytes = sum;
  payloadBytes = payload;
  largest = longest;
  return at;
}

function passPairs(count: i32, from: usize, end: usize): usize {
  const costsAt = elementCostsAddress(PAIRS);
  let at = from;
  let sum: f64 = 0;
  let payload: u32 = 0;
  let longest: u32 = 0;
  for (let i = 0; i < count; i++) {
    at = passString(at, end);
    if (at === 0) return 0;
    const field = stringBytes;
    at = passString(at, end);
    if (at === 0) return 0;
    const value = stringBytes;
    if ((field | value) > LONGEST_SHORT) return 0;
    sum += load<f64>(costsAt + (<usize>((field << SHORT_BITS) | value) << 3));
    payload += field + value;
    longest = max(longest, max(field, value));
  }
  elementBytes = sum;
  payloadBytes = payload;
  largest = longest;
  return at;
}

/** Length of the string passed last. */
let stringBytes: u32 = 0;

/** Passes over one string; returns where what is behind it begins, 0 when it ends beyond `end`, or is not ordinary. */
@inline
function passString(at: usize, end: usize): usize {
  if (at >= end) return 0;
  const form = readHead(at);
  if (form === OTHER || bytes > end || stored > <u32>(end - bytes)) return 0;
  stringBytes = form === INTEGER ? <u32>textLength(integer) : logical;
  return stringBytes > LONGEST_ELEMENT ? 0 : bytes + stored;
}

/** Whether the first `texts` elements are no integers. */
function areTexts(texts: i32, from: usize, end: usize): bool {
  let at = from;
  for (let i = 0; i < texts; i++) {
    if (at >= end) return false;
    const form = readHead(at);
    if (form === INTEGER || form === OTHER || bytes > end || stored > <u32>(end - bytes)) return false;
    if (form === RAW && integerWidth(bytes, stored) !== 0) return false;
    at = bytes + stored;
  }
  return true;
}

@inline
function fieldOf(field: usize, table: i32): usize {
  return field + (<usize>table << 2);
}

@inline
function countAt(table: i32, count: i32): usize {
  return counts + <usize>table * COUNTS_BYTES + (<usize>count << 4);
}
