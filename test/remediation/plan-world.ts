import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { loadSnapshot } from '../../src/load.js';
import {
  makePlan,
  type Plan,
  type PlanRequest,
  redisCliLines,
  shellLines,
} from '../../src/remediation/index.js';
import { openStore } from '../../src/store/index.js';
import type { RealServer } from './real-server.js';

type Word = string | number | Uint8Array;

/** Names that break naive quoting. */
export const HOSTILE_NAMES: readonly Uint8Array[] = [
  `it's "quoted" \\ and $(id) \`id\` %s %n`,
  'line\nbreak\r\ttab',
  'müller 日本 🙂',
  '-n',
  '# no comment',
  '3 PING',
  '{tag}:with braces',
  'a}b{c',
  '',
].map((name) => Buffer.from(name));

export const BINARY_NAME = Buffer.from([0x62, 0x69, 0x6e, 0x00, 0xff, 0x0a, 0x27, 0x22, 0x5c, 0xfe]);

/** A server with keys of every type, some of them hostile by name, and the database of its snapshot. */
export async function fill(server: RealServer): Promise<Database> {
  await server.ask('FLUSHALL');
  const names = (count: number, name: string): string[] =>
    Array.from({ length: count }, (_, i) => `${name}${i}`);
  const pairs = (count: number): string[] => names(count, 'field-').flatMap((field) => [field, `v-${field}`]);
  await batched(server, 'HSET', 'big:hash', pairs(2600), 2);
  await batched(server, 'SADD', 'big:set', names(2600, 'member-'), 1);
  await batched(server, 'RPUSH', 'big:list', names(2600, 'item-'), 1);
  const scored = names(2600, 'm').flatMap((member, i) => [String(i), member]);
  await batched(server, 'ZADD', 'big:zset', scored, 2);
  await server.askAll(names(1200, '').map((_, i) => ['XADD', 'big:stream', `${i + 1}-0`, 'f', `v${i}`]));
  await server.ask('XGROUP', 'CREATE', 'big:stream', 'g', '0');
  await server.ask('SET', 'big:string', 'x'.repeat(20_000));
  await server.ask('HSET', 'small:hash', 'a', '1');
  await server.ask('RPUSH', 'small:list', 'a', 'b', 'c');
  for (let i = 0; i < 250; i++) await server.ask('SET', `session:${i}`, `user-${i}`);
  await server.ask('SET', 'session:250', 'expires', 'EX', 1000);
  for (const name of [...HOSTILE_NAMES, BINARY_NAME]) {
    await server.ask('HSET', Buffer.concat([Buffer.from('hostile:'), name]), ...pairs(3));
  }
  await server.ask('SELECT', 1);
  await server.ask('RPUSH', 'big:list', 'another', 'database');
  await server.ask('SELECT', 0);
  await server.ask('SAVE');
  const output = join(server.folder, 'world.sqlite');
  await loadSnapshot({ input: join(server.folder, 'dump.rdb'), output });
  return openStore(output);
}

/** A plan for one key, as `--key` makes it. */
export function keyPlan(
  database: Database,
  key: Word,
  request: Omit<PlanRequest, 'selection' | 'subject'>,
): Plan {
  const bytes = Buffer.from(typeof key === 'number' ? String(key) : key);
  return makePlan(database, {
    pauseMs: 1,
    ...request,
    selection: {
      condition: {
        sql: 'CAST(key AS BLOB) = :plan_key AND db = 0',
        values: { plan_key: bytes } as unknown as PlanRequest['selection']['condition']['values'],
      },
      prefixId: undefined,
    },
    subject: `key ${bytes.toString('hex')}`,
  });
}

/** Runs a plan with the real redis-cli and returns what it says. */
export function run(server: RealServer, plan: Plan, form: 'shell' | 'redis-cli' | 'unconfirmed'): string {
  const lines = [...(form === 'redis-cli' ? redisCliLines(plan) : shellLines(plan))]
    .map((line) => `${line}\n`)
    .join('');
  const client = ['-h', '127.0.0.1', '-p', String(server.port)];
  const { stdout, stderr, status } =
    form !== 'redis-cli'
      ? spawnSync('sh', ['-s'], {
          input: lines,
          encoding: 'utf8',
          env: {
            ...process.env,
            CONFIRM: form === 'shell' ? 'yes' : '',
            REDIS_CLI: `redis-cli ${client.join(' ')}`,
            PAUSE: '0',
          },
        })
      : spawnSync('redis-cli', client, { input: lines, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the plan ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

async function batched(
  server: RealServer,
  command: string,
  key: string,
  words: readonly string[],
  step: number,
): Promise<void> {
  const size = 500 * step;
  for (let at = 0; at < words.length; at += size)
    await server.ask(command, key, ...words.slice(at, at + size));
}
