import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DuplicateFinder } from '../../src/store/duplicates.js';
import { KeyCore } from '../../src/store/key-core.js';
import { type FedKey, loadFiles, loadKeys, rowsOf, scratchFolder } from './key-feed.js';

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
    const spill = path.join(scratchFolder(), 'hashes');
    const core = new KeyCore({ seeds: [1n, 2n] });
    core.setSeparators(':');
    const finder = new DuplicateFinder(core, spill);
    const count = 1_600_000;
    const key = new Uint8Array(8);
    const view = new DataView(key.buffer);
    for (let row = 1; row <= count; row++) {
      // Every 200,000th row has the key of one that came 150,000 rows before.
      view.setUint32(0, row % 200_000 === 0 ? row - 150_000 : row);
      core.load(key, 0, 8, 0, 0, false, false, 1, 1, 1, 1, 0, row, finder.wants(row));
      if (core.fullPart >= 0) finder.putDown(core.fullPart);
    }
    expect(fs.existsSync(spill)).toBe(true);
    const found = finder.search();
    expect(found).toMatchObject({ count: 8, complete: true });
    expect([...found.pairs].sort((a, b) => a.row - b.row)).toEqual(
      Array.from({ length: 8 }, (_, i) => ({ firstRow: i * 200_000 + 50_000, row: (i + 1) * 200_000 })),
    );
    expect(fs.existsSync(spill)).toBe(false);
  });
});
