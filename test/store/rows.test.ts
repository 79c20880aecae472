import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { UNKNOWN } from '../../src/rdb-parser/records.js';
import { seededRandom } from '../seeded.js';
import { type FedKey, loadKeys, rowsOf, SAVED_AT_MS, single } from './key-feed.js';

const ALL_ROWS = 'SELECT * FROM key_rows ORDER BY id';

/** The edges of every width that SQLite has for a number. */
const NUMBERS = [
  0,
  1,
  2,
  127,
  128,
  32_767,
  32_768,
  2 ** 23 - 1,
  2 ** 23,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 47 - 1,
  2 ** 47,
  2 ** 53,
  2 ** 63,
  2 ** 64,
];

const HOSTILE_KEYS: readonly Uint8Array[] = [
  Uint8Array.of(),
  Uint8Array.of(0),
  Uint8Array.of(1, 1, 2),
  Buffer.from('nul\0inside'),
  Uint8Array.of(0xff, 0xfe, 0x80),
  Uint8Array.of(0xed, 0xa0, 0x80), // a lone surrogate
  Uint8Array.of(0xf0, 0x9f, 0x98), // a cut emoji
  Uint8Array.of(0xc0, 0xaf), // an overlong slash
  Buffer.from('ключ:日本語:😀'),
  Buffer.from('a,b"c\r\n\t;=1+1'),
  Uint8Array.from({ length: 256 }, (_, byte) => byte),
];

/** One of everything that a row may hold. */
function hostileRows(): FedKey[] {
  const rows: FedKey[] = HOSTILE_KEYS.map((key) => ({ key }));
  for (const value of NUMBERS) {
    rows.push({ key: `memory:${value}`, memoryBytes: value });
    rows.push({ key: `elements:${value}`, elementCount: value, dataType: 'list' });
    rows.push({
      key: `sizes:${value}`,
      serializedBytes: value,
      payloadBytes: value,
      longestElementBytes: value,
    });
    rows.push({ key: `offset:${value}`, offset: value });
    rows.push({ key: `expires:${value}`, hasExpiry: true, expiresAtMs: value });
    rows.push({ key: `past:${value}`, hasExpiry: true, expiresAtMs: -value });
    rows.push({ key: `idle:${value}`, idleSeconds: value });
    rows.push({ key: `field:${value}`, dataType: 'hash', fieldsWithTtl: 3, firstFieldExpiryMs: value });
  }
  for (const exact of [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    rows.push({ key: `exact:${exact}`, hasExpiry: true, expiresAtMs: Number(exact), expiresAtExact: exact });
  }
  rows.push({ key: 'unknown', elementCount: UNKNOWN, payloadBytes: UNKNOWN, longestElementBytes: UNKNOWN });
  rows.push(
    { key: 'freq', freq: 255 },
    { key: 'freq:expires', freq: 0, hasExpiry: true, expiresAtMs: SAVED_AT_MS },
  );
  rows.push(
    { key: 'hash', dataType: 'hash', fieldsWithTtl: 0 },
    { key: 'db', db: 15 },
    { key: 'db:far', db: 2 ** 40 },
  );
  rows.push({ key: 'module', dataType: 'module', moduleName: 'ReJSON-RL', elementCount: UNKNOWN });
  rows.push({ key: 'empty:stream', dataType: 'stream', elementCount: 0 });
  rows.push({
    key: 'stream',
    dataType: 'stream',
    elementCount: 1000,
    hasExpiry: true,
    expiresAtMs: SAVED_AT_MS,
    stream: {
      nodes: 10,
      groups: 1,
      consumers: 2,
      pending: 3,
      listpackBytes: 40_960,
      lastIdMs: 2n ** 64n - 1n,
      lastIdSeq: 7n,
      oldestPendingMs: SAVED_AT_MS - 5,
      groupFacts: [],
    },
  });
  return rows;
}

/** Keys around each length at which a row stops to fit its page, and far beyond. */
function longKeys(pageBytes: number): FedKey[] {
  const lengths = [];
  for (let length = pageBytes - 120; length < pageBytes + 60; length += 7) lengths.push(length);
  lengths.push(3 * pageBytes, 10 * pageBytes + 1, 200_000);
  return lengths.map((length, i) => ({
    key: Buffer.alloc(Math.max(0, length), `${String.fromCharCode(97 + (i % 26))}:`),
    ...(i % 2 === 0 ? {} : { hasExpiry: true, expiresAtMs: SAVED_AT_MS + i }),
    ...(i % 5 === 0 ? { idleSeconds: i } : {}),
  }));
}

function randomRows(count: number): FedKey[] {
  const random = seededRandom('rows');
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, i) => ({
    key: `user:${i}:${'x'.repeat(below(90))}`,
    db: below(3),
    memoryBytes: below(2 ** below(40)),
    elementCount: below(300),
    serializedBytes: below(70_000),
    payloadBytes: below(5) === 0 ? UNKNOWN : below(70_000),
    hasExpiry: below(2) === 0,
    expiresAtMs: SAVED_AT_MS + below(1e9),
  }));
}

describe.each([512, 1024, 4096, 32_768, 65_536])('pages of %i bytes', (pageBytes) => {
  const keys = [...hostileRows(), ...longKeys(pageBytes), ...randomRows(3000), ...longKeys(pageBytes)];

  it('hold the same rows as inserts make', () => {
    const written = loadKeys(keys, { pageBytes });
    const inserted = loadKeys(keys, { pageBytes, safeInsert: true });
    expect(single(written, 'SELECT COUNT(*) FROM key_rows')).toBe(keys.length);
    expect(rowsOf(written, ALL_ROWS)).toEqual(rowsOf(inserted, ALL_ROWS));
  });

  it('pass the integrity checks of this and of the stock SQLite', () => {
    const database = loadKeys(keys, { pageBytes });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('quick_check', { simple: true })).toBe('ok');
    expect(database.pragma('page_size', { simple: true })).toBe(pageBytes);
    const stock = execFileSync('sqlite3', [database.name, 'PRAGMA integrity_check'], { encoding: 'utf8' });
    expect(stock.trim()).toBe('ok');
  });
});

describe('a row', () => {
  it('keeps the bytes of any key, as text where they are valid', () => {
    const database = loadKeys(HOSTILE_KEYS.map((key) => ({ key })));
    const stored = rowsOf(database, 'SELECT typeof(key), CAST(key AS BLOB) FROM keys ORDER BY id');
    expect(stored.map(([, bytes]) => bytes)).toEqual(HOSTILE_KEYS.map((key) => Buffer.from(key)));
    expect(stored.map(([type]) => type)).toEqual([
      'text',
      'blob',
      'text',
      'blob',
      'blob',
      'blob',
      'blob',
      'blob',
      'text',
      'text',
      'blob',
    ]);
  });

  it('keeps 64-bit expiries exact and unknown things NULL', () => {
    const database = loadKeys([
      { key: 'a', hasExpiry: true, expiresAtMs: 2 ** 63, expiresAtExact: 2n ** 63n - 1n },
      { key: 'b', hasExpiry: true, expiresAtMs: -1000 },
      { key: 'c', elementCount: UNKNOWN, payloadBytes: UNKNOWN, longestElementBytes: UNKNOWN },
    ]);
    expect(
      rowsOf(database, 'SELECT expires_at_ms, elements, payload_bytes, idle_seconds, freq FROM keys'),
    ).toEqual([
      [2n ** 63n - 1n, 1n, 5n, null, null],
      [-1000n, 1n, 5n, null, null],
      [null, null, null, null, null],
    ]);
  });

  it('of a stream has what only streams have', () => {
    const database = loadKeys(hostileRows());
    expect(
      rowsOf(
        database,
        `SELECT entries, nodes, groups, consumers, pending, last_id, oldest_pending_ms
                             FROM streams WHERE key = 'stream'`,
      ),
    ).toEqual([[1000n, 10n, 1n, 2n, 3n, '18446744073709551615-7', BigInt(SAVED_AT_MS - 5)]]);
  });
});

it.each([0, 1, 2])('a table of %i rows is sound', (count) => {
  const database = loadKeys(Array.from({ length: count }, (_, i) => ({ key: `k${i}` })));
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(single(database, 'SELECT COUNT(*) FROM keys')).toBe(count);
});

it('a table with three levels of interior pages finds each row by its id', () => {
  // 512-byte pages have room for some 33 children each.
  const keys = Array.from({ length: 9000 }, (_, i) => ({ key: `k${i}`, memoryBytes: i }));
  const database = loadKeys(keys, { pageBytes: 512 });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  const find = database.prepare('SELECT memory_bytes FROM key_rows WHERE id = ?').pluck();
  for (const id of [1, 2, 33, 34, 1000, 8999, 9000]) expect(find.get(id)).toBe(id - 1);
  expect(find.get(9001)).toBeUndefined();
});
