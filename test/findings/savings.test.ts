import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadRules, runRules } from '../../src/findings/index.js';
import { loadSnapshot } from '../../src/load.js';
import { openStore } from '../../src/store/index.js';
import { RealServer, redisIsHere } from '../remediation/real-server.js';

/**
 * What a finding says would be saved, against what the server itself says before and after the change. Debian's server
 * has the system's jemalloc, whose quantum is 16.
 */
describe.runIf(redisIsHere)('what would be saved is what a server saves', () => {
  let server: RealServer;
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-savings-'));
  beforeAll(async () => {
    server = await RealServer.start(undefined, { 'enable-debug-command': 'local' });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The saving that a rule tells of the server's data. */
  async function toldSaving(rule: string): Promise<number> {
    await server.ask('SAVE');
    const output = join(folder, `${rule}.sqlite`);
    await loadSnapshot({ input: join(server.folder, 'dump.rdb'), output, allocator: 'jemalloc-q16' });
    const database = openStore(output);
    const found = runRules(database, new Map([[rule, loadRules().get(rule)!]]));
    database.close();
    return found.reduce((sum, finding) => sum + (finding.savingBytes ?? 0), 0);
  }

  /** MEMORY USAGE over all keys, after a reload as the model assumes it. */
  async function memory(): Promise<number> {
    await server.ask('DEBUG', 'RELOAD');
    const keys = (await server.ask('KEYS', '*')) as Uint8Array[];
    const sizes = await server.askAll(keys.map((key) => ['MEMORY', 'USAGE', key, 'SAMPLES', 0]));
    return sizes.reduce<number>((sum, size) => sum + Number(size), 0);
  }

  it('for strings that become hashes: within 5 %', async () => {
    await server.ask('FLUSHALL');
    for (let i = 0; i < 400; i++) {
      const name = `name-${'x'.repeat(i % 20)}`;
      await server.ask(
        'MSET',
        `user:${i}:name`,
        name,
        `user:${i}:age`,
        20 + (i % 60),
        `user:${i}:favor`,
        'football',
      );
    }
    const told = await toldSaving('string-family');
    const before = await memory();
    for (let i = 0; i < 400; i++) {
      const fields = ['name', 'age', 'favor'];
      const values = (await server.ask(
        'MGET',
        ...fields.map((field) => `user:${i}:${field}`),
      )) as Uint8Array[];
      await server.ask('DEL', ...fields.map((field) => `user:${i}:${field}`));
      await server.ask('HSET', `user:${i}`, ...fields.flatMap((field, at) => [field, values[at]!]));
    }
    const saved = before - (await memory());
    expect(saved).toBeGreaterThan(20_000);
    expect(Math.abs(told / saved - 1)).toBeLessThan(0.05);
  });

  it('for collections that a higher limit packs: within 5 %', async () => {
    await server.ask('FLUSHALL');
    for (const [k, count] of [520, 700, 1000].entries()) {
      const pairs = Array.from({ length: count }, (_, i) => [`field-${i}`, `value-${i * 7}`]).flat();
      await server.ask('HSET', `hash:${k}`, ...pairs);
    }
    for (const [k, count] of [140, 250].entries()) {
      const members = Array.from({ length: count }, (_, i) => [
        i * 11,
        `member-of-a-leaderboard-${i}`,
      ]).flat();
      await server.ask('ZADD', `rank:${k}`, ...members);
    }
    const told = await toldSaving('just-over-entries');
    const before = await memory();
    await server.ask('CONFIG', 'SET', 'hash-max-listpack-entries', 2048, 'zset-max-listpack-entries', 2048);
    const keys = (await server.ask('KEYS', '*')) as Uint8Array[];
    // The server packs what is written anew.
    for (const key of keys) await server.ask('EVAL', REWRITE, 1, key);
    const saved = before - (await memory());
    await server.ask('CONFIG', 'SET', 'hash-max-listpack-entries', 512, 'zset-max-listpack-entries', 128);
    expect(saved).toBeGreaterThan(100_000);
    expect(Math.abs(told / saved - 1)).toBeLessThan(0.05);
  });

  it('for shorter names: exactly', async () => {
    await server.ask('FLUSHALL');
    for (let i = 100; i < 400; i++) await server.ask('SET', `order:order_items:${i}`, 'x');
    const told = await toldSaving('repeated-segment');
    const before = await memory();
    for (let i = 100; i < 400; i++) await server.ask('RENAME', `order:order_items:${i}`, `order:items:${i}`);
    expect(told).toBe(before - (await memory()));
  });
});

const REWRITE = `
local key = KEYS[1]
if redis.call('TYPE', key).ok == 'hash' then
  local all = redis.call('HGETALL', key)
  redis.call('DEL', key)
  for i = 1, #all, 2 do redis.call('HSET', key, all[i], all[i + 1]) end
else
  local all = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  redis.call('DEL', key)
  for i = 1, #all, 2 do redis.call('ZADD', key, all[i + 1], all[i]) end
end
return 'done'`;
