import { describe, expect, it } from 'vitest';
import { DigestSet } from '../../src/rdb-parser/checks/digest-set.js';
import { seededRandom } from '../seeded.js';

function digests(count: number): (readonly [number, number])[] {
  const random = seededRandom('digests');
  const word = (): number => Math.floor(random() * 2 ** 32) | 0;
  return Array.from({ length: count }, () => [word(), word()] as const);
}

describe('a digest set', () => {
  it('knows what was added, however much it grows', () => {
    const set = new DigestSet(2 ** 14);
    const all = [...digests(10_000), [0, 0] as const];
    expect(all.filter(([high, low]) => set.add(high, low))).toEqual([]);
    expect(all.filter(([high, low]) => !set.add(high, low))).toEqual([]);
    expect(set.share).toBe(1);
  });

  it('goes on with a half, a quarter, when there is no more room', () => {
    const set = new DigestSet(2 ** 10);
    const all = digests(20_000);
    expect(all.filter(([high, low]) => set.add(high, low))).toEqual([]);
    expect(set.share).toBeLessThan(1 / 16);
    const found = all.filter(([high, low]) => set.add(high, low)).length;
    expect(found / all.length).toBeGreaterThan(set.share / 2);
    expect(found / all.length).toBeLessThan(set.share * 2);
  });

  it.each([0, 10, 500, 100_000, -1])('forgets everything, expecting %i', (expected) => {
    const set = new DigestSet(2 ** 12);
    for (const count of [2000, 30]) {
      for (const [high, low] of digests(count)) set.add(high, low);
      set.clear(expected);
      expect(set.share).toBe(1);
      expect(digests(1000).filter(([high, low]) => set.add(high, low))).toEqual([]);
      set.clear(expected);
    }
  });
});
