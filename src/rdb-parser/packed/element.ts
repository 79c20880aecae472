import { decimalLength64, integerClassOf, integerClassOfText } from '../integer-class.js';
import { INTEGER_CLASS } from '../records.js';
import type { StringBytes } from '../string.js';
import type { PackedCursor } from './cursor.js';

/** Longest text that may spell a 64-bit integer. */
const LONGEST_INTEGER_TEXT = 20;

/** The element at hand is `length` bytes of text that come next; passes over them, keeping them when asked. */
export function setText(
  cursor: PackedCursor,
  length: number,
  keep: StringBytes | undefined,
  cap: number,
): void {
  const { reader } = cursor;
  cursor.isInteger = false;
  cursor.length = length;
  cursor.integer = INTEGER_CLASS.none;
  if (length <= LONGEST_INTEGER_TEXT) {
    reader.ensure(length);
    cursor.integer = integerClassOfText(reader.buffer, reader.pos, length);
  }
  if (keep !== undefined) keep.readRaw(reader, length, cap);
  else reader.skip(length);
}

/** The element at hand is a little-endian signed 64-bit integer that comes next. */
export function setInteger64(cursor: PackedCursor): void {
  const low = cursor.reader.u32le();
  const high = cursor.reader.u32le() | 0;
  const value = high * 2 ** 32 + low;
  cursor.setInteger(value, integerClassOf(value), decimalLength64(high, low));
  cursor.high = high;
  cursor.low = low | 0;
}

/** The decimal text of the integer at hand. */
export function integerText(cursor: PackedCursor): string {
  if (Number.isSafeInteger(cursor.value)) return String(cursor.value);
  return String((BigInt(cursor.high | 0) << 32n) | BigInt(cursor.low >>> 0));
}
