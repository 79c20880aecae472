import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadKeys, rowsOf, single } from './key-feed.js';

const database = loadKeys([{ key: 'user:1:x' }, { key: Uint8Array.of(0xff, 0x00) }, { key: '{tag}:y' }]);

describe('SQL functions', () => {
  it.each([
    ["hash_slot('foo')", 12_182],
    ["hash_slot('{user1000}.following')", 3443],
    ["hash_slot('foo{}{bar}')", 8363], // an empty tag is none
    ["hash_slot('foo{{bar}}zap')", 4015],
    ["hash_slot('')", 0],
    ["hash_slot(x'666f6f')", 12_182],
    ["hash_tag('{user1000}.following')", 'user1000'],
    ["hash_tag('foo{{bar}}zap')", '{bar'],
    ["hash_tag('foo{}{bar}')", null],
    ["hash_tag('foo')", null],
    ['size_bucket(0)', -1],
    ['size_bucket(1)', 0],
    ['size_bucket(1023)', 9],
    ['size_bucket(1024)', 10],
    ['size_bucket(9007199254740991)', 52],
    ['size_bucket(9007199254740992)', 53],
    ["key_prefix('user:42:session', ':', 2)", 'user:{n}'],
    ["key_prefix('user:42:session', ':', NULL)", 'user:{n}:session'],
    ["key_prefix(x'ff3a31', ':', 0)", '\\xff:{n}'],
    ["printable(x'1b5b')", '\\x1b['],
    ["printable('é')", 'é'],
    ['printable(7)', '7'],
    ['hash_slot(NULL)', null],
    ['hash_tag(NULL)', null],
    ['size_bucket(NULL)', null],
    ["key_prefix(NULL, ':', 1)", null],
    ['printable(NULL)', null],
  ])('%s', (expression, expected) => {
    expect(single(database, `SELECT ${expression}`)).toEqual(expected);
  });

  it('say what they miss', () => {
    expect(() => single(database, "SELECT key_prefix('a', '', 1)")).toThrow('wants separators');
  });
});

describe('the stock shell', () => {
  const views = rowsOf(
    database,
    "SELECT name FROM sqlite_schema WHERE type IN ('view', 'table') AND name NOT LIKE 'sqlite%'",
  );

  it.each(views.map(([name]) => String(name)))('reads %s without our functions', (name) => {
    const shown = execFileSync('sqlite3', [database.name, `SELECT COUNT(*) FROM "${name}"`], {
      encoding: 'utf8',
    });
    expect(Number(shown)).toBe(single(database, `SELECT COUNT(*) FROM "${name}"`));
  });
});
