import { copyFileSync, createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSnapshot } from '../../src/load.js';
import { openStore } from '../../src/store/index.js';
import { recordedSet, SnapshotNotAtHand } from '../../src/what-if/recorded-set.js';
import { type WhatIf, whatIf } from '../../src/what-if/what-if.js';
import { capturedRun } from '../cli/captured-run.js';
import { RdbBytes } from '../rdb-bytes.js';

const truth = (name: string): string =>
  new URL(`../../fixtures/truth/${name}/dump.rdb`, import.meta.url).pathname;

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'what-if-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function keyBytes({ encodings }: WhatIf): { now: number; other: number } {
  return {
    now: encodings.reduce((sum, row) => sum + row.nowBytes, 0),
    other: encodings.reduce((sum, row) => sum + row.otherBytes, 0),
  };
}

async function loadedBytes(input: string | string[], serverVersion?: string): Promise<[number, number]> {
  const { databasePath } = await loadSnapshot({ input, output: join(scratch, 'sum.sqlite'), serverVersion });
  const store = openStore(databasePath);
  const { keys, tables } = store
    .prepare('SELECT SUM(modelled_bytes) AS keys, SUM(keyspace_overhead_bytes) AS tables FROM files')
    .get() as { keys: number; tables: number };
  store.close();
  return [keys, tables];
}

describe('what another server would take', () => {
  it.each([
    ['redis-7.2-small', 'redis-8.8'],
    ['redis-7.4-small-cluster', 'redis-8.8'],
    ['valkey-8.0-small', 'valkey-9.1'],
    ['redis-6.2-small', 'valkey-7.2'],
  ])('%s in %s is what a load for that server says, keys and tables', async (name, server) => {
    const input = truth(name);
    const result = await whatIf({ inputs: [input], now: {}, change: { serverVersion: server } });
    const { now, other } = keyBytes(result);
    expect([now, result.keyTables.nowBytes]).toEqual(await loadedBytes(input));
    expect([other, result.keyTables.otherBytes]).toEqual(await loadedBytes(input, server));
  });

  it('adds several files up', async () => {
    const inputs = [truth('redis-7.2-small'), truth('redis-7.2-small-lfu')];
    const result = await whatIf({ inputs, now: {}, change: { serverVersion: '8.4' } });
    const [keys, tables] = await loadedBytes(inputs, '8.4');
    expect([keyBytes(result).other, result.keyTables.otherBytes]).toEqual([keys, tables]);
  });

  it('every key is in one pattern of one type', async () => {
    const result = await whatIf({
      inputs: [truth('redis-7.2-small')],
      now: {},
      change: { serverVersion: '8.4' },
    });
    const patternBytes = result.patterns.reduce((sum, row) => sum + row.otherBytes, 0);
    expect(patternBytes).toBe(keyBytes(result).other);
    expect(result.patterns.reduce((sum, row) => sum + row.keys, 0)).toBe(
      result.encodings.reduce((sum, row) => sum + row.keys, 0),
    );
  });
});

describe('what another limit would change', () => {
  /** Hashes of 3, 4 and 5 fields, written plain. */
  const snapshot = (): string => {
    const path = join(scratch, 'hashes.rdb');
    const bytes = new RdbBytes().aux('redis-ver', '7.2.6');
    for (const fields of [3, 4, 5]) {
      const pairs = Array.from({ length: fields }, (_, i) => [`field${i}`, `value${i}`] as const);
      bytes.hex('04').string(`hash:${fields}`).length(fields);
      for (const [field, value] of pairs) bytes.string(field).string(value);
    }
    writeFileSync(path, bytes.end());
    return path;
  };

  it('is told by encoding and by key, the limit itself still packed', async () => {
    const { encodings, keys } = await whatIf({
      inputs: [snapshot()],
      now: {},
      change: { thresholds: { hashMaxListpackEntries: 4 } },
    });
    expect(
      encodings.map(({ nowEncoding, otherEncoding, keys: count }) => [nowEncoding, otherEncoding, count]),
    ).toEqual([
      ['listpack', 'listpack', 2],
      ['listpack', 'hashtable', 1],
    ]);
    expect(keys.map(({ key, otherEncoding }) => [Buffer.from(key).toString(), otherEncoding])).toEqual([
      ['hash:5', 'hashtable'],
    ]);
  });

  it('keeps the limits that the server has when only its version changes', async () => {
    const { otherProfile } = await whatIf({
      inputs: [snapshot()],
      now: { thresholds: { hashMaxListpackEntries: 4 }, allocator: 'libc' },
      change: { serverVersion: '7.4' },
    });
    expect(otherProfile).toBe('redis 7.4, 64-bit, libc, hash-max-listpack-entries 4');
  });
});

describe('a damaged snapshot', () => {
  it('is told up to the fault, and the run ends as damaged', async () => {
    const path = join(scratch, 'cut.rdb');
    const whole = readFileSync(truth('redis-7.2-small'));
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    const { exitCode, stdout, stderr } = await capturedRun('what-if', path, '--server', '8.4', '-f', 'json');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('at byte');
    const [part] = JSON.parse(stdout).reports[0].sections[0].rows;
    expect(part.keys).toBeGreaterThan(100);
  });
});

describe('asked of a database', () => {
  async function database(): Promise<{ snapshot: string; path: string }> {
    const snapshot = join(scratch, 'again.rdb');
    copyFileSync(truth('redis-7.2-small'), snapshot);
    const path = join(scratch, 'again.sqlite');
    await loadSnapshot({ input: snapshot, output: path, allocator: 'jemalloc-q16', separators: ':.' });
    return { snapshot, path };
  }

  it('reads its snapshot again under the profile that it has', async () => {
    const { path } = await database();
    const asReport = await capturedRun('report', path, 'what-if', '-p', 'server=8.2', '-f', 'json');
    const asCommand = await capturedRun('what-if', path, '--server', '8.2', '-f', 'json');
    expect(asReport.exitCode, asReport.stderr).toBe(0);
    expect(asReport.stdout).toBe(asCommand.stdout);
    const [report] = JSON.parse(asReport.stdout).reports;
    expect(report.parameters).toEqual({
      now: 'redis 7.2, 64-bit, jemalloc-q16',
      other: 'redis 8.2, 64-bit, jemalloc-q16',
    });
    expect(report.sections.map((section: { id: string }) => section.id)).toEqual([
      'total',
      'types',
      'encodings',
      'prefixes',
      'keys',
    ]);
  });

  it('has nothing to read again when it was loaded from a pipe', async () => {
    const path = join(scratch, 'piped.sqlite');
    const stdin = createReadStream(truth('redis-7.2-small'));
    await loadSnapshot({ input: '-', output: path, stdin });
    expect(() => recordedSet(path)).toThrow(/standard input, which can't be read again/);
  });

  it('says what to do when the snapshot is gone or another', async () => {
    const { snapshot, path } = await database();
    writeFileSync(snapshot, 'short');
    expect(() => recordedSet(path)).toThrow(/is another snapshot than the one that .* was loaded from/);
    const other = readFileSync(truth('redis-7.2-small'));
    other[other.length - 1]! ^= 1;
    writeFileSync(snapshot, other);
    const { exitCode, stderr } = await capturedRun('what-if', path, '--server', '8.2');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is another snapshot');
    rmSync(snapshot);
    expect(() => recordedSet(path)).toThrow(SnapshotNotAtHand);
    expect(() => recordedSet(path)).toThrow(/is not there any more/);
  });
});

describe('the command line', () => {
  it.each([
    [['what-if', truth('redis-7.2-small')], 'say what would be another'],
    [['what-if', truth('redis-7.2-small'), '--server', 'newest'], 'Give a version such as 7.2 or valkey-8.1'],
  ])('%j is refused', async (args, message) => {
    const { exitCode, stderr } = await capturedRun(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('tells of nothing when nothing changes', async () => {
    const { stdout } = await capturedRun('what-if', truth('redis-7.2-small'), '--server', '7.2');
    expect(stdout).toContain('That is the same server twice: nothing can change.');
    expect(stdout).toContain('No key changes its encoding.');
  });

  it('cuts tables and says so', async () => {
    const { stdout } = await capturedRun(
      'what-if',
      truth('redis-7.2-small'),
      '--server',
      '8.4',
      '--top',
      '2',
    );
    expect(stdout).toMatch(/2 of \d+; --top 0 shows all/);
  });
});
