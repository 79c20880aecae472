import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findReport, loadCatalog } from '../../src/report/catalog.js';
import { runReport } from '../../src/report/run.js';
import { openStore } from '../../src/store/index.js';
import { rdbscope } from '../cli/cli-run.js';

const isThere = (name: string) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
const hasServer = isThere('redis-server') && isThere('redis-cli');

/** What redis-cli says at its end about one type. */
interface TypeTotals {
  readonly keys: number;
  readonly total: number;
  readonly biggestKey: string;
  readonly biggestSize: number;
}

const parity = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-parity-'));
  let server: ChildProcess;
  let port = 0;
  const cli = (args: string[], input = '') =>
    execFileSync('redis-cli', ['-h', '127.0.0.1', '-p', String(port), ...args], { input, encoding: 'utf8' });
  let rows: (section: string) => Record<string, unknown>[];

  beforeAll(async () => {
    port = await freePort();
    const options = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--dir',
      folder,
      '--dbfilename',
      'dump.rdb',
      '--enable-debug-command',
      'yes',
    ];
    server = spawn('redis-server', options, { stdio: 'ignore' });
    while (spawnSync('redis-cli', ['-p', String(port), 'ping'], { stdio: 'ignore' }).status !== 0) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    cli(['--pipe'], commands());
    // The model says what a key takes after a load; growing key by key leaves other tables behind.
    cli(['debug', 'reload']);
    // Debian links the server to its own jemalloc, whose smallest steps are of 16 bytes. Strings tell which one it is.
    const strings = parseTotals(memkeys()).get('string')!;
    for (const allocator of ['jemalloc-q16', 'jemalloc']) {
      rows = await keystats(allocator);
      if (rows('memkeys').find((row) => row.type === 'string')?.memory_bytes === strings.total) break;
    }
  });

  /** Every element is looked at: by default redis-cli samples five. */
  const memkeys = () => cli(['--memkeys-samples', '100000', '-i', '0']);

  async function keystats(allocator: string): Promise<(section: string) => Record<string, unknown>[]> {
    const database = join(folder, 'dump.sqlite');
    const args = ['load', join(folder, 'dump.rdb'), '-o', database, '--allocator', allocator];
    expect((await rdbscope(args)).exitCode).toBe(0);
    const store = openStore(database);
    const document = runReport(store, findReport(loadCatalog(), 'keystats'));
    store.close();
    return (id) => {
      const section = document.sections.find((one) => one.id === id)!;
      return section.rows.map((row) =>
        Object.fromEntries(section.columns.map((column, i) => [column.name, row[i]])),
      );
    };
  }

  afterAll(() => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it('--bigkeys: keys, elements and the biggest key of each type', () => {
    const said = parseTotals(cli(['--bigkeys', '-i', '0']));
    expect(said.size).toBe(6);
    for (const row of rows('bigkeys')) {
      const { keys, total, biggestKey, biggestSize } = said.get(String(row.type))!;
      expect([row.type, row.keys, row.total, row.biggest_key, row.biggest_size]).toEqual([
        row.type,
        keys,
        total,
        biggestKey,
        biggestSize,
      ]);
    }
    expect(rows('bigkeys')).toHaveLength(said.size);
  });

  it('--memkeys, all elements sampled: memory and the biggest key of each type', () => {
    const said = parseTotals(memkeys());
    for (const row of rows('memkeys')) {
      const { keys, total, biggestKey, biggestSize } = said.get(String(row.type))!;
      expect([row.type, row.keys, row.biggest_key]).toEqual([row.type, keys, biggestKey]);
      // A skiplist's levels are drawn at random by the server: the model has the expected ones.
      const tolerance = row.type === 'zset' ? 0.02 : 0;
      expect(Math.abs(Number(row.memory_bytes) - total)).toBeLessThanOrEqual(total * tolerance);
      expect(Math.abs(Number(row.biggest_bytes) - biggestSize)).toBeLessThanOrEqual(biggestSize * tolerance);
    }
    expect(rows('memkeys')).toHaveLength(said.size);
  });

  it('names the total length of the keys as redis-cli does', () => {
    const [, bytes, average] = /Total key length in bytes is (\d+) \(avg len ([\d.]+)\)/.exec(
      cli(['--bigkeys']),
    )!;
    const [names] = rows('names');
    expect(names?.total_name_bytes).toBe(Number(bytes));
    expect(Number(names?.average_name_bytes).toFixed(2)).toBe(average);
  });
};

if (hasServer) describe('keystats against the real redis-cli on the same data', parity);
else
  it('no redis-server is here: keystats was not compared with redis-cli', () =>
    expect(hasServer).toBe(false));

/** Keys of all types without a TTL; one in each type is far the biggest. */
function commands(): string {
  const lines: string[] = [];
  for (let i = 0; i < 300; i++) lines.push(`SET string:${i} ${'x'.repeat(i === 299 ? 9000 : i + 1)}`);
  for (let i = 1; i <= 40; i++) {
    const many = (name: (j: number) => string) =>
      Array.from({ length: i === 40 ? 800 : i * 5 }, (_, j) => name(j)).join(' ');
    lines.push(`RPUSH list:${i} ${many((j) => `item-${j}`)}`);
    lines.push(`SADD set:${i} ${many((j) => `member-${j}`)}`);
    lines.push(`HSET hash:${i} ${many((j) => `field-${j} value-${j}`)}`);
    lines.push(`ZADD zset:${i} ${many((j) => `${j} member-${j}`)}`);
    for (let j = 0; j < (i === 40 ? 400 : i); j++) lines.push(`XADD stream:${i} ${j + 1}-0 field value-${j}`);
  }
  return `${lines.join('\n')}\n`;
}

/** "12 hashs with 50 fields (10.00% of keys, avg size 4.17)" and "Biggest hash found "h" has 9 fields". */
function parseTotals(text: string): Map<string, TypeTotals> {
  const totals = new Map<string, TypeTotals>();
  for (const [, type, quoted, size] of text.matchAll(
    /^Biggest +(\w+) found '?("(?:[^"\\]|\\.)*")'? has (\d+) /gm,
  )) {
    const [, keys, total] = new RegExp(`^(\\d+) ${type}s with (\\d+) `, 'm').exec(text)!;
    totals.set(type!, {
      keys: Number(keys),
      total: Number(total),
      biggestKey: JSON.parse(quoted!) as string,
      biggestSize: Number(size),
    });
  }
  return totals;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
