import { describe, expect, it } from 'vitest';
import { intsetBytes } from '../../src/memory/intset.js';
import { EMPTY_LISTPACK_BYTES, listpackEntryBytes } from '../../src/memory/listpack.js';
import { ZiplistSum } from '../../src/memory/ziplist.js';
import { INTEGER_CLASS } from '../../src/rdb-parser/index.js';

function ziplistOf(
  ...entries: readonly (readonly [length: number, integer: keyof typeof INTEGER_CLASS])[]
): number {
  const sum = new ZiplistSum();
  for (const [length, integer] of entries) sum.add(length, INTEGER_CLASS[integer]);
  return sum.bytes;
}

describe('a listpack', () => {
  it('takes encoding, data and back length per element', () => {
    expect(EMPTY_LISTPACK_BYTES).toBe(7);
    expect(
      [0, 1, 63, 64, 125, 126, 4095, 4096, 20000].map((length) => listpackEntryBytes(length, 0)),
    ).toEqual([2, 3, 65, 67, 128, 130, 4099, 4103, 20008]);
  });

  it('holds integers in 1 to 9 bytes', () => {
    const { to12, to127, int8, int13, int16, int24, int32, int64 } = INTEGER_CLASS;
    const classes = [to12, to127, int8, int13, int16, int24, int32, int64];
    expect(classes.map((integer) => listpackEntryBytes(1, integer))).toEqual([2, 2, 3, 3, 4, 5, 6, 10]);
  });
});

describe('a ziplist', () => {
  it('is 11 bytes when empty', () => {
    expect(ziplistOf()).toBe(11);
  });

  it('spends 1 byte, or 5 behind an entry of 254, on the previous length', () => {
    expect(ziplistOf([250, 'none'], [1, 'none'])).toBe(11 + 253 + 3);
    expect(ziplistOf([251, 'none'], [1, 'none'])).toBe(11 + 254 + 7);
  });

  it('holds integers in 0 to 8 bytes and longer texts with longer lengths', () => {
    expect(ziplistOf([1, 'to12'])).toBe(11 + 2);
    expect(ziplistOf([3, 'to127'])).toBe(11 + 3);
    expect(ziplistOf([10, 'int64'])).toBe(11 + 10);
    expect(ziplistOf([64, 'none'])).toBe(11 + 67);
    expect(ziplistOf([16384, 'none'])).toBe(11 + 6 + 16384);
  });
});

describe('an intset', () => {
  it('is as wide as its widest member', () => {
    expect(intsetBytes(5, INTEGER_CLASS.int16)).toBe(18);
    expect(intsetBytes(5, INTEGER_CLASS.int24)).toBe(28);
    expect(intsetBytes(5, INTEGER_CLASS.int64)).toBe(48);
  });
});
