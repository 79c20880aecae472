import { describe, expect, it } from 'vitest';
import type { ProfileRequest } from '../../src/memory/index.js';
import { listpack, RdbBytes, ziplist } from '../rdb-bytes.js';
import { hashKey, listKey, measure, setKey, stringKey, texts, zsetKey } from './measure.js';

const REDIS = ['2.8', '6.2', '7.0', '7.2', '8.8'] as const;

function encodings(
  snapshot: RdbBytes,
  versions: readonly string[],
  more: ProfileRequest = {},
): readonly unknown[] {
  return versions.map((serverVersion) => measure(snapshot, { ...more, serverVersion }).encoding);
}

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => String(i * 1000));
const scored = (members: readonly string[]) => members.map((member, i) => [member, i] as const);
const paired = (fields: readonly string[]) => fields.map((field) => [field, 'v'] as const);

describe('OBJECT ENCODING after a load', () => {
  it('of strings depends on version, length and, since 8.2, on the key', () => {
    expect(encodings(stringKey('k', '12345678901'), REDIS)).toEqual(['int', 'int', 'int', 'int', 'int']);
    expect(encodings(stringKey('k', 'v'.repeat(40)), ['2.8', '3.0', '3.2', '8.0', '8.8'])).toEqual([
      'raw',
      'raw',
      'embstr',
      'embstr',
      'embstr',
    ]);
    expect(encodings(stringKey('k', 'v'.repeat(45)), ['8.0', '8.8', 'valkey-8.1', 'valkey-9.1'])).toEqual([
      'raw',
      'raw',
      'raw',
      'embstr',
    ]);
    expect(encodings(stringKey('k'.repeat(22), 'v'.repeat(20)), ['8.0', '8.8'])).toEqual(['embstr', 'raw']);
  });

  it('of a 64-bit integer is no int on a 32-bit build', () => {
    const snapshot = stringKey('k', '12345678901');
    expect(measure(snapshot, { serverVersion: '7.2', wordBits: 32 }).encoding).toBe('embstr');
    expect(measure(stringKey('k', '123456789'), { serverVersion: '7.2', wordBits: 32 }).encoding).toBe('int');
  });

  it('of sets depends on content and count', () => {
    expect(encodings(setKey('k', numbers(512)), REDIS)).toEqual(REDIS.map(() => 'intset'));
    expect(encodings(setKey('k', numbers(513)), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
    const text = ['hashtable', 'hashtable', 'hashtable', 'listpack', 'listpack'];
    expect(encodings(setKey('k', texts(128, 10)), REDIS)).toEqual(text);
    expect(encodings(setKey('k', texts(129, 10)), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
    expect(encodings(setKey('k', texts(3, 65)), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
    expect(encodings(setKey('k', [...numbers(100), 'word']), REDIS)).toEqual(text);
    expect(encodings(setKey('k', [...numbers(200), 'word']), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
  });

  it('of sorted sets and hashes depends on count and longest element', () => {
    const packed = ['ziplist', 'ziplist', 'listpack', 'listpack', 'listpack'];
    expect(encodings(zsetKey('k', scored(texts(128, 64))), REDIS)).toEqual(packed);
    expect(encodings(zsetKey('k', scored(texts(129, 10))), REDIS)).toEqual(REDIS.map(() => 'skiplist'));
    expect(encodings(zsetKey('k', scored(texts(2, 65))), REDIS)).toEqual(REDIS.map(() => 'skiplist'));
    expect(encodings(hashKey('k', paired(texts(512, 64))), REDIS)).toEqual(packed);
    expect(encodings(hashKey('k', paired(texts(513, 10))), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
    expect(encodings(hashKey('k', [['f', 'v'.repeat(65)]]), REDIS)).toEqual(REDIS.map(() => 'hashtable'));
  });

  it('of lists is linked, then nodes, then one listpack where it fits', () => {
    const versions = ['2.8', '3.2', '7.0', '7.2'];
    expect(encodings(listKey('k', texts(10, 10)), versions)).toEqual([
      'ziplist',
      'quicklist',
      'quicklist',
      'listpack',
    ]);
    expect(encodings(listKey('k', texts(1000, 20)), versions)).toEqual([
      'linkedlist',
      'quicklist',
      'quicklist',
      'quicklist',
    ]);
    expect(encodings(listKey('k', ['v'.repeat(9000)]), ['7.2', '7.4'])).toEqual(['quicklist', 'quicklist']);
  });

  it('of a list that is one old ziplist stays quicklist in 7.2', () => {
    const snapshot = new RdbBytes('REDIS0006').hex('0a K').string(ziplist(['a', 'b']));
    expect(encodings(snapshot, ['2.8', '6.2', '7.2'])).toEqual(['ziplist', 'quicklist', 'quicklist']);
  });

  it('follows the thresholds that it is given', () => {
    const thresholds = { hashMaxListpackEntries: 3, hashMaxListpackValue: 8 };
    expect(encodings(hashKey('k', paired(texts(4, 5))), ['7.2'], { thresholds })).toEqual(['hashtable']);
    expect(encodings(hashKey('k', paired(texts(3, 8))), ['7.2'], { thresholds })).toEqual(['listpack']);
    expect(encodings(hashKey('k', paired(texts(3, 9))), ['7.2'], { thresholds })).toEqual(['hashtable']);
    const list = listKey('k', texts(5, 5));
    expect(encodings(list, ['7.2'], { thresholds: { listMaxListpackSize: 4 } })).toEqual(['quicklist']);
    expect(encodings(list, ['7.2'], { thresholds: { listMaxListpackSize: 5 } })).toEqual(['listpack']);
  });

  it('of packed blobs looks at the count only', () => {
    const long = listpack(['field', 'v'.repeat(63)]);
    const snapshot = new RdbBytes().hex('10 K').string(long);
    const thresholds = { hashMaxListpackValue: 8 };
    expect(measure(snapshot, { serverVersion: '7.2', thresholds }).encoding).toBe('listpack');
    expect(
      measure(snapshot, { serverVersion: '7.2', thresholds: { hashMaxListpackEntries: 0 } }).encoding,
    ).toBe('hashtable');
  });

  it('of an old ziplist is a listpack in 7.0, with the bytes of one', () => {
    const pairs = texts(10, 5).map((field) => [field, 'value'] as const);
    const old = new RdbBytes('REDIS0009').hex('0d').string('k').string(ziplist(pairs.flat()));
    const plain = hashKey('k', pairs);
    for (const serverVersion of ['7.0', '7.2', '8.8', 'valkey-9.1']) {
      expect(measure(old, { serverVersion })).toEqual(measure(plain, { serverVersion }));
    }
  });

  it('of a field expiry is listpackex in Redis 7.4 and a hash table in Valkey 9', () => {
    const redis = new RdbBytes('REDIS0012').hex('18 K 00d8c32cbb030000 02  01 01 66 01 76  00 01 67 01 77');
    expect(measure(redis, { serverVersion: '7.4' }).encoding).toBe('listpackex');
    const valkey = new RdbBytes('VALKEY080').hex(
      '16 K 02 01 66 01 76 00d8c32cbb030000 01 67 01 77 ffffffffffffffff',
    );
    expect(measure(valkey, { dialect: 'valkey', serverVersion: '9.0' }).encoding).toBe('hashtable');
  });
});
