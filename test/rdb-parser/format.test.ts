import { describe, expect, it } from 'vitest';
import { RdbError } from '../../src/rdb-parser/index.js';
import { type DecodedKey, decode, decodeUntilFault } from '../decode.js';
import { listpack, RdbBytes } from '../rdb-bytes.js';

/** The smallest useful bytes of every record, as accepted by live servers where one exists that reads them. */

interface Row {
  readonly what: string;
  readonly hex: string;
  readonly magic?: string;
  /** Fields of the first key. */
  readonly key?: Readonly<Record<string, string | number | undefined>>;
  /** Fault code, for bytes that servers refuse too. */
  readonly fault?: string;
  readonly problem?: string;
}

const X30 = 'c3 05 1e 00 61 e0 14 00';
const AT_2100 = '00d8c32cbb030000';

const rows: readonly Row[] = [
  { what: 'a length of 6 bits', hex: '00 K 01 76', key: { payload: 1 } },
  { what: 'a length of 14 bits', hex: `00 K 40 40 ${'76'.repeat(64)}`, key: { payload: 64 } },
  { what: 'a length of 32 bits', hex: '00 K 80 00000001 76', key: { payload: 1 } },
  { what: 'a length of 64 bits', hex: '00 K 81 0000000000000001 76', key: { payload: 1 } },
  { what: 'a length that is none', hex: '00 K 82', fault: 'bad-length' },
  { what: 'int8', hex: '00 K c0 05', key: { payload: 1, integer: 1 } },
  { what: 'negative int8', hex: '00 K c0 fb', key: { payload: 2, integer: 3 } },
  { what: 'int16', hex: '00 K c1 e803', key: { payload: 4, integer: 4 } },
  { what: 'int32', hex: '00 K c2 a0860100', key: { payload: 6, integer: 6 } },
  { what: 'an integer key', hex: '00 c0 05 01 76', key: { key: '5' } },
  { what: 'an LZF value', hex: `00 K ${X30}`, key: { payload: 30 } },
  { what: 'an LZF key', hex: `00 ${X30} 01 76`, key: { key: 'a'.repeat(30) } },
  {
    what: 'a packed hash that is compressed',
    hex: '10 K c3 12 11 10 11000000 0400 81 66 02 81 76 02 00 01 00 01 ff',
    key: { elements: 2, packing: 'listpack' },
  },
  {
    what: 'type 25 with a field whose time has passed',
    hex: '19 K e803000000000000 18 18000000 0600 81 66 02 81 76 02 c3e8 02 81 67 02 81 77 02 00 01 ff',
    magic: 'REDIS0012',
    key: { elements: 2, fieldsWithTtl: 1, firstFieldExpiryMs: 1000 },
  },
  { what: 'an LZF key with a reference before its start', hex: '00 c3 02 05 20 00 01 76', fault: 'bad-lzf' },
  { what: 'a string encoding that does not exist', hex: '00 K c4', fault: 'bad-string-encoding' },
  { what: 'an empty key', hex: '00 00 01 76', key: { key: '' } },
  { what: 'an empty value', hex: '00 K 00', key: { payload: 0 } },
  {
    what: 'a key with NUL, line feed and invalid UTF-8',
    hex: '00 04 000aff80 01 76',
    key: { key: '\\x00\\x0a\\xff\\x80' },
  },
  { what: 'SELECTDB', hex: 'fe 03 00 K 01 76', key: { db: 3 } },
  { what: 'SELECTDB beyond 16', hex: 'fe 43e7 00 K 01 76', key: { db: 999 } },
  { what: 'RESIZEDB', hex: 'fe 00 fb 01 00 00 K 01 76', key: { db: 0 } },
  { what: 'AUX', hex: 'fa 01 78 01 79 00 K 01 76', key: { key: 'k' } },
  {
    what: 'AUX between an expiry and its key',
    hex: `fc ${AT_2100} fa 01 78 01 79 00 K 01 76`,
    key: { expiresAtMs: '4102444800000', offset: 9 },
  },
  {
    what: 'SELECTDB between an expiry and its key',
    hex: `fc ${AT_2100} fe 00 00 K 01 76`,
    key: { expiresAtMs: '4102444800000' },
  },
  { what: 'EXPIRETIME', hex: 'fd 00943577 00 K 01 76', key: { expiresAtMs: '2000000000000' } },
  { what: 'EXPIRETIME before 1970', hex: 'fd ffffffff 00 K 01 76', key: { expiresAtMs: '-1000' } },
  { what: 'EXPIRETIME_MS', hex: `fc ${AT_2100} 00 K 01 76`, key: { expiresAtMs: '4102444800000' } },
  {
    what: 'EXPIRETIME_MS of 2^63-1',
    hex: 'fc ffffffffffffff7f 00 K 01 76',
    key: { expiresAtMs: '9223372036854775807' },
  },
  {
    what: 'EXPIRETIME_MS of -2^63',
    hex: 'fc 0000000000000080 00 K 01 76',
    key: { expiresAtMs: '-9223372036854775808' },
  },
  { what: 'IDLE', hex: 'f8 0a 00 K 01 76', key: { idle: 10 } },
  { what: 'FREQ above 127', hex: 'f9 ff 00 K 01 76', key: { freq: 255 } },
  {
    what: 'expiry, then FREQ',
    hex: `fc ${AT_2100} f9 80 00 K 01 76`,
    key: { freq: 128, expiresAtMs: '4102444800000' },
  },
  { what: 'MODULE_AUX', hex: 'f7 81 45e25238df912c03 02 02 02 05 00 00 K 01 76', key: { key: 'k' } },
  {
    what: 'FUNCTION2',
    hex: `f5 14 ${Buffer.from('#!lua name=l\nreturn 1').toString('hex').slice(0, 40)} 00 K 01 76`,
    key: { key: 'k' },
  },
  { what: 'FUNCTION_PRE_GA', hex: 'f6 01 6e 03 4c5541 00 01 78 00 K 01 76', key: { key: 'k' } },
  {
    what: 'FUNCTION_PRE_GA with a description',
    hex: 'f6 01 6e 03 4c5541 01 01 64 01 78 00 K 01 76',
    key: { key: 'k' },
  },
  { what: 'SLOT_INFO', hex: 'fe 00 fb 01 00 f4 40 0a 01 00 00 K 01 76', key: { key: 'k' } },
  { what: 'KEY_META', hex: 'f3 01 09f5c428 02 05 00 00 K 01 76', magic: 'REDIS0013', key: { key: 'k' } },
  {
    what: 'HASH_TEMPLATE and 32',
    hex: 'f2 00 02 01 61 01 62 20 K 00 01 76 01 77',
    magic: 'REDIS0015',
    key: { elements: 2, payload: 4 },
  },
  {
    what: 'HASH_TEMPLATE and 30',
    hex: 'f2 00 02 01 61 01 62 1e K 0f 0f000000 0300 00 01 81 76 02 81 77 02 ff',
    magic: 'REDIS0015',
    key: { elements: 2, typeName: 'HASH_TMPL_LP_REF' },
  },
  {
    what: 'a self-contained template hash, names in a listpack (29)',
    hex: '1d K 00 0d 0d000000 0200 81 61 02 81 62 02 ff 0f 0f000000 0300 00 01 81 76 02 81 77 02 ff',
    magic: 'REDIS0015',
    key: { elements: 2 },
  },
  {
    what: 'a self-contained template hash, names as strings (31)',
    hex: '1f K 01 02 01 61 01 62 01 76 01 77',
    magic: 'REDIS0015',
    key: { elements: 2, payload: 4 },
  },
  { what: 'a template that is not there', hex: '20 K 07 01 76', magic: 'REDIS0015', fault: 'bad-value' },
  {
    what: 'SLOT_IMPORT of Valkey',
    hex: `f3 28 ${'61'.repeat(40)} 01 00 0a 00 K 01 76`,
    magic: 'VALKEY080',
    key: { key: 'k' },
  },
  {
    what: 'UPDATE of Valkey 9.2',
    hex: 'f2 2a310d0a24340d0a50494e470d0a 00 K 01 76',
    magic: 'VALKEY081',
    key: { key: 'k' },
  },
  { what: "Enterprise's 107", hex: '6b 05 00 K 01 76', key: { key: 'k' } },
  { what: "Enterprise's 121", hex: '79 05 00 K 01 76', key: { key: 'k' } },
  { what: "Enterprise's 101", hex: '65 05', fault: 'unknown-opcode' },
  { what: 'LIST', hex: '01 K 01 01 61', key: { type: 'list', elements: 1 } },
  { what: 'SET of text', hex: '02 K 01 01 61', key: { type: 'set', elements: 1, longest: 1 } },
  { what: 'SET of integers', hex: '02 K 01 c0 05', key: { type: 'set', elements: 1, longest: 1 } },
  { what: 'ZSET with a text score', hex: '03 K 01 01 61 03 312e35', key: { type: 'zset', elements: 1 } },
  { what: 'ZSET with inf, -inf', hex: '03 K 02 01 61 fe 01 62 ff', key: { elements: 2 } },
  { what: 'ZSET with NaN', hex: '03 K 01 01 61 fd', key: { elements: 1 }, problem: 'nan-score' },
  { what: 'HASH', hex: '04 K 01 01 66 01 76', key: { type: 'hash', elements: 1, payload: 2 } },
  { what: 'ZSET_2', hex: '05 K 01 01 61 000000000000f03f', key: { type: 'zset', elements: 1 } },
  { what: 'ZSET_2 with -0', hex: '05 K 01 01 61 0000000000000080', key: { elements: 1 } },
  {
    what: 'ZSET_2 with NaN',
    hex: '05 K 01 01 61 000000000000f87f',
    key: { elements: 1 },
    problem: 'nan-score',
  },
  { what: 'MODULE of a release candidate', hex: '06 K 81 45e25238df912c03', fault: 'unsupported-value' },
  {
    what: 'MODULE_2 with every kind of item',
    hex: '07 K 81 45e25238df912c03 01 05 02 05 03 00000000 04 0000000000000000 05 02 7b7d 00',
    key: { type: 'module', module: 'ReJSON-RL', elements: undefined },
  },
  { what: 'type 8', hex: '08 K 01 76', fault: 'unknown-value-type' },
  { what: 'ZIPMAP', hex: '09 K 07 01 01 66 01 00 76 ff', key: { elements: 1, packing: 'zipmap' } },
  { what: 'ZIPMAP that does not tell its count', hex: '09 K 07 fe 01 66 01 00 76 ff', key: { elements: 1 } },
  { what: 'ZIPMAP with unused bytes', hex: '09 K 09 01 01 66 01 02 76 0000 ff', key: { elements: 1 } },
  {
    what: 'LIST_ZIPLIST',
    hex: '0a K 0e 0e000000 0a000000 0100 00 01 61 ff',
    key: { type: 'list', elements: 1 },
  },
  {
    what: 'a ziplist that does not tell its count',
    hex: '0a K 0e 0e000000 0a000000 ffff 00 01 61 ff',
    key: { elements: 1, longest: 1 },
  },
  {
    what: 'INTSET of 16 bits',
    hex: '0b K 0a 02000000 01000000 0100',
    key: { elements: 1, packing: 'intset' },
  },
  { what: 'INTSET of 32 bits', hex: '0b K 0c 04000000 01000000 01000000', key: { elements: 1 } },
  { what: 'INTSET of 64 bits', hex: '0b K 10 08000000 01000000 0100000000000000', key: { elements: 1 } },
  {
    what: 'ZSET_ZIPLIST',
    hex: '0c K 10 10000000 0d000000 0200 00 01 61 03 f2 ff',
    key: { type: 'zset', elements: 1 },
  },
  {
    what: 'HASH_ZIPLIST',
    hex: '0d K 11 11000000 0d000000 0200 00 01 66 03 01 76 ff',
    key: { type: 'hash', elements: 1 },
  },
  {
    what: 'LIST_QUICKLIST',
    hex: '0e K 01 0e 0e000000 0a000000 0100 00 01 61 ff',
    key: { elements: 1, nodes: 1 },
  },
  {
    what: 'HASH_LISTPACK',
    hex: '10 K 0d 0d000000 0200 81 66 02 81 76 02 ff',
    key: { type: 'hash', elements: 1 },
  },
  {
    what: 'a listpack that does not tell its count',
    hex: '10 K 0d 0d000000 ffff 81 66 02 81 76 02 ff',
    key: { elements: 1, longest: 1 },
  },
  {
    what: 'ZSET_LISTPACK',
    hex: '11 K 0c 0c000000 0200 81 61 02 01 01 ff',
    key: { type: 'zset', elements: 1 },
  },
  {
    what: 'LIST_QUICKLIST_2, packed node',
    hex: '12 K 01 02 0a 0a000000 0100 81 61 02 ff',
    key: { elements: 1, nodes: 1 },
  },
  { what: 'LIST_QUICKLIST_2, plain node', hex: '12 K 01 01 01 61', key: { elements: 1, longest: 1 } },
  { what: 'LIST_QUICKLIST_2, container 3', hex: '12 K 01 03 01 61', fault: 'bad-value' },
  { what: 'SET_LISTPACK', hex: '14 K 0a 0a000000 0100 81 61 02 ff', key: { type: 'set', elements: 1 } },
  {
    what: 'field expiries, type 24',
    hex: `18 K ${AT_2100} 02 01 01 66 01 76 00 01 67 01 77`,
    magic: 'REDIS0012',
    key: { elements: 2, fieldsWithTtl: 1, firstFieldExpiryMs: 4102444800000 },
  },
  {
    what: 'field expiries, type 25',
    hex: `19 K ${AT_2100} 1f 1f000000 0600 81 66 02 81 76 02 f4 ${AT_2100} 09 81 67 02 81 77 02 00 01 ff`,
    magic: 'REDIS0012',
    key: { elements: 2, fieldsWithTtl: 1, firstFieldExpiryMs: 4102444800000 },
  },
  {
    what: 'field expiries of Redis 7.4 release candidates, type 22',
    hex: '16 K 02 81 000003bb2cc3d800 01 66 01 76 00 01 67 01 77',
    magic: 'REDIS0012',
    key: {
      typeName: 'HASH_METADATA_PRE_GA',
      elements: 2,
      fieldsWithTtl: 1,
      firstFieldExpiryMs: 4102444800000,
    },
  },
  {
    what: 'field expiries of Valkey, type 22',
    hex: `16 K 02 01 66 01 76 ${AT_2100} 01 67 01 77 ffffffffffffffff`,
    magic: 'VALKEY080',
    key: { typeName: 'HASH_2', elements: 2, fieldsWithTtl: 1, firstFieldExpiryMs: 4102444800000 },
  },
  {
    what: 'type 25 without expiries',
    hex: '19 K 0000000000000000 0f 0f000000 0300 81 66 02 81 76 02 00 01 ff',
    magic: 'REDIS0012',
    key: { elements: 1, fieldsWithTtl: undefined },
  },
  {
    what: 'type 24 without expiries',
    hex: '18 K ffffffffffffffff 01 00 01 66 01 76',
    magic: 'REDIS0012',
    key: { elements: 1, fieldsWithTtl: undefined },
  },
  {
    what: 'paths of Valkey 9.2, type 23',
    hex: '17 K 01 01 70 01 01 66 01 76',
    magic: 'VALKEY081',
    key: { elements: 1 },
  },
  {
    what: 'ARRAY',
    hex: '1c K 04 00 00 00 0b 68656c6c6f20776f726c64 01 01 f9ffffffffffffff 02 02 000000000000f03f 03 03 02 6162',
    magic: 'REDIS0014',
    key: { type: 'array', elements: 4, longest: 11 },
  },
  { what: 'GCRA', hex: '21 K 05', magic: 'REDIS0014', key: { type: 'gcra', elements: 1 } },
  {
    what: "Dragonfly's JSON",
    hex: 'fa 06 64662d766572 01 31 1e K 02 7b7d',
    magic: 'REDIS0009',
    key: { type: 'json', payload: 2 },
  },
  {
    what: "Dragonfly's hash with expiries",
    hex: 'fa 06 64662d766572 01 31 1f K 02 01 66 01 76 02 2d31 01 67 01 77 02 3939',
    magic: 'REDIS0009',
    key: { type: 'hash', elements: 2, fieldsWithTtl: 1 },
  },
  {
    what: "Dragonfly's set with expiries",
    hex: 'fa 06 64662d766572 01 31 20 K 02 01 66 02 2d31 01 67 02 3939',
    magic: 'REDIS0009',
    key: { type: 'set', elements: 2, fieldsWithTtl: 1 },
  },
  {
    what: "Dragonfly's compressed block",
    hex: 'fa 06 64662d766572 01 31 c9 02 0000',
    magic: 'REDIS0009',
    fault: 'unsupported-value',
  },
  { what: 'an empty list', hex: '01 K 00', key: { elements: 0 }, problem: 'empty-collection' },
  { what: 'an empty set', hex: '02 K 00', key: { elements: 0 }, problem: 'empty-collection' },
  { what: 'an empty hash', hex: '04 K 00', key: { elements: 0 }, problem: 'empty-collection' },
  { what: 'an empty zset', hex: '05 K 00', key: { elements: 0 }, problem: 'empty-collection' },
  {
    what: 'an empty ziplist hash',
    hex: '0d K 0b 0b000000 0a000000 0000 ff',
    key: { elements: 0 },
    problem: 'empty-collection',
  },
  {
    what: 'an empty intset',
    hex: '0b K 08 02000000 00000000',
    key: { elements: 0 },
    problem: 'empty-collection',
  },
  { what: 'an empty zipmap', hex: '09 K 02 00 ff', key: { elements: 0 }, problem: 'empty-collection' },
  { what: 'a repeated field', hex: '04 K 02 01 66 01 76 01 66 01 77', key: { elements: 2 } },
  { what: 'a length beyond 4 GiB', hex: '00 K 81 0000000100000001', fault: 'truncated' },
  { what: 'a stream node key of 5 bytes', hex: '15 K 01 05 0000000000', fault: 'bad-value' },
  {
    what: 'a stream without nodes',
    hex: '15 K 00 00 05 00 00 00 00 00 05 00',
    key: { type: 'stream', elements: 0, groups: 0 },
  },
];

const STREAM_HEAD = `K 01 10 00000000000000010000000000000001 1d 1d000000 0a00 01 01 00 01 01 01 81 66 02 00 01
  02 01 00 01 00 01 81 76 02 04 01 ff 01 01 01`;
const STREAM_IDS = '01 01 00 00 01';
const PENDING = '01 00000000000000010000000000000001 e803000000000000 01';
const CONSUMER_V1 = '01 01 63 e803000000000000 01 00000000000000010000000000000001';
const CONSUMER_V3 = '01 01 63 e803000000000000 e803000000000000 01 00000000000000010000000000000001';
const PRODUCERS = '40 64 40 64 00 00 00';

const streams: readonly Row[] = [
  { what: '15', hex: `0f ${STREAM_HEAD} 01 01 67 01 01 ${PENDING} ${CONSUMER_V1}` },
  { what: '19', hex: `13 ${STREAM_HEAD} ${STREAM_IDS} 01 01 67 01 01 01 ${PENDING} ${CONSUMER_V1}` },
  { what: '21', hex: `15 ${STREAM_HEAD} ${STREAM_IDS} 01 01 67 01 01 01 ${PENDING} ${CONSUMER_V3}` },
  {
    what: '26',
    hex: `1a ${STREAM_HEAD} ${STREAM_IDS} 01 01 67 01 01 01 ${PENDING} ${CONSUMER_V3} ${PRODUCERS}`,
  },
  {
    what: '27',
    hex: `1b ${STREAM_HEAD} ${STREAM_IDS} 01 01 67 01 01 01 ${PENDING} ${CONSUMER_V3} 00 ${PRODUCERS}`,
  },
  {
    what: '21 whose group does not know how many entries it read',
    hex: `15 ${STREAM_HEAD} ${STREAM_IDS} 01 01 67 01 01 81 ffffffffffffffff ${PENDING} ${CONSUMER_V3}`,
  },
];

function built(row: Row): Uint8Array {
  const bytes = new RdbBytes(row.magic).hex(row.hex);
  return row.fault === 'truncated' ? bytes.raw() : bytes.sentinel().end();
}

describe('the file format', () => {
  it.each(rows.filter((row) => row.fault === undefined))('reads $what and stays in step', (row) => {
    const { keys, facts } = decode(built(row));
    expect(keys[0]).toMatchObject(stripUndefined(row.key));
    for (const [field, value] of Object.entries(row.key ?? {})) {
      if (value === undefined) expect(keys[0]).not.toHaveProperty(field);
    }
    expect(keys.at(-1)?.key).toBe('after');
    expect(facts).toMatchObject({ checksum: 'ok', complete: true });
    if (row.problem !== undefined) expect(facts.problems.map(({ code }) => code)).toContain(row.problem);
  });

  it.each(rows.filter((row) => row.fault !== undefined))('refuses $what with its place', (row) => {
    const { fault } = decodeUntilFault(built(row));
    expect(fault).toBeInstanceOf(RdbError);
    expect(fault).toMatchObject({ code: row.fault });
    expect((fault as RdbError).at.offset).toBeGreaterThanOrEqual(9);
  });

  it.each(streams)('reads a stream of type $what with its group', (row) => {
    const { keys } = decode(built(row));
    expect(keys[0]).toMatchObject({ type: 'stream', elements: 1, groups: 1, consumers: 1, pending: 1 });
    expect(keys.at(-1)?.key).toBe('after');
  });

  it.each(streams)('finds a stream node whose key has a 5-byte length, type $what', (row) => {
    const long = row.hex.replace('01 10 0000', '01 80 00000010 0000');
    expect(decode(built({ ...row, hex: long })).keys[0]).toMatchObject({ elements: 1, pending: 1 });
  });

  it('finds a stream node whose key is compressed', () => {
    const packed = streams[2]!.hex.replace('01 10 0000', '01 c3 11 10 0f 0000');
    expect(decode(built({ what: '', hex: packed })).keys[0]).toMatchObject({ elements: 1, pending: 1 });
  });

  it('tells an LZF value with a reference before its start', () => {
    const { keys, facts } = decode(new RdbBytes().hex('00 K c3 02 05 20 00').sentinel().end(), {
      check: true,
    });
    expect(keys.at(-1)?.key).toBe('after');
    expect(facts.problems).toMatchObject([{ code: 'damaged', severity: 'error' }]);
  });

  it('reads every encoding of a listpack element', () => {
    const integers = [
      ['00', '0'],
      ['7f', '127'],
      ['dfff', '-1'],
      ['d000', '-4096'],
      ['cfff', '4095'],
      ['f18813', '5000'],
      ['f10080', '-32768'],
      ['f2000080', '-8388608'],
      ['f2ffff7f', '8388607'],
      ['f300000080', '-2147483648'],
      ['f3ffffff7f', '2147483647'],
      ['f40000000000000080', '-9223372036854775808'],
      ['f4ffffffffffffff7f', '9223372036854775807'],
    ] as const;
    const texts = [0, 1, 63, 64, 4095, 4096, 20_000].map((length) => 'x'.repeat(length));
    const body = Buffer.concat([
      ...integers.map(([hex]) => Buffer.from(hex + (hex.length / 2).toString(16).padStart(2, '0'), 'hex')),
      listpack(texts).subarray(6),
    ]);
    const header = Buffer.alloc(6);
    header.writeUInt32LE(6 + body.length);
    header.writeUInt16LE(integers.length + texts.length, 4);
    const bytes = new RdbBytes()
      .hex('14 K')
      .string(Buffer.concat([header, body]))
      .sentinel()
      .end();
    const seen: string[] = [];
    const member = ({ bytes: from, kept }: { readonly bytes: Uint8Array; readonly kept: number }): void => {
      seen.push(Buffer.from(from.subarray(0, kept)).toString());
    };
    decode(bytes, { visitor: { keepBytes: 2 ** 16, member } });
    expect(seen).toEqual([...integers.map(([, text]) => text), ...texts]);
    expect(decode(bytes, { check: true }).facts.problems).toEqual([]);
    expect(decode(bytes, { deep: true }).keys[0]).toMatchObject({ elements: 20, longest: 20_000 });
  });

  it('forgets an expiry, idle time and frequency after their key', () => {
    const { keys } = decode(new RdbBytes().hex(`fc ${AT_2100} f8 0a 00 K 01 76 00 01 6c 01 76`).end());
    expect(keys[1]).toEqual(
      expect.not.objectContaining({ expiresAtMs: expect.anything(), idle: expect.anything() }),
    );
  });

  it('reads an empty snapshot of version 1, which has no checksum', () => {
    expect(decode(Buffer.from('5245444953303030 31ff'.replace(' ', ''), 'hex')).facts).toMatchObject({
      rdbVersion: 1,
      checksum: 'absent',
      complete: true,
    });
  });

  it('checks the checksum that a server wrote', () => {
    const bytes = Buffer.from('524544495330303039ff9aac7abcfb0fad74', 'hex');
    expect(decode(bytes).facts).toMatchObject({ checksum: 'ok', keysRead: 0 });
  });

  it('checks the checksum that Valkey wrote', () => {
    const bytes = Buffer.from('56414c4b455930383000016b0176ff590182700582399d', 'hex');
    expect(decode(bytes).facts).toMatchObject({ checksum: 'ok', dialect: 'valkey', rdbVersion: 80 });
  });

  it('takes a checksum of zero for one that was not computed', () => {
    const bytes = Buffer.from('524544495330303131ff0000000000000000', 'hex');
    expect(decode(bytes).facts.checksum).toBe('off');
  });

  it('tells both checksums when they differ, and has read all keys', () => {
    const bytes = Buffer.from(new RdbBytes().hex('00 K 01 76').end());
    bytes[13] = bytes[13]! ^ 1;
    const { keys, facts } = decode(bytes);
    expect(keys).toHaveLength(1);
    expect(facts.checksum).toBe('mismatch');
    expect(facts.problems[0]).toMatchObject({ code: 'checksum-mismatch', severity: 'error' });
    expect(facts.problems[0]?.text).toContain(facts.checksumStored);
    expect(facts.problems[0]?.text).toContain(facts.checksumComputed);
  });

  it('reads a list node of 70,000 elements whose header cannot tell them', () => {
    const node = listpack(new Array<number>(70_000).fill(1), 0xffff);
    const bytes = new RdbBytes().hex('12 K 01 02').string(node).sentinel().end();
    expect(decode(bytes).keys[0]).toMatchObject({ elements: 70_000 });
  });

  it('remarks on a database number that no server can have', () => {
    // SELECTDB 2^31 - 2 and 2^31 - 1, as 32-bit lengths
    const last = new RdbBytes().hex('FE 80 7F FF FF FE 00 K 01 76').end();
    expect(decode(last).facts.problems).toEqual([]);
    const beyond = new RdbBytes().hex('FE 80 7F FF FF FF 00 K 01 76').end();
    expect(decode(beyond)).toMatchObject({
      keys: [{ db: 2 ** 31 - 1 }],
      facts: { problems: [{ code: 'absurd-database', severity: 'warning', offset: 10, db: 2 ** 31 - 1 }] },
    });
  });

  it('counts what follows the end and says what it is', () => {
    const snapshot = new RdbBytes().hex('00 K 01 76').end();
    const mark = Buffer.alloc(40, 0x61);
    const withTail = (tail: string | Uint8Array): Uint8Array => Buffer.concat([snapshot, Buffer.from(tail)]);
    expect(decode(withTail('*1\r\n$4\r\nPING\r\n')).facts).toMatchObject({
      trailingBytes: 14,
      trailingKind: 'aof',
    });
    expect(decode(withTail('#TS:1700000000\r\n')).facts.trailingKind).toBe('aof');
    expect(decode(withTail(Buffer.alloc(512))).facts).toMatchObject({
      trailingBytes: 512,
      trailingKind: 'zeros',
    });
    expect(decode(withTail(snapshot)).facts.trailingKind).toBe('another-snapshot');
    expect(decode(withTail(mark), { replicationMark: mark }).facts.trailingKind).toBe('replication-mark');
    expect(decode(withTail('0123456789abcdef'.repeat(3).slice(0, 40))).facts).toMatchObject({
      trailingBytes: 40,
      trailingKind: 'replication-mark',
      problems: [],
    });
    expect(decode(withTail('junk')).facts.problems.map(({ code }) => code)).toContain('trailing-bytes');
  });

  it("attaches KeyDB's member expiries to the key before them", () => {
    const bytes = new RdbBytes('REDIS0009')
      .aux('mvcc-tstamp', '1')
      .hex('02 K 01 01 61')
      .aux('keydb-subexpire-key', 'a')
      .aux('keydb-subexpire-when', '4102444800000')
      .sentinel()
      .end();
    const { keys, facts } = decode(bytes);
    expect(keys[0]).toMatchObject({ key: 'k', fieldsWithTtl: 1, firstFieldExpiryMs: 4102444800000 });
    expect(keys[1]).toMatchObject({ key: 'after' });
    expect(facts.dialect).toBe('keydb');
  });

  it('reads on above the versions it knows, with a warning, up to what it cannot size', () => {
    const bytes = new RdbBytes('REDIS0099').hex('00 K 01 76').hex('5a 01 6c 01 76').end();
    const { keys, facts, fault } = decodeUntilFault(bytes);
    expect(keys).toHaveLength(1);
    expect(facts.problems.map(({ code }) => code)).toContain('newer-version');
    expect(fault).toMatchObject({ code: 'unknown-value-type', at: { offset: 14 } });
  });

  it.each(['REDIS1002', 'REDIS0000', 'REDISABCD', 'REDI', 'hello world', '\x1f\x8b\x08'])(
    'refuses the header %j',
    (magic) => {
      const { fault } = decodeUntilFault(
        Buffer.concat([Buffer.from(magic, 'latin1'), Buffer.from('ff', 'hex')]),
      );
      expect(['not-rdb', 'unsupported-version', 'truncated']).toContain((fault as RdbError).code);
    },
  );
});

function stripUndefined(key: Row['key']): Partial<DecodedKey> {
  return Object.fromEntries(Object.entries(key ?? {}).filter(([, value]) => value !== undefined));
}
