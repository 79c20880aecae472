import { describe, expect, it } from 'vitest';
import { Allocator } from '../../src/memory/allocator.js';

/** Every class up to 2048, as jemalloc's own statistics print them (5.3, quantum 8 and 16). */
const CLASSES_Q8 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512];
const CLASSES_Q16 = [8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512];

describe('an allocator', () => {
  it.each([
    ['jemalloc', CLASSES_Q8],
    ['jemalloc-q16', CLASSES_Q16],
  ] as const)('%s rounds up to the next class', (name, classes) => {
    const allocator = new Allocator(name, 8);
    for (let bytes = 0; bytes <= 512; bytes++) {
      expect(allocator.usable(bytes)).toBe(classes.find((size) => size >= bytes));
    }
  });

  it('knows the classes of large blocks, four to a doubling', () => {
    const allocator = new Allocator('jemalloc', 8);
    expect([5121, 8169, 20481, 40961, 65537].map((bytes) => allocator.usable(bytes))).toEqual([
      6144, 8192, 24576, 49152, 81920,
    ]);
    expect(allocator.usable(2 ** 32)).toBe(2 ** 32);
    expect(allocator.usable(2 ** 32 + 1)).toBe(1.25 * 2 ** 32);
    expect(allocator.usable(2 ** 40 + 1)).toBe(1.25 * 2 ** 40);
  });

  it('of libc takes one word from a multiple of 16', () => {
    const libc64 = new Allocator('libc', 8);
    const libc32 = new Allocator('libc', 4);
    expect([0, 24, 25, 40, 41].map((bytes) => libc64.usable(bytes))).toEqual([24, 24, 40, 40, 56]);
    expect([0, 12, 13].map((bytes) => libc32.usable(bytes))).toEqual([12, 12, 28]);
  });
});
