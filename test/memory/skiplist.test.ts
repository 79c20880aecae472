import { describe, expect, it } from 'vitest';
import { Allocator } from '../../src/memory/allocator.js';
import { expectedNodeBytes } from '../../src/memory/skiplist.js';

describe('a skiplist node', () => {
  it('takes what its random height makes of it on average', () => {
    expect(expectedNodeBytes(24, 16, 32, new Allocator('jemalloc', 8))).toBeCloseTo(45.836, 2);
    expect(expectedNodeBytes(24, 16, 32, new Allocator('jemalloc-q16', 8))).toBeCloseTo(53.336, 2);
  });
});
