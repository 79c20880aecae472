import { describe, expect, it } from 'vitest';
import {
  bucketsFor,
  jsonLines,
  makePlan,
  PlanError,
  redisCliLines,
  redisQuoted,
  shellLines,
} from '../../src/remediation/index.js';
import { plannedNames } from '../../src/remediation/planned-names.js';
import { hashSlot } from '../../src/store/hash-slot.js';
import { SnapshotDatabase } from '../report/snapshot-database.js';
import { BINARY_NAME, HOSTILE_NAMES } from './plan-world.js';

const snapshot = new SnapshotDatabase()
  .key('hash', { type: 'hash', elements: 12_000, memoryBytes: 900_000 })
  .key('fields', { type: 'hash', elements: 10_000, fieldsWithTtl: 3 })
  .key('set', { type: 'set', elements: 9_000 })
  .key('heavy', { type: 'hash', elements: 10, memoryBytes: 100_000_000 })
  .key('json', { type: 'module', module: 'ReJSON-RL', elements: null, payloadBytes: null })
  .key(BINARY_NAME, { type: 'string', payloadBytes: 7 });
for (const [i, name] of HOSTILE_NAMES.entries()) snapshot.key(`h${i}:${name}`, { payloadBytes: 7 });
const database = snapshot.build();

type Action = 'unlink' | 'drain' | 'trim' | 'expire' | 'split';

function planFor(action: Action, sql: string, options: { isCluster?: boolean; batch?: number } = {}) {
  return makePlan(database, {
    action,
    selection: { condition: { sql, values: {} }, prefixId: undefined },
    subject: sql,
    ...options,
  });
}

describe('quoting for redis-cli', () => {
  it('writes every byte so that the line stays one line in single quotes', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const text = redisQuoted(all);
    expect(text).toMatch(/^"[\x20-\x26\x28-\x7e]*"$/);
    const read = text
      .slice(1, -1)
      .replace(/\\(?:x([0-9a-f]{2})|(.))/g, (_, hex, other) =>
        hex === undefined ? other : String.fromCharCode(Number.parseInt(hex, 16)),
      );
    expect(Buffer.from(read, 'latin1')).toEqual(Buffer.from(all));
  });
});

describe('the forms of a plan', () => {
  it('are ASCII, whatever the keys are called', () => {
    const plan = planFor('unlink', "type = 'string'");
    for (const lines of [shellLines(plan), redisCliLines(plan), jsonLines(plan)]) {
      for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]*$/);
    }
  });

  it('as a shell script quotes each command with nothing inside that ends the quotes', () => {
    const calls = [...shellLines(planFor('unlink', "type = 'string'"))].filter((line) =>
      line.startsWith('say '),
    );
    expect(calls).toHaveLength(HOSTILE_NAMES.length + 1);
    for (const call of calls) expect(call).toMatch(/^say \d+ '[^']*'$/);
  });

  it('as JSON tells keys printable and exact', () => {
    const plan = JSON.parse([...jsonLines(planFor('unlink', 'payload_bytes = 7'))].join(''));
    expect(plan).toMatchObject({ schema_version: 1, action: 'unlink', keys: HOSTILE_NAMES.length + 1 });
    expect(plan.scripts.map((script: { name: string }) => script.name)).toEqual(['unlink']);
    const hexes = plan.steps.map((step: { keys: { hex: string }[] }) => step.keys[0]!.hex);
    expect(hexes).toContain(BINARY_NAME.toString('hex'));
    expect(plan.steps[0].arguments).toEqual(['string', 7, 7, 'UNLINK']);
  });
});

describe('what a plan takes into account', () => {
  it('long elements: fewer of them a call', () => {
    const [, drain] = [...planFor('drain', "type = 'hash' AND memory_bytes > 1000000").steps()];
    expect(drain!.args).toEqual([1]);
    const [, usual] = [...planFor('drain', "type = 'hash' AND elements = 12000").steps()];
    expect(usual!.args).toEqual([500]);
    expect(() => planFor('drain', '1', { batch: 501 })).toThrow(PlanError);
  });

  it('modules: their own type name, no size', () => {
    const [step] = [...planFor('drain', "type = 'module'").steps()];
    expect(step!.args).toEqual(['ReJSON-RL', -1, -1, 'UNLINK']);
  });

  it('what can not be done', () => {
    expect(() => planFor('trim', "type = 'set'")).toThrow('no order');
    expect(() => planFor('split', "type = 'set'")).toThrow('only a hash');
    expect(() => planFor('split', 'fields_with_ttl > 0')).toThrow('TTL of their own');
    expect(() => planFor('split', "type = 'hash'", { isCluster: true })).toThrow('one slot only');
    expect(() => planFor('unlink', '0')).toThrow('no such keys');
  });

  it.each([
    [7_500, 5000, 2],
    [7_501, 5000, 4],
    [12_000, 5000, 4],
    [14_200_311, 5000, 4096],
  ])('%i fields and at most %i a bucket need %i buckets', (fields, limit, buckets) => {
    expect(bucketsFor(fields, limit)).toBe(buckets);
  });

  it('slots: names of its own lie where the key lies', () => {
    for (const name of ['plain', 'with:{tag}:x', '{a}{b}', 'a}b{c}', 'x{', ...HOSTILE_NAMES, BINARY_NAME]) {
      const key = Buffer.from(name);
      const facts = {
        db: 0,
        key,
        type: 'hash',
        size: 1,
        memoryBytes: 1,
        fieldsWithTtl: 0,
        largestElementBytes: 1,
      };
      const names = plannedNames('plan', facts, true);
      if (names === undefined) expect(key.length === 0 || key.includes('}')).toBe(true);
      else expect([hashSlot(names.doomed), hashSlot(names.cursor)]).toEqual([hashSlot(key), hashSlot(key)]);
    }
  });

  it('a cluster: one key a call', () => {
    expect([...planFor('expire', 'payload_bytes = 7', { isCluster: true }).steps()]).toHaveLength(10);
    expect([...planFor('expire', 'payload_bytes = 7').steps()]).toHaveLength(1);
  });
});
