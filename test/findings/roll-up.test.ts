import { describe, expect, it } from 'vitest';
import { dropNested, type PrefixHit, type PrefixNode, rollUp } from '../../src/findings/roll-up.js';

/** `[id, parent, keys]` of nodes; the root is 0. */
function tree(...nodes: readonly (readonly [number, number | null, number])[]): Map<number, PrefixNode> {
  return new Map(nodes.map(([id, parentId, keys]) => [id, { id, parentId, keys }]));
}

function hit(prefixId: number, keys: number, facts: Partial<PrefixHit> = {}): PrefixHit {
  return {
    prefixId,
    severity: 'note',
    keys,
    memoryBytes: keys * 10,
    savingBytes: null,
    details: [],
    exampleIds: [prefixId * 10],
    ...facts,
  };
}

const shape = (hits: readonly PrefixHit[]): (readonly [number, number])[] =>
  hits.map(({ prefixId, keys }) => [prefixId, keys] as const).sort((a, b) => a[0] - b[0]);

describe('hits of one rule', () => {
  const nodes = tree(
    [0, null, 1000],
    [1, 0, 500],
    [2, 1, 250],
    [3, 1, 250],
    [4, 0, 500],
    [5, 4, 100],
    [6, 5, 100],
  );

  it('are told by the prefix above when nearly all its keys are hit', () => {
    expect(shape(rollUp([hit(2, 250), hit(3, 250)], nodes))).toEqual([[1, 500]]);
    expect(shape(rollUp([hit(2, 250), hit(3, 200)], nodes))).toEqual([[1, 450]]);
  });

  it('stay apart when too many keys beside them are fine', () => {
    expect(shape(rollUp([hit(2, 250), hit(3, 199)], nodes))).toEqual([
      [2, 250],
      [3, 199],
    ]);
  });

  it('climb as high as they can, but never to the root', () => {
    const all = [hit(2, 250), hit(3, 250), hit(6, 100), hit(4, 400)];
    expect(shape(rollUp(all, nodes))).toEqual([
      [1, 500],
      [4, 500],
    ]);
    expect(shape(rollUp([hit(6, 100)], nodes))).toEqual([[5, 100]]);
  });

  it('lose no key, whatever is hit', () => {
    const sums = (hits: readonly PrefixHit[]) =>
      hits.reduce((sum, { keys, memoryBytes }) => sum + keys + memoryBytes, 0);
    for (let mask = 0; mask < 32; mask++) {
      const hits = [2, 3, 4, 5, 6]
        .filter((_, bit) => (mask & (1 << bit)) !== 0)
        .map((id) => hit(id, id * 37));
      expect(sums(rollUp(hits, nodes))).toBe(sums(hits));
    }
  });

  it('join what they know: savings, a few details, the first and the last example', () => {
    const hits = [
      hit(2, 250, { savingBytes: 5, details: ['a', 'b'], exampleIds: [7, 20] }),
      hit(3, 250, { details: ['b', 'c', 'd'], exampleIds: [3, 9] }),
    ];
    const [joined] = rollUp(hits, nodes);
    expect(joined).toMatchObject({
      savingBytes: 5,
      details: ['a', 'b', 'c'],
      exampleIds: [3, 20],
      memoryBytes: 5000,
    });
  });

  it('that stand for whole prefixes do not count what lies in another one twice', () => {
    expect(shape(dropNested([hit(1, 500), hit(2, 250), hit(6, 100)], nodes))).toEqual([
      [1, 500],
      [6, 100],
    ]);
  });
});
