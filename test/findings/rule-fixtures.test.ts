import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cleanSnapshot, ruleSnapshots } from '../../fixtures/makers/rules.js';
import { loadRules, type RuleSettings } from '../../src/findings/index.js';
import { findings, loaded } from './found.js';

const FOLDER = new URL('../../fixtures/', import.meta.url);

interface Case {
  readonly settings?: RuleSettings;
  /** `severity subject: keys`, in order of rank. */
  readonly found: readonly string[];
}

/** What each rule finds in its own fixture; nothing else of that rule may turn up. */
const EXPECTED: Readonly<Record<string, readonly Case[]>> = {
  'control-characters': [
    { found: ['warning delete\\x7f: 1', 'warning line\\x0abreak: 1', 'warning unit\\x1f: 1'] },
  ],
  'unsafe-characters': [
    {
      found: [
        'warning set user 1: 1',
        'warning "q": 1',
        'warning any?: 1',
        'warning at[0]: 1',
        'warning b\\x5cs: 1',
        'warning f(x): 1',
        "warning it's: 1",
        'warning open{: 1',
        'warning tmp*: 1',
        'warning {a}{b}: 1',
      ],
    },
  ],
  'other-characters': [
    { found: ['note kunde:müller: 1', 'note path/to: 1'] },
    {
      settings: { dash: 'forbidden' },
      found: ['note kunde:müller: 1', 'note path/to: 1', 'note sku-123: 1'],
    },
  ],
  'first-character': [{ found: ['note : 1', 'note 9lives: 1', 'note _x: 1', 'note {1}:x: 1'] }],
  'not-utf8': [{ found: ['warning b\\xc3: 1', 'warning b\\xff: 1'] }],
  'long-name': [
    { found: ['warning nnnnnnnn…129: 1'] },
    { settings: { 'long-name.max_bytes': '127' }, found: ['warning nnnnnnnn…65: 2'] },
  ],
  'repeated-segment': [{ found: ['note cx: 2', 'note order: 1'] }],
  'type-suffix': [{ found: ['note plain: 5', 'note b: 1'] }, { settings: { in_use: '0.51' }, found: [] }],
  'costly-names': [
    { found: [] },
    { settings: { min_saving: '800' }, found: ['note a_name_that_is_far_too_long: 100'] },
    { settings: { min_saving: '801' }, found: [] },
  ],
  'big-string': [
    { found: ['warning text{n}: 3'] },
    { settings: { critical: '20KB' }, found: ['error text20001: 1', 'warning text{n}: 2'] },
  ],
  'big-collection': [
    { found: ['error list10001: 1', 'warning set5001: 1', 'warning list{n}: 2'] },
    {
      settings: { hash_members: '2', hash_bytes: '1' },
      found: ['error list10001: 1', 'warning set5001: 1', 'warning list{n}: 2'],
    },
  ],
  'table-in-hash': [
    { found: [] },
    { settings: { limit: '500', critical: '600' }, found: ['error table601: 1', 'warning table501: 1'] },
  ],
  'heavy-key': [
    { found: [] },
    { settings: { min_share: '0.04' }, found: ['warning heavy: 1'] },
    { settings: { min_share: '0.04', snapshot_keys: '1001' }, found: ['warning heavy: 1'] },
    { settings: { min_share: '0.04', snapshot_keys: '1002' }, found: [] },
  ],
  'long-element': [{ found: ['warning hash10001: 1'] }],
  compressible: [{ found: [] }, { settings: { min_saving: '1KB' }, found: ['note json:1: 1'] }],
  'short-lived-no-ttl': [{ found: ['warning cache:of11: 11', 'warning cache:of10: 10'] }],
  'mixed-ttl': [{ found: ['warning tenth:{n}: 10', 'warning one:0: 1'] }],
  'cold-keys': [{ found: ['note cold:1: 1'] }],
  'evictable-share': [
    { found: [] },
    { settings: { min_share: '0.101' }, found: ['note memory in keys with a TTL: 9'] },
  ],
  'expiring-big-key': [{ found: ['warning over: 1'] }],
  'expiry-burst': [{ found: ['warning 1796097600000: 100'] }],
  'other-databases': [{ found: ['note db 1: 2'] }],
  'just-over-entries': [
    { found: ['note hash1024: 1', 'note hash513: 1', 'note zset256: 1', 'note zset129: 1'] },
    {
      settings: { min_saving: '1' },
      found: [
        'note hash1024: 1',
        'note hash513: 1',
        'note zset256: 1',
        'note zset129: 1',
        'note set256: 1',
        'note set129: 1',
      ],
    },
    { settings: { factor: '1.1' }, found: ['note hash513: 1', 'note zset129: 1'] },
  ],
  'just-over-length': [{ found: ['note hash128: 1', 'note hash65: 1'] }],
  'one-long-element': [{ found: ['note one129: 1'] }],
  'intset-miss': [{ found: ['note limit513: 1', 'note one: 1'] }],
  'string-family': [
    { found: [] },
    {
      settings: { min_saving: '1' },
      found: ['warning half: 300', 'warning user: 300', 'warning less:{n}: 240'],
    },
  ],
  'hash-tag': [{ found: ['warning tenant101: 101', 'warning tenant100: 100'] }],
  'heavy-slot': [{ found: [] }, { settings: { slot_bytes: '5KB' }, found: ['note 8060: 1'] }],
  'spread-objects': [{ found: ['note cart100: 200'] }],
};

it('every rule has a fixture and an expectation', () => {
  const ids = [...loadRules().keys()].sort();
  expect(Object.keys(ruleSnapshots).sort()).toEqual(ids);
  expect(Object.keys(EXPECTED).sort()).toEqual(ids);
});

describe.each(Object.entries(ruleSnapshots))('rule %s', (rule, make) => {
  const file = new URL(`rules/${rule}.rdb`, FOLDER);

  it('has its fixture as its maker makes it', () => {
    const bytes = make().end();
    if (process.env.UPDATE_FIXTURES === '1') {
      if (!existsSync(new URL('rules/', FOLDER))) mkdirSync(new URL('rules/', FOLDER));
      writeFileSync(file, bytes);
    }
    expect(Buffer.compare(readFileSync(file), bytes)).toBe(0);
  });

  it('tells what is over its threshold from what is at it', async () => {
    const database = await loaded(readFileSync(file));
    try {
      for (const { settings, found } of EXPECTED[rule]!) {
        const lines = findings(database, rule, settings ?? {});
        expect(lines.map((line) => line.replace(` ${rule} `, ' '))).toEqual(found);
      }
    } finally {
      database.close();
    }
  });
});

describe('the clean shop', () => {
  const file = new URL('clean.rdb', FOLDER);

  it('is as its maker makes it', () => {
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(file, cleanSnapshot());
    expect(Buffer.compare(readFileSync(file), cleanSnapshot())).toBe(0);
  });

  it('breaks no rule', async () => {
    const database = await loaded(readFileSync(file));
    expect(findings(database)).toEqual([]);
    database.close();
  });
});
