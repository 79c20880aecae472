import { describe, expect, it } from 'vitest';
import { Allocator } from '../../src/memory/allocator.js';
import { RaxShape } from '../../src/memory/rax.js';

const allocator = new Allocator('jemalloc', 8);

/** The tree as a definition says it: keys that share their first `depth` bytes, in a compressed trie. */
function countNodes(keys: readonly Buffer[], depth: number, isRoot = true): { nodes: number; bytes: number } {
  const ends = keys.some((key) => key.length === depth);
  const longer = keys.filter((key) => key.length > depth);
  const node = (characters: number, pointers: number, isKey: boolean): { nodes: number; bytes: number } => ({
    nodes: 1,
    bytes: allocator.usable(Math.ceil((4 + characters) / 8) * 8 + 8 * pointers + (isKey ? 8 : 0)),
  });
  if (longer.length === 0) return node(0, 0, ends);
  let shared = 0;
  const first = longer[0]!;
  while (
    longer.every((key) => key.length > depth + shared && key[depth + shared] === first[depth + shared])
  ) {
    shared++;
    if (longer.some((key) => key.length === depth + shared)) break;
  }
  if (shared > 0) {
    const run = node(shared, 1, ends);
    const rest = countNodes(longer, depth + shared, false);
    return { nodes: run.nodes + rest.nodes, bytes: run.bytes + rest.bytes };
  }
  const next = [...new Set(longer.map((key) => key[depth]!))];
  const sum = node(next.length, next.length, ends);
  for (const byte of next) {
    const child = countNodes(
      longer.filter((key) => key[depth] === byte),
      depth + 1,
      isRoot,
    );
    sum.nodes += child.nodes;
    sum.bytes += child.bytes;
  }
  return sum;
}

function shapeOf(keys: readonly Buffer[]): RaxShape {
  const shape = new RaxShape(allocator, 8, true);
  shape.reset();
  for (const key of keys) shape.add(key, 0, key.length);
  shape.finish();
  return shape;
}

/** Same numbers every run. */
function* randomNumbers(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

describe('a radix tree', () => {
  it('has one node of 8 bytes when it is empty', () => {
    const shape = shapeOf([]);
    expect([shape.keys, shape.nodes, shape.bytes]).toEqual([0, 1, 8]);
  });

  it('holds one 16-byte id as a run of 32 bytes and a leaf of 16', () => {
    const shape = shapeOf([Buffer.alloc(16)]);
    expect([shape.keys, shape.nodes, shape.bytes]).toEqual([1, 2, 48]);
  });

  it('counts an equal key once', () => {
    const shape = shapeOf([Buffer.from('a'), Buffer.from('a')]);
    expect([shape.keys, shape.nodes]).toEqual([1, 2]);
  });

  it.each([1, 2, 3, 4, 5])('has the nodes of the compressed trie of stream ids (seed %i)', (seed) => {
    const numbers = randomNumbers(seed);
    const ids = Array.from({ length: 300 }, () => {
      const id = Buffer.alloc(16);
      id.writeUIntBE(1_700_000_000_000 + (numbers.next().value % 200_000), 2, 6);
      id.writeUInt32BE(numbers.next().value % 3, 12);
      return id;
    });
    const sorted = [...new Map(ids.map((id) => [id.toString('hex'), id])).values()].sort(Buffer.compare);
    const shape = shapeOf(sorted);
    expect({ nodes: shape.nodes, bytes: shape.bytes }).toEqual(countNodes(sorted, 0));
    expect(shape.keys).toBe(sorted.length);
  });

  it.each([6, 7, 8])(
    'has the nodes of the compressed trie of names, some the start of others (seed %i)',
    (seed) => {
      const numbers = randomNumbers(seed);
      const names = Array.from({ length: 200 }, () =>
        Buffer.from(
          Array.from({ length: numbers.next().value % 7 }, () => 97 + ((numbers.next().value >> 8) % 3)),
        ),
      );
      const sorted = [...new Map(names.map((name) => [name.toString('hex'), name])).values()].sort(
        Buffer.compare,
      );
      const shape = shapeOf(sorted);
      expect({ nodes: shape.nodes, bytes: shape.bytes }).toEqual(countNodes(sorted, 0));
    },
  );

  it('keeps a short path when damaged input is out of order', () => {
    const shape = new RaxShape(allocator, 8, true);
    shape.reset();
    const name = Buffer.from('ab');
    for (let i = 0; i < 100_000; i++) shape.add(name, 0, 1 + (i % 2));
    expect(Reflect.get(shape, 'top')).toBeLessThan(4);
    shape.finish();
    expect(shape.bytes).toBeGreaterThan(0);
  });

  it('takes names beyond 4 KiB without keeping them', () => {
    const long = Buffer.alloc(100_000, 97);
    const shape = shapeOf([long.subarray(0, 99_999), long]);
    expect(shape.keys).toBe(2);
    expect(shape.bytes).toBeGreaterThan(100_000);
  });
});
