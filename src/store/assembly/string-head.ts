// What stands before a string's bytes in the file: its length, an integer, or LZF. Only what the decoder's window holds
// whole. Source: redis/src/rdb.c rdbLoadLenByRef, rdbLoadIntegerObject, rdbLoadLzfStringObject, 7.2.

/** Most bytes that a head takes: a mark and two lengths of five bytes. An integer is all head. */
export const HEAD_BYTES: usize = 11;

export const RAW: i32 = 0;
export const INTEGER: i32 = 1;
export const LZF: i32 = 2;
/** Lengths of 64 bits, unknown forms: for the decoder. */
export const OTHER: i32 = 3;

/** The first stored byte. */
export let bytes: usize = 0;
/** Stored bytes; 0 for an integer. */
export let stored: u32 = 0;
/** Length of the logical string, of a raw or compressed one. */
export let logical: u32 = 0;
export let integer: i32 = 0;

/** Reads the head at an address, HEAD_BYTES of which can be read; returns the string's form. */
export function readHead(at: usize): i32 {
  const first: u32 = load<u8>(at);
  if (first < 0xc0) {
    if (!readLength(at)) return OTHER;
    logical = stored;
    return RAW;
  }
  stored = 0;
  if (first === 0xc0) {
    integer = load<i8>(at, 1);
    bytes = at + 2;
    return INTEGER;
  }
  if (first === 0xc1) {
    integer = load<i16>(at, 1);
    bytes = at + 3;
    return INTEGER;
  }
  if (first === 0xc2) {
    integer = load<i32>(at, 1);
    bytes = at + 5;
    return INTEGER;
  }
  if (first !== 0xc3 || !readLength(at + 1)) return OTHER;
  const compressed = stored;
  if (!readLength(bytes)) return OTHER;
  logical = stored;
  stored = compressed;
  return LZF;
}

/** Reads a length into `stored`; false for one that is none, or has 64 bits. */
@inline
export function readLength(at: usize): bool {
  const first: u32 = load<u8>(at);
  if (first < 0x40) {
    stored = first;
    bytes = at + 1;
    return true;
  }
  if (first < 0x80) {
    stored = ((first & 0x3f) << 8) | load<u8>(at, 1);
    bytes = at + 2;
    return true;
  }
  if (first !== 0x80) return false;
  stored = bswap<u32>(load<u32>(at, 1));
  bytes = at + 5;
  return true;
}

/** Longest decimal text of a signed 64-bit integer. */
export const LONGEST_INTEGER_TEXT: u32 = 20;

/**
 * How wide the integer is that text spells: 0 when it is no canonical signed 64-bit decimal, 1 up to 32 bits, 2 for
 * more. Source: redis/src/util.c string2ll, 7.2.
 */
export function integerWidth(text: usize, length: u32): u32 {
  if (length === 0 || length > LONGEST_INTEGER_TEXT) return 0;
  const negative = load<u8>(text) === 0x2d;
  let at = text + (negative ? 1 : 0);
  const end = text + length;
  const digits = <i32>(end - at);
  if (digits === 0 || digits > 19) return 0;
  const first: u32 = load<u8>(at) - 0x30;
  if (first > 9) return 0;
  if (first === 0) return length === 1 ? 1 : 0;
  // 19 digits fit into an unsigned number of 64 bits.
  let size: u64 = 0;
  for (; at < end; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) return 0;
    size = size * 10 + digit;
  }
  const most: u64 = negative ? (<u64>1) << 63 : ((<u64>1) << 63) - 1;
  if (size > most) return 0;
  return size <= (negative ? <u64>0x80000000 : <u64>0x7fffffff) ? 1 : 2;
}
