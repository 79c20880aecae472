import { decimalLength, integerClassOf } from '../integer-class.js';
import type { StringBytes } from '../string.js';
import type { PackedCursor } from './cursor.js';
import { integerText, setInteger64, setText } from './element.js';

/*
 * Ziplist: u32 total bytes, u32 offset of the last entry, u16 entry count, entries, 0xff. An entry is the length of the
 * one before it, an encoding byte, data. Source: ziplist.c (Redis 6.2).
 */

const END = 0xff;
const LONG_PREVIOUS = 0xfe;
const COUNT_UNKNOWN = 0xffff;

export function openZiplist(cursor: PackedCursor): void {
  const { reader } = cursor;
  const total = reader.u32le();
  if (total !== cursor.blobBytes) throw cursor.fault(`it says ${total} bytes, it has ${cursor.blobBytes}`);
  const last = reader.u32le();
  if (last >= total) throw cursor.fault(`its last entry is said to be at byte ${last} of ${total}`);
  cursor.announced = reader.u16le();
}

export function nextInZiplist(cursor: PackedCursor, keep: StringBytes | undefined, cap: number): boolean {
  const { reader } = cursor;
  const previous = reader.u8();
  if (previous === END) {
    if (cursor.announced !== COUNT_UNKNOWN && cursor.announced !== cursor.count) {
      throw cursor.fault(`it announces ${cursor.announced} entries and holds ${cursor.count}`);
    }
    return false;
  }
  if (previous === LONG_PREVIOUS) reader.skip(4);
  const encoding = reader.u8();
  if (encoding < 0x40) setText(cursor, encoding, keep, cap);
  else if (encoding < 0x80) setText(cursor, ((encoding & 0x3f) << 8) | reader.u8(), keep, cap);
  else if (encoding < 0xc0) setText(cursor, reader.u32be(), keep, cap);
  else {
    readInteger(cursor, encoding);
    keep?.setText(integerText(cursor));
  }
  return true;
}

function readInteger(cursor: PackedCursor, encoding: number): void {
  const { reader } = cursor;
  let value: number;
  switch (encoding) {
    case 0xc0:
      value = (reader.u16le() << 16) >> 16;
      break;
    case 0xd0:
      value = reader.u32le() | 0;
      break;
    case 0xe0:
      setInteger64(cursor);
      return;
    case 0xf0:
      value = ((reader.u16le() << 8) | (reader.u8() << 24)) >> 8;
      break;
    case 0xfe:
      value = (reader.u8() << 24) >> 24;
      break;
    default:
      if (encoding < 0xf1 || encoding > 0xfd)
        throw cursor.fault(`0x${encoding.toString(16)} starts no entry`);
      value = (encoding & 0x0f) - 1;
  }
  cursor.setInteger(value, integerClassOf(value), decimalLength(value));
}
