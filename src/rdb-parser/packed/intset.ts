import { decimalLength, integerClassOf } from '../integer-class.js';
import type { StringBytes } from '../string.js';
import type { PackedCursor } from './cursor.js';
import { integerText, setInteger64 } from './element.js';

/* Intset: u32 width (2, 4 or 8), u32 count, that many sorted little-endian integers. Source: intset.c (Redis 7.2). */

export function openIntset(cursor: PackedCursor): void {
  const { reader } = cursor;
  cursor.width = reader.u32le();
  cursor.announced = reader.u32le();
  if (cursor.width !== 2 && cursor.width !== 4 && cursor.width !== 8) {
    throw cursor.fault(`its integers are ${cursor.width} bytes wide`);
  }
  if (cursor.blobBytes !== 8 + cursor.width * cursor.announced) {
    throw cursor.fault(
      `${cursor.announced} integers of ${cursor.width} bytes do not fill ${cursor.blobBytes}`,
    );
  }
}

export function nextInIntset(cursor: PackedCursor, keep: StringBytes | undefined): boolean {
  if (cursor.count === cursor.announced) return false;
  const { reader } = cursor;
  const before = cursor.value;
  if (cursor.width === 8) setInteger64(cursor);
  else {
    const value = cursor.width === 2 ? (reader.u16le() << 16) >> 16 : reader.u32le() | 0;
    cursor.setInteger(value, integerClassOf(value), decimalLength(value));
  }
  if (cursor.count > 0 && cursor.value < before) throw cursor.fault('its integers are not in order');
  keep?.setText(integerText(cursor));
  return true;
}
