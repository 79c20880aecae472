import { describe, expect, it } from 'vitest';
import { bucketsFor, expectedChildBuckets } from '../../src/memory/hashtable.js';

describe("Valkey's table", () => {
  it('has buckets for 32 of 35 places', () => {
    expect([1, 6, 7, 12, 13, 1000].map(bucketsFor)).toEqual([1, 1, 2, 2, 4, 256]);
  });

  it('chains no bucket while all entries fit into one', () => {
    expect(expectedChildBuckets(7, 2, 7)).toBe(0);
    expect(expectedChildBuckets(6, 1, 7)).toBe(0);
  });

  it('chains as many buckets as throwing entries at random shows', () => {
    let state = 42;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const rounds = 300;
    let children = 0;
    for (let round = 0; round < rounds; round++) {
      const buckets = new Uint16Array(128);
      for (let i = 0; i < 800; i++) buckets[Math.floor(random() * 128)]!++;
      for (const entries of buckets) if (entries > 7) children += Math.ceil((entries - 7) / 6);
    }
    const mean = children / rounds;
    expect(expectedChildBuckets(800, 128, 7) / mean).toBeGreaterThan(0.97);
    expect(expectedChildBuckets(800, 128, 7) / mean).toBeLessThan(1.03);
  });
});
