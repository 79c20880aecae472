// Words that are ids, and the marks that stand for them in a segment's canonical bytes.

import { byteAt, classOf, DIGIT, HEX_LETTER, isDigitAt, isWordAt, key, length } from './key';

// The numbers are those of PLACEHOLDER in key-pattern.ts.
export const ID_NUMBER: i32 = 2;
export const ID_UUID: i32 = 3;
const ID_HEX: i32 = 4;
const ID_DATE: i32 = 5;
const ID_SHORT_DATE: i32 = 6;
const ID_ADDRESS: i32 = 7;

/** Shortest run of hexadecimal digits that is taken for an id. */
const HEX_ID_DIGITS: i32 = 8;
/** Shortest run of digits at the end of a word that is taken for an id: `v2`, `db0`, `sha256` are names. */
const TRAILING_ID_DIGITS: i32 = 4;
const UUID_BYTES: i32 = 36;
const DATE_BYTES: i32 = 10;

const DASH: i32 = 0x2d;
const DOT: i32 = 0x2e;

/** The kind of id that a word `[from, to)` of hexadecimal digits is or begins; 0 for none. */
export function idKind(from: i32, to: i32, classes: u32): i32 {
  const wordBytes = to - from;
  const next = byteAt(to);
  if (wordBytes === 8 && next === DASH && isUuid(from)) return ID_UUID;
  if ((classes & HEX_LETTER) !== 0) {
    return (classes & DIGIT) !== 0 && wordBytes >= HEX_ID_DIGITS ? ID_HEX : 0;
  }
  if (wordBytes === 4 && next === DASH && isDate(from)) return ID_DATE;
  if (wordBytes <= 3 && next === DOT && addressEnd(from) > 0) return ID_ADDRESS;
  if (wordBytes === 8 && isPlausibleDay(number(from, 4), number(from + 4, 2), number(from + 6, 2))) {
    return ID_SHORT_DATE;
  }
  return ID_NUMBER;
}

/** Where an id of that kind ends whose first word is `[from, to)`. */
@inline
export function idEnd(kind: i32, from: i32, to: i32): i32 {
  if (kind === ID_UUID) return from + UUID_BYTES;
  if (kind === ID_DATE) return from + DATE_BYTES;
  return kind === ID_ADDRESS ? addressEnd(from) : to;
}

/** Where the digits begin that end a word (`order20417`) when they are an id, else `to`. */
export function trailingIdStart(from: i32, to: i32): i32 {
  let at = to;
  while (at > from && isDigitAt(at - 1)) at--;
  return to - at >= TRAILING_ID_DIGITS ? at : to;
}

/** 8-4-4-4-12 hexadecimal digits, with no further letter or digit behind them. */
function isUuid(from: i32): bool {
  const to = from + UUID_BYTES;
  if (to > length || isWordAt(to)) return false;
  const at = key + from;
  const dashes =
    (<i32>load<u8>(at, 8) ^ DASH) |
    (<i32>load<u8>(at, 13) ^ DASH) |
    (<i32>load<u8>(at, 18) ^ DASH) |
    (<i32>load<u8>(at, 23) ^ DASH);
  if (dashes !== 0) return false;
  return hexDigits(at) + hexDigits(at + 16) + hexDigits(at + 20) === 16 + 16 + 16 - 4 - 1;
}

/** How many of 16 bytes are hexadecimal digits. */
@inline
function hexDigits(at: usize): i32 {
  const bytes = v128.load(at);
  const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
  const lower = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
  return popcnt(i8x16.bitmask(v128.or(isDigit, i8x16.lt_u(lower, i8x16.splat(6)))));
}

/** `2026-11-30`. */
function isDate(from: i32): bool {
  if (from + DATE_BYTES > length || isDigitAt(from + DATE_BYTES) || byteAt(from + 7) !== DASH) return false;
  return isPlausibleDay(number(from, 4), number(from + 5, 2), number(from + 8, 2));
}

function isPlausibleDay(year: i32, month: i32, day: i32): bool {
  return year >= 1970 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Where a dotted IPv4 address that starts at `from` ends, 0 when there is none. */
function addressEnd(from: i32): i32 {
  let at = from;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && byteAt(at++) !== DOT) return 0;
    const start = at;
    let value = 0;
    while (at - start < 4 && isDigitAt(at)) value = value * 10 + byteAt(at++) - 0x30;
    if (at === start || at - start > 3 || value > 255) return 0;
  }
  // `1.2.3.4.5` and `1.2.3.4x` are something else.
  const goesOn = isWordAt(at) || (byteAt(at) === DOT && isDigitAt(at + 1));
  const wentOn = from > 1 && byteAt(from - 1) === DOT && isDigitAt(from - 2);
  return goesOn || wentOn ? 0 : at;
}

/** The number that `count` bytes of the key spell, -1 when one is no digit. */
function number(from: i32, count: i32): i32 {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    if ((classOf(at) & DIGIT) === 0) return -1;
    value = value * 10 + byteAt(at) - 0x30;
  }
  return value;
}
