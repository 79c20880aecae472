import type { IntegerClass } from '../rdb-parser/records.js';

/** u32 width, u32 count. Source: intset.h (Redis 7.2). */
const HEADER_BYTES = 8;

/** Bytes per integer of an intset whose widest member has the class. Source: intset.c, `_intsetValueEncoding` (7.2). */
const WIDTH_BYTES = Uint8Array.of(0, 2, 2, 2, 2, 2, 4, 4, 8);

/** @param widest the highest class among the members */
export function intsetBytes(count: number, widest: IntegerClass): number {
  return HEADER_BYTES + WIDTH_BYTES[widest]! * count;
}
