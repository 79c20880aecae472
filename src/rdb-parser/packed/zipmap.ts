import type { StringBytes } from '../string.js';
import type { PackedCursor } from './cursor.js';
import { setText } from './element.js';

/*
 * Zipmap: a count byte, pairs of key and value, 0xff. A length is one byte, or 254 and a u32; behind a value's length
 * stands how many unused bytes follow the value. Source: zipmap.c (Redis 7.2).
 */

const END = 0xff;
const LONG_LENGTH = 254;
const VALUE_TURN = 1;

export function openZipmap(cursor: PackedCursor): void {
  cursor.announced = cursor.reader.u8();
}

export function nextInZipmap(cursor: PackedCursor, keep: StringBytes | undefined, cap: number): boolean {
  const { reader } = cursor;
  const first = reader.u8();
  if (first === END) {
    if (cursor.turn === VALUE_TURN) throw cursor.fault('its last field has no value');
    if (cursor.announced < LONG_LENGTH && cursor.announced * 2 !== cursor.count) {
      throw cursor.fault(`it announces ${cursor.announced} fields and holds ${cursor.count / 2}`);
    }
    return false;
  }
  const length = first === LONG_LENGTH ? reader.u32le() : first;
  const unused = cursor.turn === VALUE_TURN ? reader.u8() : 0;
  setText(cursor, length, keep, cap);
  reader.skip(unused);
  cursor.turn = 1 - cursor.turn;
  return true;
}
