import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { THRESHOLDS } from '../../src/memory/index.js';
import { openStore } from '../../src/store/index.js';
import { capturedRun } from './captured-run.js';

const scratch = mkdtempSync(join(tmpdir(), 'model-options-'));
const database = join(scratch, 'x.sqlite');
const snapshot = new URL('../../fixtures/truth/redis-7.2-small/dump.rdb', import.meta.url).pathname;

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function profileAfter(...options: string[]): Promise<{ files: unknown; meta: unknown }> {
  const { exitCode, stderr } = await capturedRun('load', snapshot, '-o', database, ...options);
  expect(exitCode, stderr).toBe(0);
  const store = openStore(database);
  try {
    return {
      files: store.prepare('SELECT memory_profile FROM files').pluck().get(),
      meta: store.prepare("SELECT value FROM meta WHERE name = 'memory_profile'").pluck().get(),
    };
  } finally {
    store.close();
  }
}

describe('the server that memory is modelled for', () => {
  it.each([
    [[], 'redis 7.2, 64-bit, jemalloc'],
    [['--server-version', '7.0', '--allocator', 'jemalloc-q16'], 'redis 7.0, 64-bit, jemalloc-q16'],
    [['--server-version', 'valkey-8.1', '--word-size', '32'], 'valkey 8.1, 32-bit, jemalloc'],
    [
      ['--cluster', '--hash-max-ziplist-entries', '64', '--list-max-listpack-size', '-1'],
      'redis 7.2, 64-bit, jemalloc, cluster, hash-max-listpack-entries 64, list-max-listpack-size -1',
    ],
  ])('is what %j say, and is kept', async (options, profile) => {
    expect(await profileAfter(...options)).toEqual({ files: profile, meta: profile });
  });

  it('takes limits from a configuration; an option stands over it', async () => {
    const config = join(scratch, 'redis.conf');
    writeFileSync(config, 'cluster-enabled yes\nhash-max-ziplist-entries 100\nset-max-intset-entries 9\n');
    const { files } = await profileAfter('--config', config, '--hash-max-listpack-entries', '200');
    expect(files).toBe(
      'redis 7.2, 64-bit, jemalloc, cluster, hash-max-listpack-entries 200, set-max-intset-entries 9',
    );
  });

  it('changes what keys take', async () => {
    const packed = (): number => {
      const store = openStore(database);
      const count = store.prepare("SELECT COUNT(*) FROM keys WHERE encoding = 'listpack' AND type = 'hash'");
      const found = count.pluck().get() as number;
      store.close();
      return found;
    };
    await profileAfter();
    const usual = packed();
    await profileAfter('--hash-max-listpack-entries', '4');
    expect(packed()).toBeLessThan(usual);
  });

  it('is told to be a guess on stderr and in the database', async () => {
    const { exitCode, stderr } = await capturedRun(
      'load',
      snapshot,
      '-o',
      database,
      '--server-version',
      '6.9',
    );
    expect(exitCode).toBe(0);
    expect(stderr).toContain('version 6.9 is not known; memory is told as of redis 6.2');
    const store = openStore(database);
    const problem = store.prepare("SELECT severity, text FROM problems WHERE code = 'memory-profile'").get();
    store.close();
    expect(problem).toEqual({
      severity: 'warning',
      text: 'version 6.9 is not known; memory is told as of redis 6.2',
    });
  });

  it.each([
    [['--server-version', 'latest'], 'Give a version such as 7.2 or valkey-8.1. Known: redis 2.8,'],
    [['--word-size', '16'], 'Give 32 or 64.'],
    [['--allocator', 'tcmalloc'], 'Allowed choices are jemalloc, jemalloc-q16, libc.'],
    [['--hash-max-listpack-entries', 'lots'], 'Give a whole number.'],
    [
      ['--hash-max-listpack-entries', '1', '--hash-max-ziplist-entries', '2'],
      '--hash-max-listpack-entries and --hash-max-ziplist-entries are one setting and say different things',
    ],
  ])('%j is refused', async (options, message) => {
    const { exitCode, stderr } = await capturedRun('load', snapshot, '-o', database, ...options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('names the line of a configuration that it can not use', async () => {
    const config = join(scratch, 'bad.conf');
    writeFileSync(config, 'port 1\nset-max-intset-entries lots\n');
    const { exitCode, stderr } = await capturedRun('load', snapshot, '-o', database, '--config', config);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('line 2: set-max-intset-entries lots');
  });

  it.each(['analyze', 'load'])('help of %s shows each limit once, under its newest name', async (command) => {
    const { stdout } = await capturedRun(command, '--help');
    for (const { settings } of Object.values(THRESHOLDS)) {
      expect(stdout.split(`--${settings[0]} `)).toHaveLength(2);
      for (const old of settings.slice(1)) expect(stdout).not.toContain(`--${old} `);
    }
  });
});
