import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DuplicateFinder, type LikelyDuplicate, MAX_PAIRS } from '../../src/store/duplicates.js';
import { SnapshotLoader } from '../../src/store/index.js';
import { DEFAULT_HASH_LIMITS, type HashLimits, KeyCore } from '../../src/store/key-core.js';
import { seededRandom } from '../seeded.js';
import {
  type FedKey,
  feedKeys,
  loadFiles,
  loadKeys,
  rowsOf,
  scratchFolder,
  snapshotFacts,
} from './key-feed.js';

const FOUND = 'SELECT duplicate_keys, duplicate_check FROM files ORDER BY id';

describe('keys that come twice', () => {
  it('are counted in the same database only', () => {
    const keys: FedKey[] = [
      { key: 'a' },
      { key: 'a' },
      { key: 'b' },
      { key: 'a', db: 1 },
      { key: 'b' }, // database 0 again
      { key: 'a' },
    ];
    const database = loadKeys(keys);
    expect(rowsOf(database, FOUND)).toEqual([[3n, 'exact']]);
    expect(rowsOf(database, 'SELECT code, severity, db, key, count FROM problems')).toEqual([
      ['duplicate-key', 'error', 0n, expect.stringMatching(/^[ab]$/), 3n],
    ]);
    // Nothing is merged: every record has its row.
    expect(rowsOf(database, 'SELECT COUNT(*) FROM keys')).toEqual([[6n]]);
  });

  it('are told apart by bytes', () => {
    const keys = ['a', 'A', 'a\0', ' a', '\u00e9', 'e\u0301'].map((key) => ({ key }));
    expect(
      rowsOf(loadKeys([...keys, { key: Uint8Array.of(0xff) }, { key: Uint8Array.of(0xfe) }]), FOUND),
    ).toEqual([[0n, 'exact']]);
  });

  it('are looked for in each file on its own', () => {
    const database = loadFiles([
      { keys: [{ key: 'a' }] },
      { keys: [{ key: 'a' }, { key: 'b' }, { key: 'b' }] },
    ]);
    expect(rowsOf(database, FOUND)).toEqual([
      [0n, 'exact'],
      [1n, 'exact'],
    ]);
  });

  it('are not looked for when that is not wanted', () => {
    const database = loadKeys([{ key: 'a' }, { key: 'a' }], { findDuplicates: false });
    expect(rowsOf(database, FOUND)).toEqual([[null, 'none']]);
  });

  it('rest on hashes when they are too many to compare', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => ({ key: `k${i % 15_000}` }));
    expect(rowsOf(loadKeys(keys), FOUND)).toEqual([[15_000n, 'hashed']]);
  });
});

describe('the finder', () => {
  it('finds what was spilled to its file, and removes it', () => {
    const { finder, feed, spill } = finderWith(DEFAULT_HASH_LIMITS);
    // Every 200,000th row has the key of one that came 150,000 rows before.
    feed(1_600_000, (row) => (row % 200_000 === 0 ? row - 150_000 : row));
    expect(fs.existsSync(spill)).toBe(true);
    const found = finder.search();
    expect(found).toMatchObject({ count: 8, complete: true });
    expect([...found.pairs].sort((a, b) => a.row - b.row)).toEqual(
      Array.from({ length: 8 }, (_, i) => ({ firstRow: i * 200_000 + 50_000, row: (i + 1) * 200_000 })),
    );
    expect(fs.existsSync(spill)).toBe(false);
  });

  const limits = [
    ['nothing', 0],
    ['twenty chunks', 130_000],
    ['half of them', 2_000_000],
    ['all', DEFAULT_HASH_LIMITS.memoryBytes],
  ] as const;

  it.each(limits)('tells pairs by part and row, when memory takes %s', (name, memoryBytes) => {
    const { finder, feed, spill } = finderWith({ ...DEFAULT_HASH_LIMITS, memoryBytes });
    const random = seededRandom('keys that come twice');
    const expected = feed(400_000, () => Math.floor(random() * 20_000_000));
    expect(fs.existsSync(spill)).toBe(name !== 'all');
    expect(expected.length).toBeGreaterThan(1000);
    expect(finder.search()).toEqual({ pairs: expected, count: expected.length, complete: true });
  });

  it.each(limits)('counts pairs that it cannot tell, when memory takes %s', (_, memoryBytes) => {
    const { finder, feed } = finderWith({ ...DEFAULT_HASH_LIMITS, memoryBytes });
    const expected = feed(400_000, (row) => row % 250_000);
    const found = finder.search();
    expect(found).toMatchObject({ count: 150_000, complete: true });
    expect(found.pairs).toEqual(expected.slice(0, MAX_PAIRS));
  });

  it.each(limits)('takes one key over and over, when memory takes %s', (_, memoryBytes) => {
    const { finder, feed } = finderWith({ memoryBytes, distinctPerPart: 1 });
    // Forty chunks, all of one part.
    const expected = feed(20_000, () => 7);
    expect(finder.search()).toEqual({ pairs: expected.slice(0, MAX_PAIRS), count: 19_999, complete: true });
  });

  it('finds a key in the last place of a chunk and the first of the next one', () => {
    for (const memoryBytes of [0, DEFAULT_HASH_LIMITS.memoryBytes]) {
      const { finder, feed, partOf } = finderWith({ ...DEFAULT_HASH_LIMITS, memoryBytes });
      const ofOnePart = Array.from({ length: 200_000 }, (_, key) => key).filter((key) => partOf(key) === 3);
      // The 512th key ends a chunk.
      const keys = ofOnePart.slice(0, 512).concat(ofOnePart[511]!, ofOnePart.slice(0, 2));
      feed(keys.length, (row) => keys[row - 1]!);
      const pairs = [
        { firstRow: 512, row: 513 },
        { firstRow: 1, row: 514 },
        { firstRow: 2, row: 515 },
      ];
      expect(finder.search()).toEqual({ pairs, count: 3, complete: true });
    }
  });

  it.each([0, DEFAULT_HASH_LIMITS.memoryBytes])(
    'forgets one file before the next, with %i bytes of memory',
    (memoryBytes) => {
      const { finder, feed, spill } = finderWith({ ...DEFAULT_HASH_LIMITS, memoryBytes });
      for (const keys of [150_000, 300_000, 10]) {
        const expected = feed(keys, (row) => (row === keys ? 1 : row));
        expect(finder.search()).toEqual({ pairs: expected, count: 1, complete: true });
        expect(fs.existsSync(spill)).toBe(false);
      }
    },
  );

  it.each([0, 1, 2, 3, 4, 5])('ends when a part may hold %i keys and holds more', (distinctPerPart) => {
    const { finder, feed } = finderWith({ ...DEFAULT_HASH_LIMITS, distinctPerPart });
    feed(5000, (row) => row);
    expect(finder.search()).toEqual({ pairs: [], count: 0, complete: false });
  });

  it.each([0, DEFAULT_HASH_LIMITS.memoryBytes])(
    'says when a part holds more keys than it tells apart, with %i bytes of memory',
    (memoryBytes) => {
      const { finder, feed } = finderWith({ memoryBytes, distinctPerPart: 1500 });
      feed(500_000, (row) => row);
      expect(finder.search().complete).toBe(false);
      feed(200_000, (row) => row);
      expect(finder.search()).toEqual({ pairs: [], count: 0, complete: true });
    },
  );

  it('fails when its file was cut', () => {
    const { finder, feed, spill } = finderWith({ ...DEFAULT_HASH_LIMITS, memoryBytes: 0 });
    feed(600, () => 7);
    fs.truncateSync(spill, 100);
    expect(() => finder.search()).toThrow('has been cut');
    finder.release();
    expect(fs.existsSync(spill)).toBe(false);
  });

  it('leaves no file behind when the load is abandoned', () => {
    const folder = scratchFolder();
    const loader = new SnapshotLoader(path.join(folder, 'x.sqlite'), {
      toolVersion: '0.0.0',
      hashLimits: { memoryBytes: 0 },
    });
    loader.startFile(snapshotFacts());
    feedKeys(
      loader,
      Array.from({ length: 600 }, () => ({ key: 'a' })),
    );
    expect(fs.readdirSync(folder)).toContainEqual(expect.stringMatching(/-hashes$/));
    loader.abandon();
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

interface FedFinder {
  readonly finder: DuplicateFinder;
  readonly spill: string;
  /** Gives it keys of a file, by row; returns the pairs in the order in which they are to be found. */
  feed(rows: number, keyOf: (row: number) => number): LikelyDuplicate[];
  partOf(key: number): number;
}

function finderWith(hashLimits: HashLimits): FedFinder {
  const spill = path.join(scratchFolder(), 'hashes');
  const core = new KeyCore({ seeds: [1n, 2n], hashLimits });
  core.setSeparators(':');
  const finder = new DuplicateFinder(core, spill);
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  const load = (key: number, row: number, keepsHash: boolean): number => {
    view.setUint32(0, key);
    core.load(bytes, 0, 8, 0, 0, false, false, 1, 1, 1, 1, 0, row, keepsHash);
    if (core.fullPart >= 0) finder.putDown(core.fullPart);
    return core.hashHigh >>> 24;
  };
  return {
    finder,
    spill,
    feed: (rows, keyOf) => {
      const firstRows = new Map<number, number>();
      const byPart: LikelyDuplicate[][] = Array.from({ length: 256 }, () => []);
      for (let row = 1; row <= rows; row++) {
        const key = keyOf(row);
        const part = load(key, row, finder.wants(row));
        const firstRow = firstRows.get(key);
        if (firstRow === undefined) firstRows.set(key, row);
        else byPart[part]!.push({ firstRow, row });
      }
      return byPart.flat();
    },
    partOf: (key) => load(key, 1, false),
  };
}
