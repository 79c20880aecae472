import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { registerFunctions } from '../../src/store/index.js';

const database = new Database(':memory:');
registerFunctions(database);

function ask(expression: string, ...values: (string | number | Uint8Array | null)[]): unknown {
  return database.prepare(`SELECT ${expression}`).pluck().get(values);
}

describe('name_faults', () => {
  it.each([
    ['user:1042:basic.info|x_y', null],
    ['shop:cart:{10086}:items', null],
    ['{user1}:items', null],
    ['sku-123', 'dash'],
    ['', 'empty'],
    ['9lives', 'first-character'],
    ['{10086}:items', 'first-character'],
    ['_x', 'first-character'],
    ['set user 000110011', 'space'],
    ['line\nbreak', 'control'],
    ['del\x7f', 'control'],
    ['tab\t', 'control'],
    [`it's`, 'quote'],
    ['"a"', 'first-character quote'],
    ['back\\slash', 'backslash'],
    ['tmp*', 'glob'],
    ['list[1]', 'glob'],
    ['f(x)', 'bracket'],
    ['a{b', 'bracket'],
    ['a}b', 'bracket'],
    ['a{}b', 'bracket'],
    ['{a}{b}', 'bracket'],
    ['a{b}c{d}', 'bracket'],
    ['{{a}}', 'first-character bracket'],
    ['a/b', 'symbol'],
    ['kunde:müller', 'not-ascii'],
    ['日本', 'first-character not-ascii'],
    ['a b*', 'space glob'],
  ])('%j has %j, as text and as bytes', (key, faults) => {
    expect(ask('name_faults(?)', key)).toBe(faults);
    expect(ask('name_faults(?)', Buffer.from(key))).toBe(faults);
  });

  it('tells bytes that are no UTF-8', () => {
    expect(ask('name_faults(?)', Buffer.from([0x61, 0xff, 0x00]))).toBe('control not-utf8');
    expect(ask('name_faults(?)', Buffer.from([0x61, 0xc3]))).toBe('not-utf8');
    expect(ask('name_faults(NULL)')).toBe(null);
  });
});

describe('repeated_segment', () => {
  it.each([
    ['cx:cxdb:cxdb_user_info', 'cxdb_'],
    ['order:order', 'order'],
    ['order:order:order_items', 'order_'],
    ['user:{n}:user', 'user'],
    ['user:vip.user', '.user'],
    ['user:username', null],
    ['a:a', null],
    ['{n}:{n}', null],
    ['user', null],
    ['cache:page', null],
  ])('%j says %j again', (prefix, again) => {
    expect(ask('repeated_segment(?, ?)', prefix, ':')).toBe(again);
  });
});

it('finds segments by place, words in any case, heads of keys', () => {
  expect(ask(`segment('a:b:c', ':', -1)`)).toBe('c');
  expect(ask(`segment('a:b|c', ':|', 2)`)).toBe('b');
  expect(ask(`segment('a', ':', 2)`)).toBe(null);
  expect(ask(`has_word('web_Sessions:{n}', 'cache, session')`)).toBe(1);
  expect(ask(`has_word('obsession:{n}', 'session')`)).toBe(0);
  expect(ask(`key_head('user:1:name', ':', 2)`)).toBe('user:1');
  expect(ask(`key_head('user', ':', 2)`)).toBe('user');
  expect(ask('key_head(?, ?, 1)', Buffer.from([0xff, 0x3a, 0x00]), ':')).toEqual(Buffer.from([0xff]));
});

describe('approx_distinct', () => {
  const count = (rows: number, values: number): number =>
    database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT approx_distinct('user:' || (i % ?)) FROM n`,
      )
      .pluck()
      .get(rows, values) as number;

  it('is exact for a few thousand values', () => {
    expect(count(10_000, 1)).toBe(1);
    expect(count(10_000, 4_000)).toBe(4_000);
  });

  it('is near the truth for many: within 3 %, over three standard errors', () => {
    for (const values of [6_000, 30_000, 100_000]) {
      expect(Math.abs(count(120_000, values) / values - 1)).toBeLessThan(0.03);
    }
  });
});

describe('what the memory model would say', () => {
  const profile = 'redis 7.2, 64-bit, jemalloc';

  it('answers for keys that do not exist', () => {
    expect(ask(`modelled_bytes(?, 'string', 9, 1, 0, 12, 0, NULL)`, profile)).toBe(72);
    expect(ask(`modelled_bytes(?, 'hash', 6, 1000, 10, 20, 0, NULL)`, profile)).toBe(72_296);
    expect(ask(`modelled_bytes('no profile', 'hash', 6, 1000, 10, 20, 0, NULL)`)).toBe(null);
  });

  it('knows what shorter names save, allocator rounding included', () => {
    // 7.2 and jemalloc: a name of 30 bytes takes 32, one of 20 takes 24, one of 24 takes 32 (26 bytes with header and end)
    expect(ask(`name_saving(?, 1000, 30000, 10)`, profile)).toBe(8_000);
    expect(ask(`name_saving(?, 1000, 30000, 6)`, profile)).toBe(0);
    expect(ask(`name_saving(?, 1000, 5000, 10)`, profile)).toBe(0);
  });

  it('knows limits and their names by version', () => {
    expect(ask(`packing_limit(?, 'hash', 'entries')`, profile)).toBe(512);
    expect(ask(`packing_limit('redis 7.0, 64-bit, jemalloc', 'set', 'entries')`)).toBe(null);
    expect(ask(`packing_setting('redis 6.2, 64-bit, jemalloc', 'zset', 'bytes')`)).toBe(
      'zset-max-ziplist-value',
    );
    expect(ask(`packing_setting(?, 'zset', 'bytes')`, profile)).toBe('zset-max-listpack-value');
    expect(
      ask(`packing_limit('redis 7.0, 64-bit, jemalloc, hash-max-listpack-entries 64', 'hash', 'entries')`),
    ).toBe(64);
  });
});
