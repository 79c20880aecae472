import { INTEGER_CLASS, type IntegerClass } from './records.js';

/** Longest decimal text of a signed 64-bit integer. */
const LONGEST_INT64 = 20;

/** The class of an integer up to 2^53 in size. */
export function integerClassOf(value: number): IntegerClass {
  if (value >= 0) {
    if (value <= 12) return INTEGER_CLASS.to12;
    if (value <= 127) return INTEGER_CLASS.to127;
  } else if (value >= -128) return INTEGER_CLASS.int8;
  if (value >= -4096 && value <= 4095) return INTEGER_CLASS.int13;
  if (value >= -(2 ** 15) && value < 2 ** 15) return INTEGER_CLASS.int16;
  if (value >= -(2 ** 23) && value < 2 ** 23) return INTEGER_CLASS.int24;
  if (value >= -(2 ** 31) && value < 2 ** 31) return INTEGER_CLASS.int32;
  return INTEGER_CLASS.int64;
}

/**
 * The class of the integer that `bytes[at .. at + length)` spells, `none` when it is no canonical signed 64-bit
 * decimal: no plus sign, no leading zeros, no `-0`. Source: util.c string2ll (Redis 7.2).
 */
export function integerClassOfText(bytes: Uint8Array, at: number, length: number): IntegerClass {
  if (length === 0 || length > LONGEST_INT64) return INTEGER_CLASS.none;
  let i = at;
  const end = at + length;
  const negative = bytes[i] === MINUS;
  if (negative) i++;
  const first = bytes[i]!;
  if (i === end || first < ZERO || first > NINE) return INTEGER_CLASS.none;
  if (first === ZERO) return length === 1 ? INTEGER_CLASS.to12 : INTEGER_CLASS.none;
  const digits = end - i;
  const digitsStart = i;
  let value = 0;
  for (; i < end; i++) {
    const byte = bytes[i]!;
    if (byte < ZERO || byte > NINE) return INTEGER_CLASS.none;
    value = value * 10 + (byte - ZERO);
  }
  if (digits <= 15) return integerClassOf(negative ? -value : value);
  if (digits > 19) return INTEGER_CLASS.none;
  if (digits === 19 && !fitsInt64(bytes, digitsStart, negative)) return INTEGER_CLASS.none;
  return INTEGER_CLASS.int64;
}

/** How many characters an integer's decimal text has. */
export function decimalLength(value: number): number {
  let length = value < 0 ? 2 : 1;
  const size = Math.abs(value);
  for (let power = 10; power <= size; power *= 10) length++;
  return length;
}

/** The same for a signed 64-bit integer given as two 32-bit halves, exactly. */
export function decimalLength64(high: number, low: number): number {
  const negative = high >> 31 !== 0;
  let top = high >>> 0;
  let bottom = low >>> 0;
  if (negative) {
    bottom = -bottom >>> 0;
    top = (~top + (bottom === 0 ? 1 : 0)) >>> 0;
  }
  const sign = negative ? 1 : 0;
  if (top < 2 ** 21) return sign + decimalLength(top * 2 ** 32 + bottom);
  let length = 16;
  for (const [powerHigh, powerLow] of POWERS_OF_TEN_16_TO_19) {
    if (top < powerHigh || (top === powerHigh && bottom < powerLow)) break;
    length++;
  }
  return sign + length;
}

/** 10^16 .. 10^19 as 32-bit halves. */
const POWERS_OF_TEN_16_TO_19 = [16n, 17n, 18n, 19n].map(
  (exponent) => [Number((10n ** exponent) >> 32n), Number((10n ** exponent) & 0xffffffffn)] as const,
);

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const MAX_INT64 = new TextEncoder().encode('9223372036854775807');
const MIN_INT64 = new TextEncoder().encode('9223372036854775808');

/** Whether 19 digits stay within the signed 64-bit range. */
function fitsInt64(bytes: Uint8Array, at: number, negative: boolean): boolean {
  const bound = negative ? MIN_INT64 : MAX_INT64;
  for (let i = 0; i < bound.length; i++) {
    const difference = bytes[at + i]! - bound[i]!;
    if (difference !== 0) return difference < 0;
  }
  return true;
}
