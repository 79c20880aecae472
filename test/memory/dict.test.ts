import { describe, expect, it } from 'vitest';
import { DictGrowth, occupiedSlots, slotsFor } from '../../src/memory/dict.js';

function grown(...steps: readonly (readonly ['expand' | 'add', number])[]): number {
  const growth = new DictGrowth();
  growth.reset();
  for (const [step, count] of steps) growth[step](count);
  return growth.slots;
}

describe('a dict that a loader fills', () => {
  it('has the next power of two of slots, at least 4, when room was made before', () => {
    expect([1, 4, 5, 1000, 1024, 1025].map(slotsFor)).toEqual([4, 4, 8, 1024, 1024, 2048]);
    expect(grown(['expand', 600], ['add', 600])).toBe(1024);
  });

  it('holds two tables while buckets move, as seen on Redis 7.4 with 513, 1000 and 5000 fields', () => {
    expect(grown(['add', 512])).toBe(512);
    expect(grown(['add', 513])).toBe(1024 + 512);
    expect(grown(['add', 1000])).toBe(1024);
    expect(grown(['add', 5000])).toBe(8192 + 4096);
  });

  it('moves what is in it when it is expanded again', () => {
    expect(grown(['expand', 14], ['add', 14], ['expand', 21])).toBe(16 + 32);
    expect(grown(['expand', 14], ['add', 14], ['expand', 21], ['add', 7])).toBe(16 + 32);
    expect(grown(['expand', 8], ['add', 8], ['expand', 21], ['add', 13])).toBe(32);
  });

  it('does not shrink below what is in it, nor expand while it moves', () => {
    expect(grown(['expand', 100], ['add', 60], ['expand', 20])).toBe(128);
    expect(grown(['add', 5], ['expand', 1000])).toBe(8 + 4);
  });

  it('fills slots as chance has it', () => {
    expect(occupiedSlots(0, 4)).toBe(0);
    expect(occupiedSlots(1, 4)).toBeCloseTo(1, 10);
    expect(occupiedSlots(1024, 1024)).toBeCloseTo(1024 * (1 - Math.exp(-1)), 0);
  });
});
