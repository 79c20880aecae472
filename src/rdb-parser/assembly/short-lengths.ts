// How many elements there are of which short length: the loops of short-lengths.ts of the folder above, for a window that
// lies in this memory. What the counts are for, and how they are kept from overflowing, is said there.

import { textLength } from './integer-text';

const LONGEST_SHORT: u32 = 0x3f;
const LENGTH_BITS: u32 = 6;
/** First bytes of integers of one and of four bytes. Source: redis/src/rdb.h RDB_ENCVAL, RDB_ENC_INT8, RDB_ENC_INT32, 7.2. */
const FIRST_INTEGER: u32 = 0xc0;
const LAST_INTEGER: u32 = 0xc2;
/** Exponent bits of a double that is infinite or no number, in its highest two bytes. */
const NO_FINITE_NUMBER: u32 = 0x7ff0;

const LENGTHS = memory.data(64 * 4, 16);
const PAIRS = memory.data(64 * 64 * 4, 16);

/** Where the first byte is that was not passed over. */
export let skimmedTo: usize = 0;

export function lengthCountsAddress(): usize {
  return LENGTHS;
}

export function pairCountsAddress(): usize {
  return PAIRS;
}

// Of the element passed last.
let length: u32 = 0;
let next: usize = 0;

/** Passes over a short string or an integer; false when it is neither, or ends beyond `end`. */
@inline
function pass(at: usize, end: usize): bool {
  const first: u32 = load<u8>(at);
  if (first <= LONGEST_SHORT) {
    length = first;
    next = at + 1 + first;
  } else if (first >= FIRST_INTEGER && first <= LAST_INTEGER) {
    next = at + 1 + (<usize>1 << (first - FIRST_INTEGER));
    let value: i32;
    if (first === FIRST_INTEGER) value = load<i8>(at, 1);
    else if (first === LAST_INTEGER) value = load<i32>(at, 1);
    else value = load<i16>(at, 1);
    length = textLength(value);
  } else return false;
  return next <= end;
}

/** Passes over elements that stand at `[from, end)`; a few bytes behind `end` can be read. See ShortLengths.skim. */
export function skim(from: usize, end: usize, most: u32, behind: usize): u32 {
  let at = from;
  let passed: u32 = 0;
  while (passed < most && at < end && pass(at, end)) {
    next += behind;
    if (behind !== 0) {
      if (next > end || (<u32>load<u16>(next - 2) & NO_FINITE_NUMBER) === NO_FINITE_NUMBER) break;
    }
    const count = LENGTHS + (<usize>length << 2);
    store<u32>(count, load<u32>(count) + 1);
    at = next;
    passed++;
  }
  skimmedTo = at;
  return passed;
}

/** The same for pairs. */
export function skimPairs(from: usize, end: usize, most: u32): u32 {
  let at = from;
  let passed: u32 = 0;
  while (passed < most && at < end && pass(at, end)) {
    const field = length;
    if (next >= end || !pass(next, end)) break;
    const count = PAIRS + (<usize>((field << LENGTH_BITS) | length) << 2);
    store<u32>(count, load<u32>(count) + 1);
    at = next;
    passed++;
  }
  skimmedTo = at;
  return passed;
}
