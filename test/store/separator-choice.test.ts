import { describe, expect, it } from 'vitest';
import { chooseSeparators } from '../../src/store/index.js';
import { loadKeys, rowsOf, single } from './key-feed.js';

function chosenFor(keys: readonly string[]): string {
  return chooseSeparators(keys.map((key) => Buffer.from(key)));
}

function numbered(count: number, keyOf: (i: number) => string): string[] {
  return Array.from({ length: count }, (_, i) => keyOf(i));
}

describe('separators are chosen from the keys', () => {
  it.each([
    ['nothing to see', [], ':'],
    ['plain words', ['config', 'version'], ':'],
    ['colons', numbered(100, (i) => `user:${i}`), ':'],
    ['bars and slashes', numbered(100, (i) => (i % 2 ? `rate|${i}` : `img/${i}/x`)), '|/'],
    [
      'dots where nothing else separates',
      numbered(100, (i) => (i % 2 ? `lock.order.${i}` : `user:${i}`)),
      ':.',
    ],
    ['dashes in words only', numbered(100, (i) => `user:sku-${i}`), ':'],
    ['tokens whose first part is always another', numbered(100, (i) => `${i}_x`), ':'],
    ['a rare bar', numbered(100, (i) => (i === 0 ? 'a|b' : `user:${i}`)), ':'],
    ['separators at the edges only', numbered(100, (i) => `x${i}/`), ':'],
  ])('%s', (_, keys, expected) => {
    expect(chosenFor(keys)).toBe(expected);
  });

  it('and the first keys, held back until then, are all loaded', () => {
    const database = loadKeys(
      numbered(10_000, (i) => `a|${i}`).map((key) => ({ key })),
      { separators: 'auto' },
    );
    expect(rowsOf(database, 'SELECT prefix, keys FROM prefixes')).toEqual([
      ['', 10_000n],
      ['a', 10_000n],
      ['a|{n}', 10_000n],
    ]);
    expect(single(database, "SELECT value FROM meta WHERE name = 'separators'")).toBe('|');
    expect(single(database, 'SELECT COUNT(DISTINCT key) FROM keys')).toBe(10_000);
  });

  it('also when there are few keys, or none', () => {
    expect(
      single(loadKeys([{ key: 'a/b' }], { separators: 'auto' }), 'SELECT MAX(depth) FROM prefixes'),
    ).toBe(2);
    expect(single(loadKeys([], { separators: 'auto' }), 'SELECT COUNT(*) FROM prefixes')).toBe(1);
  });
});
