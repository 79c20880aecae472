import type { IntegerClass } from '../rdb-parser/records.js';

/** u32 total bytes, u32 last offset, u16 count, end mark. Source: ziplist.c, ZIPLIST_HEADER_SIZE, ZIP_END (6.2). */
const EMPTY_ZIPLIST_BYTES = 11;

/** Encoding byte and data of an integer, by class. Source: ziplist.c, `zipTryEncoding`, `zipIntSize` (Redis 6.2). */
const INTEGER_ENTRY_BYTES = Uint8Array.of(0, 1, 2, 2, 3, 3, 4, 5, 9);

/** Adds up a ziplist's bytes; how long an entry's first part is depends on the entry before it. */
export class ZiplistSum {
  bytes = EMPTY_ZIPLIST_BYTES;
  private previousBytes = 0;

  reset(): void {
    this.bytes = EMPTY_ZIPLIST_BYTES;
    this.previousBytes = 0;
  }

  add(length: number, integer: IntegerClass): void {
    const previousLengthBytes = this.previousBytes < 254 ? 1 : 5;
    const entry = previousLengthBytes + ziplistBodyBytes(length, integer);
    this.bytes += entry;
    this.previousBytes = entry;
  }
}

/** Bytes of encoding and data. Source: ziplist.c, `zipStoreEntryEncoding` (Redis 6.2). */
function ziplistBodyBytes(length: number, integer: IntegerClass): number {
  if (integer !== 0) return INTEGER_ENTRY_BYTES[integer]!;
  if (length < 2 ** 6) return length + 1;
  return length < 2 ** 14 ? length + 2 : length + 5;
}
