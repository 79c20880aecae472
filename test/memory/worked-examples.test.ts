import { describe, expect, it } from 'vitest';
import type { ProfileRequest } from '../../src/memory/index.js';
import type { RdbBytes } from '../rdb-bytes.js';
import { hashKey, listKey, measure, setKey, stringKey, texts, zsetKey } from './measure.js';

/** Each server's build, as the figures below were measured on it. */
const SERVERS: readonly ProfileRequest[] = [
  { serverVersion: '6.2.16' },
  { serverVersion: '7.0.15', allocator: 'jemalloc-q16' },
  { serverVersion: '7.2.6' },
  { serverVersion: '7.4.1' },
  { serverVersion: '8.4' },
  { serverVersion: '8.8' },
  { serverVersion: '8.10' },
  { serverVersion: 'valkey-8.0.1' },
  { serverVersion: 'valkey-8.1' },
  { serverVersion: 'valkey-9.1' },
];

interface Example {
  readonly name: string;
  readonly snapshot: RdbBytes;
  /** MEMORY USAGE key SAMPLES 0 after a reload, in the order of the servers. */
  readonly told: readonly number[];
  /** Share by which the server's figure may differ because it is random there. */
  readonly scatter?: number;
}

const profileKey = `profile:${'p'.repeat(32)}`;
const pairs = (count: number): (readonly [string, string])[] =>
  texts(count, 10).map((field) => [field, 'v'.repeat(20)] as const);
const expiring = stringKey('user:1000', 'hello world!');

const EXAMPLES: readonly Example[] = [
  {
    name: 'a short string',
    snapshot: expiring,
    told: [70, 72, 72, 72, 48, 48, 48, 64, 48, 40],
  },
  {
    name: 'a string of 200 bytes under a key of 40',
    snapshot: stringKey(profileKey, 'v'.repeat(200)),
    told: [312, 312, 312, 312, 285, 288, 285, 304, 240, 288],
  },
  {
    name: 'a string of 20 bytes under a key of 40',
    snapshot: stringKey(profileKey, 'v'.repeat(20)),
    told: [110, 120, 112, 112, 83, 86, 83, 104, 40, 80],
  },
  {
    name: 'an integer',
    snapshot: stringKey('counter:1', '12345'),
    told: [56, 56, 56, 56, 28, 32, 28, 48, 16, 32],
  },
  {
    name: 'a packed hash',
    snapshot: hashKey('user:h', pairs(3)),
    told: [161, 160, 160, 160, 134, 141, 134, 160, 128, 144],
  },
  {
    name: 'a hash of 1000 fields',
    snapshot: hashKey('user:H', pairs(1000)),
    told: [72336, 80296, 72296, 72296, 70273, 68280, 68273, 72296, 57176, 57272],
    scatter: 0.015,
  },
  {
    name: 'a set of 1000 texts',
    snapshot: setKey('set:S', texts(1000, 11)),
    told: [48336, 48296, 48296, 48296, 45272, 45272, 45272, 29872, 33176, 33256],
    scatter: 0.015,
  },
  {
    name: 'a set of 400 integers',
    snapshot: setKey(
      'set:I',
      Array.from({ length: 400 }, (_, i) => String(i)),
    ),
    told: [856, 944, 944, 944, 832, 832, 832, 936, 912, 920],
  },
  {
    name: 'a sorted set of 1000 members',
    snapshot: zsetKey(
      'zset:Z',
      texts(1000, 11).map((member, i) => [member, i] as const),
    ),
    told: [94936, 102360, 94664, 94888, 91433, 86464, 86137, 94416, 79760, 70880],
    scatter: 0.02,
  },
  {
    name: 'a list of 1000 items',
    snapshot: listKey('list:L', texts(1000, 20)),
    told: [22217, 22736, 22736, 22736, 22214, 22221, 22214, 22736, 22704, 22720],
  },
  {
    name: 'a list of 3 items',
    snapshot: listKey('list:l', ['a', 'b', 'c']),
    told: [140, 144, 64, 64, 41, 48, 41, 64, 32, 48],
  },
];

/** Which figures the server leaves to chance: skiplists everywhere, the tables of Valkey. */
function isRandom(example: Example, server: ProfileRequest): boolean {
  if (example.scatter === undefined) return false;
  return example.name.startsWith('a sorted set') || server.serverVersion!.startsWith('valkey');
}

describe.each(EXAMPLES)('$name', (example) => {
  it.each(SERVERS.map((server, i) => [server.serverVersion, server, example.told[i]!] as const))(
    'takes in %s what MEMORY USAGE says',
    (_, server, told) => {
      const { memoryBytes } = measure(example.snapshot, server);
      if (isRandom(example, server)) {
        expect(Math.abs(memoryBytes - told)).toBeLessThanOrEqual(example.scatter! * told);
      } else {
        expect(memoryBytes).toBe(told);
      }
    },
  );
});
