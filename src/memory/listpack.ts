import type { IntegerClass } from '../rdb-parser/records.js';

/** u32 total bytes, u16 count, end mark. Source: listpack.c, LP_HDR_SIZE, LP_EOF (Redis 7.0). */
export const EMPTY_LISTPACK_BYTES = 7;

/** Encoding byte, data and back length of an integer, by class. Source: listpack.c, `lpEncodeIntegerGetType` (7.0). */
const INTEGER_ENTRY_BYTES = Uint8Array.of(0, 2, 2, 3, 3, 4, 5, 6, 10);

/** Bytes that one element takes in a listpack, its back length included. */
export function listpackEntryBytes(length: number, integer: IntegerClass): number {
  if (integer !== 0) return INTEGER_ENTRY_BYTES[integer]!;
  return length < 64 ? length + 2 : longEntryBytes(length);
}

/** Source: listpack.c, `lpEncodeGetType`, `lpEncodeBacklenBytes` (Redis 7.0). */
function longEntryBytes(length: number): number {
  const body = length < 4096 ? 2 + length : 5 + length;
  if (body < 2 ** 7) return body + 1;
  if (body < 2 ** 14 - 1) return body + 2;
  if (body < 2 ** 21 - 1) return body + 3;
  return body < 2 ** 28 - 1 ? body + 4 : body + 5;
}
