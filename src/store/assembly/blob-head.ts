// The headers of packed values. Source: redis/src/listpack.c, ziplist.c, intset.c, 7.2.

import { inflatePrefix } from '../../rdb-parser/assembly/lzf-prefix';
import { LZF } from './string-head';

// How a value is packed, if it is no ziplist; the numbers are those of record-run.ts of the folder above.
export const LISTPACK: i32 = 2;
const INTSET: i32 = 4;

const LISTPACK_HEADER: u32 = 6;
const ZIPLIST_HEADER: u32 = 10;
const INTSET_HEADER: u32 = 8;
/** A count that says that there are more than it has room for. */
const COUNT_UNKNOWN: u32 = 0xffff;

/**
 * How many elements the packed value announces whose stored bytes begin at an address; 0 when its header does not tell,
 * or is damaged.
 */
export function announcedElements(layout: i32, headForm: i32, at: usize, storedBytes: u32, blobBytes: u32): i32 {
  const headerBytes = layout === LISTPACK ? LISTPACK_HEADER : layout === INTSET ? INTSET_HEADER : ZIPLIST_HEADER;
  let header = at;
  if (headForm === LZF) {
    header = inflatePrefix(at, at + storedBytes, headerBytes);
    if (header === 0) return 0;
  } else if (storedBytes < headerBytes) return 0;
  const first = load<u32>(header);
  let elements: u32;
  if (layout === INTSET) {
    elements = load<u32>(header, 4);
    if (first !== 2 && first !== 4 && first !== 8) return 0;
    if (elements >= COUNT_UNKNOWN || blobBytes !== INTSET_HEADER + first * elements) return 0;
    return elements;
  }
  elements = layout === LISTPACK ? load<u16>(header, 4) : load<u16>(header, 8);
  const isWhole = first === blobBytes && blobBytes > headerBytes;
  return isWhole && elements < COUNT_UNKNOWN && elements <= blobBytes ? elements : 0;
}
