import { decimalLength, integerClassOf } from '../integer-class.js';
import type { StringBytes } from '../string.js';
import type { PackedCursor } from './cursor.js';
import { integerText, setInteger64, setText } from './element.js';

/*
 * Listpack: u32 total bytes, u16 element count, elements, 0xff. An element is an encoding byte, data, and its own size
 * written to be read backwards. Source: listpack.c (Redis 7.2).
 */

const END = 0xff;
const HEADER_BYTES = 6;
const COUNT_UNKNOWN = 0xffff;

export function openListpack(cursor: PackedCursor): void {
  const { reader } = cursor;
  const total = reader.u32le();
  if (total !== cursor.blobBytes) throw cursor.fault(`it says ${total} bytes, it has ${cursor.blobBytes}`);
  cursor.announced = reader.u16le();
  if (cursor.blobBytes <= HEADER_BYTES) throw cursor.fault('it has no end mark');
}

export function nextInListpack(cursor: PackedCursor, keep: StringBytes | undefined, cap: number): boolean {
  const { reader } = cursor;
  const start = cursor.position;
  const first = reader.u8();
  if (first < 0x80) {
    cursor.setInteger(first, integerClassOf(first), decimalLength(first));
  } else if (first < 0xc0) {
    setText(cursor, first & 0x3f, keep, cap);
  } else if (first < 0xe0) {
    const unsigned = ((first & 0x1f) << 8) | reader.u8();
    const value = unsigned >= 4096 ? unsigned - 8192 : unsigned;
    cursor.setInteger(value, integerClassOf(value), decimalLength(value));
  } else if (first < 0xf0) {
    setText(cursor, ((first & 0x0f) << 8) | reader.u8(), keep, cap);
  } else if (first === END) {
    checkCount(cursor);
    return false;
  } else wide(cursor, first, keep, cap);
  if (cursor.isInteger) keep?.setText(integerText(cursor));
  checkBackLength(cursor, cursor.position - start);
  return true;
}

/** Encodings 0xf0..0xf4: long strings and integers of 16 to 64 bits. */
function wide(cursor: PackedCursor, first: number, keep: StringBytes | undefined, cap: number): void {
  const { reader } = cursor;
  let value: number;
  switch (first) {
    case 0xf0:
      setText(cursor, reader.u32le(), keep, cap);
      return;
    case 0xf1:
      value = (reader.u16le() << 16) >> 16;
      break;
    case 0xf2:
      value = ((reader.u16le() << 8) | (reader.u8() << 24)) >> 8;
      break;
    case 0xf3:
      value = reader.u32le() | 0;
      break;
    case 0xf4:
      setInteger64(cursor);
      return;
    default:
      throw cursor.fault(`0x${first.toString(16)} starts no element`);
  }
  cursor.setInteger(value, integerClassOf(value), decimalLength(value));
}

function checkCount(cursor: PackedCursor): void {
  if (cursor.announced !== COUNT_UNKNOWN && cursor.announced !== cursor.count) {
    throw cursor.fault(`it announces ${cursor.announced} elements and holds ${cursor.count}`);
  }
}

/** The element's size stands behind it, seven bits a byte, the highest first. Source: listpack.c lpEncodeBacklen. */
function checkBackLength(cursor: PackedCursor, size: number): void {
  const { reader } = cursor;
  const bytes = size <= 127 ? 1 : size < 16383 ? 2 : size < 2097151 ? 3 : size < 268435455 ? 4 : 5;
  let told = 0;
  for (let i = 0; i < bytes; i++) told = told * 128 + (reader.u8() & 0x7f);
  if (told !== size) throw cursor.fault(`an element of ${size} bytes says it has ${told}`);
}
