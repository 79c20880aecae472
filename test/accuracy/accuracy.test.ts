import { describe, expect, it } from 'vitest';
import { compareSet, type KeyComparison } from './comparison.js';
import { errorOf, summarize } from './summary.js';
import { haveCollection, truthSets } from './truth-sets.js';

/**
 * One skiplist node's size scatters by about 15 bytes around what is expected of it (its height is random), the chained
 * buckets of a Valkey table by about one for each three buckets that overflow.
 */
const NODE_SCATTER_BYTES = 15.5;
const BUCKET_BYTES = 64;

const sets = truthSets().filter(({ name }) => !name.includes('-medium'));
const missing = 81 - sets.length;

describe('what live servers said of every key', () => {
  if (!haveCollection()) {
    it(`truth sets are not here: skipped ${missing} sets, those in fixtures/truth are checked`, () => {
      expect(sets.length).toBeGreaterThan(0);
    });
  }

  describe.each(sets)('$name', (set) => {
    const valkey = set.name.startsWith('valkey');
    const compared = compareSet(set);
    const summary = summarize(compared, valkey);

    it('is compared key by key', () => {
      expect(compared.length).toBeGreaterThan(700);
    });

    it('tells every encoding as the server does', () => {
      expect(summary.otherEncodings.map(({ id }) => id)).toEqual([]);
    });

    it('is exact on 99 % and within 1 % on 99.9 % of what the server does not leave to chance', () => {
      const { keys, exact, close } = summary.fixed;
      expect(exact).toBeGreaterThanOrEqual(0.99 * keys);
      expect(close).toBeGreaterThanOrEqual(Math.floor(0.999 * keys));
    });

    it('adds up to the total of the server within 0.5 %', () => {
      expect(Math.abs(summary.totalError)).toBeLessThan(0.005);
    });

    it('is within four standard deviations where chance decides', () => {
      const far = compared.filter((key) => isFarOff(key, valkey));
      expect(far.map(({ id, memoryBytes, truth }) => ({ id, memoryBytes, truth }))).toEqual([]);
    });
  });

  it('is within 2 % on most skiplists above 100 members, and on average within 0.3 %', () => {
    const skiplists = sets
      .flatMap((set) => compareSet(set))
      .filter(
        ({ encoding, elements, truth }) => encoding === 'skiplist' && elements > 100 && truth.memoryBytes,
      );
    const close = skiplists.filter((key) => errorOf(key) <= 0.02).length;
    const total = skiplists.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
    const told = skiplists.reduce((sum, { truth }) => sum + truth.memoryBytes!, 0);
    expect(close / skiplists.length).toBeGreaterThan(0.9);
    expect(Math.abs(total / told - 1)).toBeLessThan(0.003);
  });
});

function isFarOff(key: KeyComparison, valkey: boolean): boolean {
  const { truth, memoryBytes, elements, encoding, approximate } = key;
  if (truth.memoryBytes === undefined || approximate) return false;
  const difference = Math.abs(memoryBytes - truth.memoryBytes);
  const nodes = encoding === 'skiplist' ? NODE_SCATTER_BYTES * Math.sqrt(elements) : 0;
  const hasTable = valkey && (encoding === 'skiplist' || encoding === 'hashtable');
  // at most one bucket in 6 entries, of which at most 30 % overflow
  const tables = hasTable ? BUCKET_BYTES * Math.sqrt(0.3 * (elements / 3.2)) : 0;
  return nodes + tables > 0 && difference > 64 + 4 * Math.hypot(nodes, tables);
}
