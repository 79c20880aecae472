import { describe, expect, it } from 'vitest';
import { UNKNOWN } from '../../src/rdb-parser/records.js';
import { SCHEMA_VERSION } from '../../src/store/index.js';
import { type FedKey, loadFiles, loadKeys, rowsOf, SAVED_AT_MS, single } from './key-feed.js';

const HOUR_MS = 3_600_000;

const EMPTY_STREAM_FACTS = {
  nodes: 0,
  groups: 0,
  consumers: 0,
  pending: 0,
  listpackBytes: 0,
  lastIdMs: 0n,
  lastIdSeq: 0n,
  oldestPendingMs: UNKNOWN,
  groupFacts: [],
};

describe('a file', () => {
  it('has what the snapshot and its loading tell', () => {
    const database = loadFiles([
      {
        keys: [
          { key: 'a', memoryBytes: 100 },
          { key: 'b', memoryBytes: 50, db: 3 },
        ],
        facts: {
          aux: [
            { name: 'redis-ver', value: '7.2.6' },
            { name: 'x', value: '' },
          ],
          databases: [
            { db: 0, keysAnnounced: 1, expiresAnnounced: 0, keysRead: 1, expiresRead: 0 },
            { db: 3, keysAnnounced: UNKNOWN, expiresAnnounced: UNKNOWN, keysRead: 1, expiresRead: 0 },
          ],
          functions: [{ name: 'lib', engine: 'LUA', bytes: 40, offset: 9 }],
          moduleAux: [
            { moduleName: 'graphdata', moduleVersion: 3, when: 'before', serializedBytes: 7, offset: 60 },
          ],
          problems: [
            {
              code: 'key-cut',
              severity: 'warning',
              text: 'a long key',
              offset: 77,
              db: 3,
              key: Uint8Array.of(0xff),
              count: 2,
            },
          ],
          trailingBytes: 5,
          trailingKind: 'aof',
        },
        info: {
          keyspaceOverheadBytes: new Map([
            [0, 64],
            [3, 36],
          ]),
          container: 'gzip',
          fileBytes: undefined,
        },
      },
    ]);
    expect(database.prepare('SELECT * FROM files').get()).toMatchObject({
      id: 1,
      path: 'dump.rdb',
      container: 'gzip',
      file_bytes: null,
      snapshot_bytes: 1000,
      dialect: 'redis',
      rdb_version: 11,
      server_version: '7.2.6',
      bits: 64,
      created_at_ms: SAVED_AT_MS,
      used_memory_bytes: 1_000_000,
      modelled_bytes: 150,
      keyspace_overhead_bytes: 100,
      checksum: 'ok',
      complete: 1,
      incomplete_reason: null,
      keys_announced: 1,
      expires_announced: 0,
      keys_read: 2,
      keys_with_expiry: 0,
      keys_expired: 0,
      duplicate_keys: 0,
      duplicate_check: 'exact',
      empty_keys: 0,
      trailing_bytes: 5,
      trailing_kind: 'aof',
      load_ms: 13,
    });
    expect(rowsOf(database, 'SELECT name, value FROM aux_fields')).toEqual([
      ['redis-ver', '7.2.6'],
      ['x', ''],
    ]);
    expect(
      rowsOf(
        database,
        'SELECT db, keys_announced, keys_read, memory_bytes, keyspace_overhead_bytes FROM databases',
      ),
    ).toEqual([
      [0n, 1n, 1n, 100n, 64n],
      [3n, null, 1n, 50n, 36n],
    ]);
    expect(rowsOf(database, 'SELECT name, engine, bytes FROM functions')).toEqual([['lib', 'LUA', 40n]]);
    expect(rowsOf(database, 'SELECT module, version, placed FROM module_aux')).toEqual([
      ['graphdata', 3n, 'before'],
    ]);
    expect(
      rowsOf(database, 'SELECT code, severity, text, file_offset, db, key, count FROM problems'),
    ).toEqual([['key-cut', 'warning', 'a long key', 77n, 3n, Buffer.of(0xff), 2n]]);
  });

  it('without keys, clock or end is stored as what it is', () => {
    const database = loadFiles([
      {
        keys: [],
        facts: { createdAtMs: UNKNOWN, usedMemoryBytes: UNKNOWN, serverVersion: undefined, complete: false },
        info: { incompleteReason: 'a string is cut' },
      },
    ]);
    expect(
      rowsOf(
        database,
        `SELECT created_at_ms, used_memory_bytes, server_version, keys_expired, complete, incomplete_reason, keys_read
         FROM files`,
      ),
    ).toEqual([[null, null, null, null, 0n, 'a string is cut', 0n]]);
    expect(rowsOf(database, 'SELECT prefix, keys FROM prefixes')).toEqual([['', 0n]]);
    expect(rowsOf(database, 'SELECT * FROM totals')).toEqual([]);
  });

  it('of several in one set is told apart, and its clock too', () => {
    const expiring = (at: number): FedKey => ({ key: `k${at}`, hasExpiry: true, expiresAtMs: at });
    const database = loadFiles([
      { keys: [expiring(SAVED_AT_MS + 1)], info: { path: 'a.rdb' } },
      {
        keys: [expiring(SAVED_AT_MS + 1), { key: 'x' }],
        facts: { createdAtMs: SAVED_AT_MS + HOUR_MS },
        info: { path: 'b.rdb' },
      },
    ]);
    expect(
      rowsOf(database, 'SELECT path, keys_read, keys_with_expiry, keys_expired FROM files ORDER BY id'),
    ).toEqual([
      ['a.rdb', 1n, 1n, 0n],
      ['b.rdb', 2n, 1n, 1n],
    ]);
    expect(
      rowsOf(database, 'SELECT file_id, key, ttl_ms FROM keys WHERE ttl_ms IS NOT NULL ORDER BY id'),
    ).toEqual([
      [1n, `k${SAVED_AT_MS + 1}`, 1n],
      [2n, `k${SAVED_AT_MS + 1}`, BigInt(1 - HOUR_MS)],
    ]);
    expect(rowsOf(database, 'SELECT file_id, SUM(keys) FROM totals GROUP BY 1')).toEqual([
      [1n, 1n],
      [2n, 2n],
    ]);
  });
});

describe('expiries', () => {
  it('before the time of saving have passed, at it and later not', () => {
    const keys = [-HOUR_MS, -1, 0, 1, HOUR_MS].map((left) => ({
      key: `k${left}`,
      hasExpiry: true,
      expiresAtMs: SAVED_AT_MS + left,
      memoryBytes: 10,
    }));
    const database = loadKeys([...keys, { key: 'lasting' }]);
    expect(rowsOf(database, 'SELECT keys_with_expiry, keys_expired FROM files')).toEqual([[5n, 2n]]);
    expect(
      rowsOf(
        database,
        'SELECT keys_without_ttl, memory_without_ttl, expired_keys, expired_memory_bytes FROM totals',
      ),
    ).toEqual([[1n, 64n, 2n, 20n]]);
    expect(rowsOf(database, 'SELECT SUM(keys), SUM(memory_bytes) FROM expiry_buckets')).toEqual([[5n, 50n]]);
  });

  it('that make no sense are kept, counted and told once', () => {
    const keys = Array.from({ length: 1000 }, (_, i) => ({
      key: `k${i}`,
      hasExpiry: true,
      expiresAtMs: 253_402_300_800_000 + i,
    }));
    const database = loadKeys([{ key: 'a' }, ...keys]);
    expect(rowsOf(database, 'SELECT code, severity, key, count FROM problems')).toEqual([
      ['absurd-expiry', 'warning', 'k0', 1000n],
    ]);
    expect(single(database, 'SELECT keys_absurd_expiry FROM files')).toBe(1000);
    expect(single(database, 'SELECT COUNT(*) FROM expiry_buckets')).toBe(0);
    expect(single(database, 'SELECT MAX(expires_at_ms) FROM keys')).toBe(253_402_300_800_999);
  });
});

describe('sums', () => {
  const keys: FedKey[] = [
    { key: 'a', memoryBytes: 100, serializedBytes: 10, payloadBytes: 3, longestElementBytes: 3 },
    { key: 'b', memoryBytes: 1000, encoding: 'int' },
    {
      key: 'h',
      memoryBytes: 5000,
      dataType: 'hash',
      encoding: 'listpack',
      elementCount: 4,
      longestElementBytes: UNKNOWN,
    },
    { key: 'i', memoryBytes: 9000, dataType: 'hash', encoding: 'listpack', elementCount: 6, db: 2 },
    { key: 'm', memoryBytes: 1, dataType: 'module', moduleName: 'ReJSON-RL', elementCount: UNKNOWN },
    { key: 'e', memoryBytes: 2, dataType: 'set', elementCount: 0 },
  ];

  it('are kept by file, db and kind', () => {
    const database = loadKeys(keys);
    expect(
      rowsOf(
        database,
        `SELECT db, type, encoding, module, keys, memory_bytes, elements, largest_key_bytes, largest_key_id
         FROM totals JOIN kinds ON kinds.id = kind_id ORDER BY largest_key_id`,
      ),
    ).toEqual([
      [0n, 'string', 'raw', null, 1n, 100n, 1n, 100n, 1n],
      [0n, 'string', 'int', null, 1n, 1000n, 1n, 1000n, 2n],
      [0n, 'hash', 'listpack', null, 1n, 5000n, 4n, 5000n, 3n],
      [2n, 'hash', 'listpack', null, 1n, 9000n, 6n, 9000n, 4n],
      [0n, 'module', 'raw', 'ReJSON-RL', 1n, 1n, 0n, 1n, 5n],
      [0n, 'set', 'raw', null, 1n, 2n, 0n, 2n, 6n],
    ]);
    expect(single(database, 'SELECT empty_keys FROM files')).toBe(1);
    expect(rowsOf(database, 'SELECT module, keys FROM modules')).toEqual([['ReJSON-RL', 1n]]);
    expect(rowsOf(database, "SELECT keys, memory_bytes FROM types WHERE type = 'hash'")).toEqual([
      [2n, 14_000n],
    ]);
  });

  it('are kept by powers of two', () => {
    const database = loadKeys(keys);
    const buckets = (measure: string): unknown =>
      rowsOf(
        database,
        `SELECT bucket, SUM(keys), SUM(total) FROM size_buckets WHERE measure = '${measure}' GROUP BY 1 ORDER BY 1`,
      );
    expect(buckets('memory_bytes')).toEqual([
      [0n, 1n, 1n],
      [1n, 1n, 2n],
      [6n, 1n, 100n],
      [9n, 1n, 1000n],
      [12n, 1n, 5000n],
      [13n, 1n, 9000n],
    ]);
    expect(buckets('elements')).toEqual([
      [-1n, 1n, 0n],
      [0n, 2n, 2n],
      [2n, 2n, 10n],
    ]);
  });

  it('are kept by slot', () => {
    const database = loadKeys([{ key: 'foo' }, { key: '{foo}:bar', memoryBytes: 36 }, { key: '123456789' }]);
    expect(rowsOf(database, 'SELECT slot, keys, memory_bytes FROM slot_totals')).toEqual([
      [12_182n, 2n, 100n],
      [12_739n, 1n, 64n],
    ]);
    expect(rowsOf(database, 'SELECT slot FROM keys WHERE slot <> hash_slot(key)')).toEqual([]);
  });

  it('stay few when a file has very many databases', () => {
    const database = loadKeys(Array.from({ length: 60_000 }, (_, i) => ({ key: 'k', db: i })));
    expect(single(database, 'SELECT COUNT(*) FROM totals')).toBe(50_001);
    expect(rowsOf(database, 'SELECT db, keys FROM totals ORDER BY keys DESC LIMIT 1')).toEqual([
      [-1n, 10_000n],
    ]);
    expect(single(database, 'SELECT SUM(keys) FROM totals')).toBe(60_000);
  });
});

it('sums that are too large to be exact are told to be rounded', () => {
  const huge: FedKey = { key: 'a', dataType: 'stream', elementCount: 2 ** 53 - 1 };
  expect(rowsOf(loadKeys([huge]), 'SELECT code FROM problems')).toEqual([]);
  expect(
    rowsOf(loadKeys([huge, { ...huge, key: 'b' }]), 'SELECT code, severity, count FROM problems'),
  ).toEqual([['inexact-sum', 'warning', 1n]]);
});

it('a stream has its groups listed', () => {
  const group = { consumers: 2, pending: 5, oldestPendingMs: UNKNOWN, lastIdMs: 17n, lastIdSeq: 1n };
  const stream = {
    nodes: 1,
    groups: 2,
    consumers: 4,
    pending: 10,
    listpackBytes: 9,
    lastIdMs: 18n,
    lastIdSeq: 0n,
    oldestPendingMs: UNKNOWN,
    groupFacts: [
      { ...group, name: Buffer.from('workers') },
      { ...group, name: Uint8Array.of(0xff), oldestPendingMs: 16 },
    ],
  };
  const database = loadKeys([{ key: 'k' }, { key: 's', dataType: 'stream', elementCount: 3, stream }]);
  expect(
    rowsOf(
      database,
      'SELECT key_id, name, last_id, consumers, pending, oldest_pending_ms FROM stream_groups',
    ),
  ).toEqual([
    [2n, 'workers', '17-1', 2n, 5n, null],
    [2n, Buffer.of(0xff), '17-1', 2n, 5n, 16n],
  ]);
});

it('groups beyond those that the decoder lists are counted', () => {
  const stream = { ...EMPTY_STREAM_FACTS, groups: 12_000 };
  const database = loadKeys([{ key: 's', dataType: 'stream', elementCount: 3, stream }]);
  expect(rowsOf(database, 'SELECT code, count FROM problems')).toEqual([['groups-cut', 12_000n]]);
});

it('a database says how it was made', () => {
  const database = loadKeys([{ key: 'a|b' }], { separators: '|', options: { deep: true } });
  expect(rowsOf(database, 'SELECT name, value FROM meta ORDER BY name')).toEqual(
    expect.arrayContaining([
      ['schema_version', BigInt(SCHEMA_VERSION)],
      ['tool_version', '0.0.0'],
      ['separators', '|'],
      ['options', '{"deep":true}'],
      ['row_writer', 'pages'],
      ['memory_profile', 'redis 7.2, 64-bit, jemalloc'],
    ]),
  );
});
