import { describe, expect, it } from 'vitest';
import { XxHash32, xxHash32 } from '../../src/source/xxhash32.js';
import { snapshotBytes } from './reading.js';

describe('XXH32', () => {
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('of %j is what other implementations say', (text, expected) => {
    expect(xxHash32(Buffer.from(text))).toBe(expected);
  });

  it('does not depend on how the bytes come', () => {
    const bytes = snapshotBytes(1000);
    for (const step of [1, 3, 16, 17, 100]) {
      const hash = new XxHash32();
      for (let at = 0; at < bytes.length; at += step) hash.update(bytes.subarray(at, at + step));
      expect(hash.digest()).toBe(xxHash32(bytes));
    }
  });
});
