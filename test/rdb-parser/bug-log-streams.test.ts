import { describe, expect, it } from 'vitest';
import { decode } from '../decode.js';
import { decodeEveryWay } from '../every-way.js';
import { RdbBytes } from '../rdb-bytes.js';
import { STREAM_TYPES, type StreamSketch, type StreamVersion, streamKey } from '../stream-bytes.js';

/* Streams that have broken other tools; see bug-log.test.ts. */

const VERSIONS = STREAM_TYPES.map((type, i) => ({ type, version: (i + 1) as StreamVersion }));

function snapshotOf(version: StreamVersion, sketch: StreamSketch): Uint8Array {
  return new RdbBytes('REDIS0014')
    .bytes(streamKey(version, 's', sketch))
    .sentinel()
    .end();
}

const problemsOf = (bytes: Uint8Array): string[] =>
  decode(bytes, { check: true }).facts.problems.map(({ text }) => text);

const ID = [1, 1] as const;

describe.each(VERSIONS)('a stream of type $type', ({ version }) => {
  it('50: may have ids whose second half lies below its node’s', () => {
    const entries = [
      { id: [0, 0], values: ['v'] },
      { id: [10, -5], values: ['w'] },
    ] as const;
    const bytes = snapshotOf(version, { nodes: [{ id: [1, 5], fields: ['f'], entries }] });
    const { keys } = decodeEveryWay(bytes);
    expect(keys).toMatchObject([{ type: 'stream', elements: 2 }, { key: 'after' }]);
    expect(problemsOf(bytes)).toEqual([]);
  });

  it('51: may mix entries of the same fields, of others, and deleted ones', () => {
    const entries = [
      { id: [0, 0], values: [Uint8Array.of(0, 0xff, 0x80), 200] },
      { id: [0, 1], pairs: ['other', Buffer.alloc(100, 0xfe)] },
      { id: [1, 0], values: ['a', 'b'], deleted: true },
      { id: [2, 0], pairs: [], deleted: true },
    ] as const;
    const bytes = snapshotOf(version, { nodes: [{ id: ID, fields: ['f', 'g'], entries }] });
    expect(decodeEveryWay(bytes).keys).toMatchObject([{ elements: 2 }, { key: 'after' }]);
    expect(problemsOf(bytes)).toEqual([]);
  });

  it('52: has the entries that it announces, not its nodes’ elements', () => {
    const node = { id: ID, fields: ['f'], entries: [{ id: [0, 0] as const, values: ['v'] }] };
    const bytes = snapshotOf(version, { nodes: [node, node, node] });
    expect(decodeEveryWay(bytes).keys[0]).toMatchObject({ elements: 3 });
  });

  it('54, 55: is read to the end of its groups, consumers, pending and given back ids', () => {
    const ids = Array.from({ length: 300 }, (_, i) => [1, i] as const);
    const givenBack = version === 5 ? ids.slice(250) : [];
    const owned = version === 5 ? ids.slice(0, 250) : ids;
    const groups = ['g1', 'g2'].map((name) => ({
      name,
      pending: ids,
      consumers: [
        { name: 'c1', pending: owned.slice(0, 100) },
        { name: 'c2', pending: owned.slice(100) },
        { name: 'c3', pending: [] },
      ],
      givenBack,
    }));
    const bytes = snapshotOf(version, { groups });
    expect(decodeEveryWay(bytes).keys).toMatchObject([
      { elements: 0, groups: 2, consumers: 6, pending: 600 },
      { key: 'after' },
    ]);
    expect(problemsOf(bytes)).toEqual([]);
  });
});
