import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DAY, RuleSnapshot, SAVED_AT_MS } from '../../fixtures/makers/rule-snapshot.js';
import { rdbscope, scratchFolder } from '../cli/cli-run.js';
import { RealServer, redisIsHere } from './real-server.js';

const folder = scratchFolder();
const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url));

interface Case {
  readonly name: string;
  readonly snapshot: Uint8Array;
  readonly rule: string;
  readonly findingArgs?: readonly string[];
  readonly planArgs?: readonly string[];
  /** The keys that may be another thing afterwards; others must be as they were. */
  readonly touches: RegExp;
  readonly touched: number;
  /** What is true of the touched keys afterwards. */
  readonly after: (server: RealServer, names: readonly string[]) => Promise<void>;
}

const areGone: Case['after'] = async (server, names) => {
  expect(await server.ask('EXISTS', ...names)).toBe(0);
};
const expire: Case['after'] = async (server, names) => {
  const ttls = (await server.askAll(names.map((name) => ['TTL', name]))).map(Number);
  expect(Math.min(...ttls)).toBeGreaterThan(86_000);
  expect(Math.max(...ttls)).toBeLessThanOrEqual(86_400 * 1.2);
};

/** A big set with a TTL that still lies ahead whenever this runs. */
function expiringSnapshot(): Uint8Array {
  const ttlMs = Math.max(0, Date.now() - SAVED_AT_MS) + DAY;
  return new RuleSnapshot().integers('over', 5_001, { ttlMs }).integers('at', 5_000, { ttlMs }).end();
}

const cases: readonly Case[] = [
  {
    name: 'sessions of the shop without a TTL',
    snapshot: fixture('shop.rdb'),
    rule: 'short-lived-no-ttl',
    planArgs: ['--ttl', '1d'],
    touches: /^session:/,
    touched: 800,
    after: expire,
  },
  {
    name: 'the export of the shop',
    snapshot: fixture('shop.rdb'),
    rule: 'big-string',
    touches: /^export:catalog\.csv$/,
    touched: 1,
    after: areGone,
  },
  {
    name: 'the leaderboard and the queue of the shop',
    snapshot: fixture('shop.rdb'),
    rule: 'heavy-key',
    planArgs: ['--keep', '100'],
    touches: /^(rank:global|queue:mail)$/,
    touched: 2,
    after: async (server) => {
      expect(await server.ask('ZCARD', 'rank:global')).toBe(100);
      expect(await server.ask('LLEN', 'queue:mail')).toBe(100);
      const [last] = (await server.ask('LRANGE', 'queue:mail', -1, -1)) as Uint8Array[];
      expect(Buffer.from(last!).toString()).toContain('"order":703199'); // the newest stays
    },
  },
  {
    name: 'lists and sets over the limit, errors and warnings each with their own keys',
    snapshot: fixture('rules/big-collection.rdb'),
    rule: 'big-collection',
    touches: /^(list5001|list10000|list10001|set5001)$/,
    touched: 4,
    after: areGone,
  },
  {
    name: 'a table in a hash',
    snapshot: fixture('rules/table-in-hash.rdb'),
    rule: 'table-in-hash',
    findingArgs: ['-p', 'table-in-hash.limit=500', '-p', 'table-in-hash.critical=600'],
    planArgs: ['--bucket-limit', '500', '-p', 'table-in-hash.limit=500', '-p', 'table-in-hash.critical=600'],
    touches: /^table(501|601):bucket:[01]$/,
    touched: 4,
    after: async (server, names) => {
      const sizes = (await server.askAll(names.map((name) => ['HLEN', name]))).map(Number);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(501 + 601);
      expect(Math.max(...sizes)).toBeLessThan(500);
    },
  },
  {
    name: 'leaked keys of a prefix whose others expire',
    snapshot: fixture('rules/mixed-ttl.rdb'),
    rule: 'mixed-ttl',
    planArgs: ['--ttl', '1d'],
    touches: /^(tenth:\d|one:0)$/,
    touched: 11,
    after: expire,
  },
  {
    name: 'keys nobody has touched',
    snapshot: fixture('rules/cold-keys.rdb'),
    rule: 'cold-keys',
    planArgs: ['--ttl', '1d'],
    touches: /^cold:1$/,
    touched: 1,
    after: expire,
  },
  {
    name: 'a big set that would expire',
    snapshot: expiringSnapshot(),
    rule: 'expiring-big-key',
    touches: /^over$/,
    touched: 1,
    after: areGone,
  },
];

describe.runIf(redisIsHere)('the plans of findings, on a server with the same snapshot', () => {
  it.each(cases)('mend $name ($rule) and touch nothing else', async (one) => {
    const server = await RealServer.start(one.snapshot);
    try {
      const before = await server.contents();
      for (const plan of await plansFor(one)) {
        const { status, stdout, stderr } = spawnSync('sh', ['-s'], {
          input: plan,
          encoding: 'utf8',
          env: {
            ...process.env,
            CONFIRM: 'yes',
            PAUSE: '0',
            REDIS_CLI: `redis-cli -h 127.0.0.1 -p ${server.port}`,
          },
        });
        expect([status, stderr]).toEqual([0, '']);
        expect(stdout).not.toMatch(/skipped|ERR/);
      }
      const after = await server.contents();
      const names = [...new Set([...before.keys(), ...after.keys()])].filter(
        (name) => before.get(name) !== after.get(name) && stillThere(name, before, after),
      );
      const touched = names.map((name) => name.slice('0/'.length));
      expect(touched.filter((name) => !one.touches.test(name))).toEqual([]);
      expect(touched).toHaveLength(one.touched);
      await one.after(server, touched);
    } finally {
      await server.stop();
    }
  });
});

/** Keys of a fixture with a TTL of their own may end while the test runs: those are not the plan's doing. */
function stillThere(
  name: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): boolean {
  return after.has(name) || before.get(name)?.startsWith('stays') === true || name.endsWith('/over');
}

/** A plan for each finding of the rule, as the command line makes them. */
async function plansFor({ snapshot, rule, findingArgs = [], planArgs = [] }: Case): Promise<string[]> {
  const input = join(folder, `${rule}.rdb`);
  const database = join(folder, `${rule}.sqlite`);
  writeFileSync(input, snapshot);
  await rdbscope(['load', input, '-o', database]);
  const told = await rdbscope(['findings', database, '--rule', rule, '--format', 'json', ...findingArgs]);
  const rows = JSON.parse(told.stdout).reports[0].sections[0].rows as { finding: string }[];
  expect(rows.length).toBeGreaterThan(0);
  const plans: string[] = [];
  for (const { finding } of rows) {
    const { exitCode, stdout, stderr } = await rdbscope(['plan', database, '--for', finding, ...planArgs]);
    expect([exitCode, stderr]).toEqual([0, '']);
    plans.push(stdout);
  }
  return plans;
}
