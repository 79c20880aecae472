import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Calibration, calibrate } from '../../src/calibrate/calibrate.js';
import { totalErrors } from '../../src/calibrate/error-table.js';
import { startScratchServer } from '../../src/calibrate/scratch-server.js';
import { parseAddress, ServerProblem } from '../../src/calibrate/server-connection.js';
import { capturedRun } from '../cli/captured-run.js';
import { RdbBytes } from '../rdb-bytes.js';
import { bulk, ToldServer } from './told-server.js';

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const truth = (name: string): string => fixture(`truth/${name}/dump.rdb`);

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'calibrate-test-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Folders that a scratch server of ours left behind. */
const leftovers = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('rdbscope-calibrate-'));

function compareWithRedis(input: string, sample?: number): Promise<Calibration> {
  return calibrate({ input, server: { kind: 'scratch', program: 'redis-server' }, sample, model: {} });
}

describe('against a redis-server of this machine', () => {
  const [, version] = /v=(\d+\.\d+)/.exec(execFileSync('redis-server', ['--version']).toString()) ?? [];

  it.each([
    fixture('shop.rdb'),
    truth('redis-7.0-small'),
    truth('redis-6.2-small'),
    truth('redis-5.0-small'),
    truth('redis-4.0-small-wide'),
    truth('redis-2.8-small'),
  ])('%s: every key is asked for, nearly all are exact', async (input) => {
    const { kinds, facts, expiredKeys, server, worstKeys } = await compareWithRedis(input);
    const fixed = totalErrors(kinds.filter(({ encoding }) => encoding !== 'skiplist'));
    const all = totalErrors(kinds);
    expect(all.keys + all.missing + expiredKeys).toBe(facts.keysRead);
    expect(all.missing).toBe(0);
    expect(all.otherEncodings).toBe(0);
    expect(fixed.exact / fixed.keys, JSON.stringify(worstKeys.slice(0, 3))).toBeGreaterThanOrEqual(0.99);
    expect(fixed.within1Percent / fixed.keys).toBeGreaterThanOrEqual(0.99);
    expect(Math.abs(all.modelledBytes / all.serverBytes - 1)).toBeLessThan(0.005);
    expect(server.server).toMatch(new RegExp(`^redis ${version}\\.`));
  });

  it('a sample is the same each time and takes some of each kind', async () => {
    const [first, second] = [
      await compareWithRedis(truth('redis-6.2-small'), 5),
      await compareWithRedis(truth('redis-6.2-small'), 5),
    ];
    const counts = ({ kinds }: Calibration): string[] =>
      kinds.map(({ type, encoding, keys, modelledBytes }) => `${type} ${encoding} ${keys} ${modelledBytes}`);
    expect(counts(first)).toEqual(counts(second));
    expect(first.kinds.length).toBeGreaterThan(8);
    expect(Math.max(...first.kinds.map(({ keys }) => keys))).toBe(5);
  });

  it('says what a load would have to be told', async () => {
    const { stdout, exitCode } = await capturedRun(
      'calibrate',
      truth('redis-6.2-small'),
      '--redis-server',
      'redis-server',
      '-f',
      'json',
    );
    expect(exitCode).toBe(0);
    const texts = JSON.parse(stdout).reports[0].notes.map(({ text }: { text: string }) => text);
    expect(texts.join('\n')).toContain(`For this server add: --server-version ${version}`);
    expect(texts.join('\n')).toMatch(/keys compared/);
  });

  it('unpacks what is packed, and leaves nothing behind', async () => {
    const before = leftovers();
    const packed = join(scratch, 'shop.rdb.gz');
    writeFileSync(packed, gzipSync(readFileSync(fixture('shop.rdb'))));
    const { kinds } = await compareWithRedis(packed, 10);
    expect(totalErrors(kinds).keys).toBeGreaterThan(10);
    expect(leftovers()).toEqual(before);
  });

  it('ends the server and removes its folder when it is stopped', async () => {
    const before = leftovers();
    const controller = new AbortController();
    const server = { kind: 'scratch', program: 'redis-server' } as const;
    const request = { input: fixture('shop.rdb'), server, sample: undefined, model: {} };
    const onProgress = (): void => controller.abort(new Error('enough'));
    await expect(calibrate({ ...request, signal: controller.signal, onProgress })).rejects.toThrow('enough');
    expect(leftovers()).toEqual(before);
  });

  it('is ended by its own process id', async () => {
    const server = await startScratchServer('redis-server', fixture('shop.rdb'));
    expect(() => process.kill(server.pid, 0)).not.toThrow();
    await server.stop();
    expect(() => process.kill(server.pid, 0)).toThrow();
  });

  it('tells what a server says that can not load the file', async () => {
    const damaged = join(scratch, 'damaged.rdb');
    writeFileSync(damaged, Buffer.from('REDIS0099garbage'));
    await expect(compareWithRedis(damaged)).rejects.toThrow(
      /ended \(exit code 1\), its last words:[\s\S]*RDB format version 99/,
    );
    expect((await capturedRun('calibrate', damaged, '--redis-server', 'no-such-program')).stderr).toContain(
      'no-such-program is not there, or not in the PATH. Give the program',
    );
  });
});

describe('against a server that is told what to say', () => {
  const VALKEY = [
    'redis_version:7.2.4',
    'server_name:valkey',
    'valkey_version:8.1.3',
    'arch_bits:64',
    'mem_allocator:jemalloc-5.3.0',
    'loading:0',
    'db0:keys=2,expires=0,avg_ttl=0',
  ].join('\r\n');
  const POLITE = {
    'INFO all': bulk(VALKEY),
    'CONFIG GET *-max-*': `*2\r\n${bulk('hash-max-listpack-entries')}${bulk('1024')}`,
    'CONFIG GET': '*0\r\n',
    'MEMORY MALLOC-STATS': bulk('Quantum size: 8'),
    SELECT: '+OK\r\n',
    'MEMORY USAGE': ':56\r\n',
    'OBJECT ENCODING': bulk('embstr'),
  };
  let server: ToldServer | undefined;
  let snapshot: string;

  beforeAll(() => {
    snapshot = join(scratch, 'two.rdb');
    const bytes = new RdbBytes().aux('redis-ver', '7.2.4').hex('fe00');
    writeFileSync(snapshot, bytes.hex('00').string('a').string('x').hex('00').string('b').string('y').end());
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  async function ask(answers: Readonly<Record<string, string | (() => string)>>, ...options: string[]) {
    server = await ToldServer.start({ ...answers, ...POLITE, ...answers });
    return capturedRun('calibrate', snapshot, '--redis', server.address, '-f', 'json', ...options);
  }

  it('takes version, allocator and limits from it', async () => {
    const { stdout, stderr, exitCode } = await ask({}, '--all');
    expect(exitCode, stderr).toBe(0);
    const [report] = JSON.parse(stdout).reports;
    expect(report.parameters.profile).toBe('valkey 8.1, 64-bit, jemalloc, hash-max-listpack-entries 1024');
    expect(report.notes.map(({ text }: { text: string }) => text).join('\n')).toContain(
      'For this server add: --server-version valkey-8.1 --hash-max-listpack-entries 1024',
    );
  });

  it('only reads', async () => {
    await ask({});
    const READS =
      /^(INFO all|CONFIG GET \S+|MEMORY MALLOC-STATS|SELECT 0|MEMORY USAGE \S+ SAMPLES 0|OBJECT ENCODING \S+)$/;
    expect(server!.asked.filter((command) => !READS.test(command))).toEqual([]);
    expect(server!.asked).toHaveLength(9);
  });

  it('waits until it has loaded its file', async () => {
    let asked = 0;
    const loading = (): string => {
      asked++;
      if (asked === 1) return '-LOADING Redis is loading the dataset in memory\r\n';
      return asked === 2 ? bulk(VALKEY.replace('loading:0', 'loading:1')) : bulk(VALKEY);
    };
    const { exitCode } = await ask({ 'INFO all': loading });
    expect(exitCode).toBe(0);
    expect(asked).toBe(3);
  });

  it('warns when it holds other keys than the snapshot', async () => {
    const { stdout } = await ask({ 'INFO all': bulk(VALKEY.replace('keys=2', 'keys=3')) });
    expect(stdout).toContain('The server holds 3 keys, the snapshot 2');
  });

  it('counts the keys that it does not have', async () => {
    const { stdout } = await ask({ 'MEMORY USAGE b': '$-1\r\n' });
    const rows = JSON.parse(stdout).reports[0].sections[0].rows;
    expect(rows.at(-1)).toMatchObject({ type: 'all', keys: 1, missing_keys: 1 });
  });

  it('shows the keys that are off and those of another encoding', async () => {
    const { stdout } = await ask({ 'MEMORY USAGE b': ':100\r\n', 'OBJECT ENCODING a': bulk('raw') });
    const sections = JSON.parse(stdout).reports[0].sections;
    const rowsOf = (id: string): unknown[] =>
      sections.find((section: { id: string }) => section.id === id).rows;
    expect(rowsOf('worst')[0]).toMatchObject({ key: 'b', server_bytes: 100 });
    expect(rowsOf('encodings')).toMatchObject([{ key: 'a', encoding: 'embstr', server_encoding: 'raw' }]);
  });

  it('does without CONFIG and MALLOC-STATS', async () => {
    const refused = '-ERR unknown command\r\n';
    const { exitCode, stdout } = await ask({
      'CONFIG GET': refused,
      'CONFIG GET *-max-*': refused,
      'MEMORY MALLOC-STATS': refused,
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).reports[0].parameters.profile).toBe('valkey 8.1, 64-bit, jemalloc');
  });

  it('says when the figures are asked for another server than it is', async () => {
    const { stdout } = await ask({}, '--allocator', 'libc');
    expect(stdout).toContain('That is not what the server is: it was asked for by --allocator libc.');
  });

  it('ends when it refuses to tell memory', async () => {
    const { exitCode, stderr } = await ask({ 'MEMORY USAGE': "-ERR unknown command 'MEMORY'\r\n" });
    expect(exitCode).toBe(74);
    expect(stderr).toContain('refuses MEMORY USAGE');
    expect(stderr).toContain('it came with Redis 4.0');
  });

  it('ends when something else listens there', async () => {
    const { exitCode, stderr } = await ask({ 'INFO all': 'HTTP/1.1 400 Bad Request\r\n\r\n' });
    expect(exitCode).toBe(74);
    expect(stderr).toContain('speaks another protocol');
  });

  it('ends when it goes away', async () => {
    const gone = (): string => {
      setTimeout(() => void server?.stop(), 10);
      return '';
    };
    const { exitCode, stderr } = await ask({ 'MEMORY USAGE': gone });
    expect(exitCode).toBe(74);
    expect(stderr).toContain('closed the connection');
  });
});

describe('the address of a server', () => {
  it.each([
    ['localhost:7777', { host: 'localhost', port: 7777 }],
    ['10.0.0.1', { host: '10.0.0.1', port: 6379 }],
    ['[::1]:7777', { host: '::1', port: 7777 }],
    ['redis://scratch:7777/', { host: 'scratch', port: 7777 }],
    ['redis://me:p%40ss@scratch', { host: 'scratch', port: 6379, user: 'me', password: 'p@ss' }],
  ])('%s', (text, address) => {
    expect(parseAddress(text, undefined)).toEqual(address);
  });

  it('takes a password from the environment where it has none', () => {
    expect(parseAddress('host:1', 'secret')).toEqual({ host: 'host', port: 1, password: 'secret' });
  });

  it.each(['', 'a b', 'rediss://host:1', 'redis://host:1/2', 'host:99999'])('"%s" is none', (text) => {
    expect(() => parseAddress(text, undefined)).toThrow(ServerProblem);
  });
});

describe('the command line', () => {
  it.each([
    [[], 'give a server that has loaded the snapshot'],
    [['--redis', 'x:1', '--redis-server', 'y'], 'give a server that has loaded the snapshot'],
    [['--redis', 'x:1', '--sample', '0'], '--sample is 1 to 10000'],
  ])('%j is refused', async (options, message) => {
    const { exitCode, stderr } = await capturedRun('calibrate', fixture('shop.rdb'), ...options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
