import type { Database } from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bucketOf, makePlan, prefixIdOf } from '../../src/remediation/index.js';
import { SnapshotDatabase } from '../report/snapshot-database.js';
import { BINARY_NAME, fill, HOSTILE_NAMES, keyPlan, run } from './plan-world.js';
import { RealServer, redisIsHere, redisVersion } from './real-server.js';

it(redisIsHere ? 'plans are run on a redis-server of ours' : 'no redis-server here: no plan is run', () => {
  expect(redisVersion === undefined).toBe(!redisIsHere);
});

/** Names of keys that are not, or not the same, after something was done. */
function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

describe.runIf(redisIsHere)('a plan, run on the server that the snapshot is of', () => {
  let server: RealServer;
  let database: Database;
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    server = await RealServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    database?.close();
    database = await fill(server);
    before = await server.contents();
  });

  describe.each(['shell', 'redis-cli'] as const)('as %s', (form) => {
    it.each(['hash', 'set', 'list', 'zset', 'stream', 'string'])(
      'drains a %s and touches nothing else',
      async (type) => {
        const said = run(server, keyPlan(database, `big:${type}`, { action: 'drain' }), form);
        expect(said).not.toMatch(/ERR|skipped|NOSCRIPT/);
        expect(difference(before, await server.contents())).toEqual([`0/big:${type}`]);
      },
    );

    it('deletes, and touches nothing else', async () => {
      run(server, keyPlan(database, 'big:hash', { action: 'unlink' }), form);
      expect(difference(before, await server.contents())).toEqual(['0/big:hash']);
    });

    it('deletes and drains keys of any bytes', async () => {
      const selection = () => ({
        condition: { sql: '1', values: {} },
        prefixId: prefixIdOf(database, 'hostile'),
      });
      const names = [...HOSTILE_NAMES, BINARY_NAME]
        .map((name) => `0/hostile:${name.toString('latin1')}`)
        .sort();
      const drained = makePlan(database, {
        action: 'drain',
        selection: selection(),
        subject: 'hostile',
        pauseMs: 1,
      });
      expect(run(server, drained, form)).not.toMatch(/ERR|skipped/);
      expect(difference(before, await server.contents())).toEqual(names);
      database.close();
      database = await fill(server);
      const deleted = makePlan(database, { action: 'unlink', selection: selection(), subject: 'hostile' });
      expect(run(server, deleted, form).match(/unlinked/g)).toHaveLength(names.length);
      expect(difference(before, await server.contents())).toEqual(names);
    });

    it('trims the old side of a list, a sorted set and a stream', async () => {
      for (const type of ['list', 'zset', 'stream']) {
        run(server, keyPlan(database, `big:${type}`, { action: 'trim', keep: 1000 }), form);
      }
      const first = (await server.ask('LRANGE', 'big:list', 0, 0)) as Uint8Array[];
      expect(Buffer.from(first[0]!).toString()).toBe('item-1600');
    }, 30_000);

    it('gives a TTL to those of a prefix that have none', async () => {
      const selection = {
        condition: { sql: 'expires_at_ms IS NULL', values: {} },
        prefixId: prefixIdOf(database, 'session'),
      };
      const request = {
        action: 'expire',
        selection,
        subject: 'session',
        ttlSeconds: 3600,
        jitterSeconds: 600,
      } as const;
      await server.ask('DEL', 'session:1');
      await server.ask('EXPIRE', 'session:2', 7);
      const changed = await server.contents();
      const said = run(server, makePlan(database, request), form);
      const given = [...said.matchAll(/(\d+) of (?:100|50) keys got a TTL/g)].map((match) =>
        Number(match[1]),
      );
      expect(given).toHaveLength(3);
      expect(given.reduce((sum, one) => sum + one, 0)).toBe(248);
      const names = difference(changed, await server.contents());
      expect(names).toHaveLength(248);
      expect(names.every((name) => /^0\/session:\d+$/.test(name))).toBe(true);
      const ttls = (await server.askAll(names.map((name) => ['TTL', name.slice(2)]))).map(Number);
      expect(Math.min(...ttls)).toBeGreaterThan(3590);
      expect(Math.max(...ttls)).toBeLessThanOrEqual(4200);
      expect(new Set(ttls).size).toBeGreaterThan(100);
      expect(Number(await server.ask('TTL', 'session:2'))).toBeLessThanOrEqual(7);
    });

    it('splits a hash into buckets below the limit and leaves the hash', async () => {
      await server.ask('EXPIRE', 'big:hash', 5000);
      const said = run(server, keyPlan(database, 'big:hash', { action: 'split', bucketLimit: 1000 }), form);
      expect(said).toContain('copied 2600 fields');
      const made = difference(before, await server.contents());
      const buckets = ['0', '1', '2', '3'].map((number) => `0/big:hash:bucket:${number}`);
      expect(made).toEqual(['0/big:hash', ...buckets]); // the hash has a TTL now, which the buckets have too
      const sizes = (await server.askAll(buckets.map((name) => ['HLEN', name.slice(2)]))).map(Number);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2600);
      expect(Math.max(...sizes)).toBeLessThan(1000);
      for (const i of [0, 17, 2599]) {
        const field = `field-${i}`;
        const bucket = `big:hash:bucket:${bucketOf(Buffer.from(field), 4)}`;
        expect(await server.ask('HGET', bucket, field)).toEqual(Buffer.from(`v-field-${i}`));
        expect(Number(await server.ask('TTL', bucket))).toBeGreaterThan(4000);
      }
    });
  });

  it('leaves a key alone that is not what it was', async () => {
    await server.ask('DEL', 'big:hash', 'big:set', 'small:hash');
    await server.ask('SET', 'big:hash', 'another type');
    await server.ask('SADD', 'big:set', 'fewer');
    await server.ask('RPUSH', 'big:list', ...Array.from({ length: 270 }, (_, i) => `more-${i}`));
    const changed = await server.contents();
    for (const action of ['drain', 'unlink'] as const) {
      const said = ['big:hash', 'big:set', 'big:list', 'small:hash']
        .map((key) => run(server, keyPlan(database, key, { action }), 'shell'))
        .join('');
      expect(said.match(/skipped: .*/g)).toEqual([
        'skipped: the key is a string now',
        'skipped: its size is 1 now',
        'skipped: its size is 2870 now',
        'skipped: the key is gone',
      ]);
    }
    run(server, keyPlan(database, 'big:hash', { action: 'split' }), 'shell');
    expect(difference(changed, await server.contents())).toEqual([]);
    const wider = keyPlan(database, 'big:list', { action: 'drain', tolerance: 0.11 });
    expect(run(server, wider, 'shell')).toContain('isolated');
    expect(difference(changed, await server.contents())).toEqual(['0/big:list']);
  });

  it('takes 500 elements a call at most, and can be broken off and begun again', async () => {
    const plan = keyPlan(database, 'big:zset', { action: 'drain' });
    for (const { lua } of plan.scripts) await server.ask('SCRIPT', 'LOAD', lua);
    const [isolate, drain] = [...plan.steps()];
    const call = (step: typeof isolate) =>
      server.ask('EVALSHA', step!.script.sha1, step!.keys.length, ...step!.keys, ...step!.args);
    expect(Buffer.from((await call(isolate)) as Uint8Array).toString()).toBe('isolated');
    let left = 2600;
    for (let calls = 0; calls < 4; calls++) {
      const now = Number(await call(drain));
      expect(left - now).toBeLessThanOrEqual(500);
      expect(left - now).toBeGreaterThan(0);
      left = now;
    }
    await server.ask('ZADD', 'big:zset', 1, 'made anew meanwhile');
    run(server, plan, 'redis-cli');
    const after = await server.contents();
    expect([...after.keys()].filter((name) => name.includes('rdbscope'))).toEqual([]);
    expect(await server.ask('ZCARD', 'big:zset')).toBe(1);
  });

  it('does not write over buckets that are there', async () => {
    await server.ask('SET', 'big:hash:bucket:1', 'mine');
    const changed = await server.contents();
    const said = run(server, keyPlan(database, 'big:hash', { action: 'split', buckets: 2 }), 'shell');
    expect(said).toContain('skipped: there is a key big:hash:bucket:1 already');
    expect(difference(changed, await server.contents())).toEqual([]);
  });

  it('does nothing before it is confirmed', async () => {
    const plan = keyPlan(database, 'big:hash', { action: 'unlink' });
    expect(() => run(server, plan, 'unconfirmed')).toThrow('Nothing was done');
    expect(difference(before, await server.contents())).toEqual([]);
  });
});

describe.runIf(redisIsHere)('in a cluster', () => {
  it('empties keys in their own slots and gives TTLs one by one', async () => {
    const server = await RealServer.start(undefined, { 'cluster-enabled': 'yes' });
    try {
      await server.ask('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
      for (
        let tries = 0;
        !String(await server.ask('CLUSTER', 'INFO')).includes('cluster_state:ok');
        tries++
      ) {
        expect(tries).toBeLessThan(100);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const keys = ['plain', 'cart:{7}:items', ...HOSTILE_NAMES, BINARY_NAME].map((name) =>
        Buffer.from(name),
      );
      const snapshot = new SnapshotDatabase({ memory_profile: 'redis 7.0, 64-bit, jemalloc, cluster' });
      for (const key of keys) {
        await server.ask('RPUSH', key, ...Array.from({ length: 1200 }, (_, i) => `item-${i}`));
        snapshot.key(key.toString('utf8') === '' ? '' : key, { type: 'list', elements: 1200 });
        await server.ask('SET', Buffer.concat([Buffer.from('keep:'), key]), 'x');
      }
      const database = snapshot.build();
      const selection = { condition: { sql: '1', values: {} }, prefixId: undefined };
      const before = await server.contents([0]);
      const expire = makePlan(database, { action: 'expire', selection, subject: 'all', ttlSeconds: 1000 });
      expect(run(server, expire, 'shell').match(/1 of 1 keys got a TTL/g)).toHaveLength(keys.length);
      const drain = makePlan(database, { action: 'drain', selection, subject: 'all', pauseMs: 1 });
      expect(run(server, drain, 'shell')).not.toMatch(/CROSSSLOT|MOVED|ERR|skipped: its|skipped: an/);
      const after = await server.contents([0]);
      expect([...after.keys()].every((name) => name.startsWith('0/keep:'))).toBe(true);
      expect(difference(before, after)).toHaveLength(before.size - after.size);
    } finally {
      await server.stop();
    }
  });
});
