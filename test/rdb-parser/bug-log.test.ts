import { describe, expect, it } from 'vitest';
import { createMemoryModel, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder, RdbError, UNKNOWN } from '../../src/rdb-parser/index.js';
import { type DecodedKey, decode, decodeUntilFault } from '../decode.js';
import { decodeEveryWay } from '../every-way.js';
import { listpack, RdbBytes, ziplist } from '../rdb-bytes.js';

/*
 * What has broken other tools, one recipe a row; the number is that of the list of public bug reports that the recipes
 * were taken from. Each snapshot ends with a sentinel key: whoever loses step does not find it.
 */

/** All keys but the sentinel, which must be there, whichever way the snapshot is read. */
function keysOf(bytes: Uint8Array): readonly DecodedKey[] {
  const { keys, facts } = decodeEveryWay(bytes);
  expect(keys.at(-1)).toMatchObject({ key: 'after' });
  expect(facts).toMatchObject({ complete: true });
  return keys.slice(0, -1);
}

function only(bytes: Uint8Array): DecodedKey {
  const keys = keysOf(bytes);
  expect(keys).toHaveLength(1);
  return keys[0]!;
}

const snapshot = (hex: string, magic?: string): Uint8Array => new RdbBytes(magic).hex(hex).sentinel().end();

const faultOf = (bytes: Uint8Array): RdbError => {
  const { fault } = decodeUntilFault(bytes);
  expect(fault).toBeInstanceOf(RdbError);
  return fault as RdbError;
};

const problemsOf = (bytes: Uint8Array): string[] =>
  decode(bytes, { check: true }).facts.problems.map(({ code }) => code);

describe('header and version', () => {
  it.each(['0007', '0008', '0009', '0010', '0011', '0012', '0013', '0014', '0015'])(
    '1, 3: reads records of version 1 under version %s, without a warning',
    (version) => {
      const bytes = snapshot('fe 00 01 K 01 01 61', `REDIS${version}`);
      expect(only(bytes)).toMatchObject({ type: 'list', elements: 1 });
      expect(decode(bytes).facts.problems).toEqual([]);
    },
  );

  it.each(['0016', '0099'])('1: reads on above the newest version (%s), with a warning', (version) => {
    const bytes = snapshot('fe 00 01 K 01 01 61', `REDIS${version}`);
    expect(only(bytes)).toMatchObject({ elements: 1 });
    expect(problemsOf(bytes)).toEqual(['newer-version']);
  });

  it('2: reads a type that is newer than the header says, as servers do', () => {
    const body = 'fe 00 12 K 01 02 0a 0a000000 0100 81 61 02 ff';
    expect(only(snapshot(body, 'REDIS0008'))).toEqual(only(snapshot(body, 'REDIS0010')));
  });

  it('4: reads a hash of type 16 under version 10', () => {
    const key = only(snapshot('fe 00 10 K 0d 0d000000 0200 81 66 02 81 76 02 ff', 'REDIS0010'));
    expect(key).toMatchObject({ type: 'hash', elements: 1, packing: 'listpack' });
  });

  it.each(['VALKEY080', 'VALKEY081'])('5, 6: takes %s for Valkey', (magic) => {
    const bytes = snapshot('fe 00 00 K 01 76', magic);
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts).toMatchObject({ dialect: 'valkey', magic });
  });

  it('5: says that a Valkey header is cut', () => {
    expect(faultOf(Buffer.from('VALKEY08'))).toMatchObject({ code: 'truncated', at: { offset: 8 } });
  });

  it.each([
    ['nothing', ''],
    ['a snapshot that starts at its byte 5', '0011\xfe\x00'],
    ['a gzip file', '\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03'],
    ['text', 'hello, this is a text file'],
    ['an append-only file without a preamble', '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n'],
    ['a version that is four letters', 'REDIS2AHH'],
  ])('8: does not take %s for a snapshot', (_, text) => {
    const fault = faultOf(Buffer.from(text, 'latin1'));
    expect(fault.code).toBe('not-rdb');
    expect(fault.message).toMatch(text === '' ? /empty/ : /[0-9a-f]{2} [0-9a-f]{2}/);
  });

  it('9: reads the snapshot in front of commands and counts their bytes', () => {
    const tail = '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n';
    const bytes = Buffer.concat([snapshot('fe 00 00 K 01 76', 'REDIS0009'), Buffer.from(tail)]);
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts).toMatchObject({
      trailingBytes: tail.length,
      trailingKind: 'aof',
      checksum: 'ok',
    });
  });

  it.each([
    ['of a development build', '255.255.255'],
    ['that is empty', ''],
    ['of 5 kB', '7'.repeat(5000)],
    ['that is missing', undefined],
  ])('10: has memory figures for a server version %s', (_, version) => {
    const start = new RdbBytes();
    if (version !== undefined) start.hex('fa').string('redis-ver').string(version);
    const decoder = new Decoder(bytesSource(start.hex('00 K 01 76').sentinel().end()));
    decoder.readHeader();
    const { serverVersion, rdbVersion } = decoder.facts;
    const model = createMemoryModel(profileFor({ serverVersion, rdbVersion }).profile);
    decoder.meter = model;
    expect(decoder.next()).toBe(true);
    expect(model.memoryBytes).toBeGreaterThan(0);
  });
});

describe('opcodes and type ids', () => {
  const EXPIRY = 'fc 00d8c32cbb030000';
  const IDLE = 'f8 80 02625a00';
  const FREQ = 'f9 ff';

  it.each([
    [EXPIRY, IDLE],
    [IDLE, EXPIRY],
  ])('11: reads an idle time before and after an expiry (%s %s)', (first, second) => {
    const key = only(snapshot(`${first} ${second} 00 K 01 76`));
    expect(key).toMatchObject({ idle: 40_000_000, expiresAtMs: '4102444800000', offset: 9 });
  });

  it.each([
    [FREQ],
    [`${FREQ} ${EXPIRY}`],
    [`${EXPIRY} ${FREQ}`],
    [`${EXPIRY} ${IDLE} ${FREQ}`],
    [`${FREQ} ${IDLE} ${EXPIRY}`],
  ])('11: reads a frequency in any place (%s)', (attributes) => {
    expect(only(snapshot(`${attributes} 00 K 01 76`))).toMatchObject({ freq: 255 });
  });

  it('12: a frequency is not signed', () => {
    expect(only(snapshot('f9 80 00 K 01 76'))).toMatchObject({ freq: 128 });
    expect(only(snapshot('f9 ff 00 K 01 76'))).toMatchObject({ freq: 255 });
  });

  it('13: reads functions in front of the first database, of 7.0 and of its candidates', () => {
    const source = '#!lua name=mylib\nredis.register_function("f", function() end)';
    const bytes = new RdbBytes('REDIS0010')
      .hex('f5')
      .string(source)
      .hex('f6 01 6e 03 4c5541 01 01 64 01 78')
      .hex('fe 00 00 K 01 76')
      .sentinel()
      .end();
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts.functions).toEqual([
      { name: 'mylib', engine: 'lua', bytes: source.length, offset: 9 },
      expect.objectContaining({ name: 'n', engine: 'LUA', bytes: 1 }),
    ]);
  });

  it('14, 15: reads modules’ data before the keys and after the last one', () => {
    const id = '81 45e25238df912c03';
    const bytes = new RdbBytes('REDIS0009')
      .hex(`f7 ${id} 02 01 05 03 617578 00`)
      .hex('fe 00 00 K 01 76')
      .sentinel()
      .hex(`f7 ${id} 02 02 05 03 617578 00`)
      .end();
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts.moduleAux).toMatchObject([
      { moduleName: 'ReJSON-RL', when: 'before', offset: 9 },
      { moduleName: 'ReJSON-RL', when: 'after' },
    ]);
  });

  it('16: opcode 243 is key metadata of Redis and a slot import of Valkey', () => {
    const metadata = snapshot('fe 00 f3 01 09f5c428 02 05 00 00 K 01 76', 'REDIS0013');
    expect(only(metadata)).toMatchObject({ key: 'k', offset: 11 });
    const slots = snapshot(`f3 28 ${'61'.repeat(40)} 01 00 0a 00 K 01 76`, 'VALKEY080');
    expect(only(slots)).toMatchObject({ key: 'k' });
    expect(decode(slots).facts.recordsSkipped).toBe(1);
  });

  it('17: type 22 has one layout in Redis and another in Valkey', () => {
    const redis = only(snapshot('16 K 02 81 000003bb2cc3d800 01 66 01 76 00 01 67 01 77', 'REDIS0012'));
    const valkey = only(
      snapshot('16 K 02 01 66 01 76 00d8c32cbb030000 01 67 01 77 ffffffffffffffff', 'VALKEY080'),
    );
    const same = { elements: 2, fieldsWithTtl: 1, firstFieldExpiryMs: 4102444800000, payload: 4 };
    expect(redis).toMatchObject({ ...same, typeName: 'HASH_METADATA_PRE_GA' });
    expect(valkey).toMatchObject({ ...same, typeName: 'HASH_2' });
  });

  it("18: types 30 to 32 are templates in Redis and others in Dragonfly's files", () => {
    const template = only(snapshot('f2 00 02 01 61 01 62 20 K 00 01 76 01 77', 'REDIS0015'));
    expect(template).toMatchObject({ typeName: 'HASH_TMPL_ARRAY_REF', elements: 2 });
    const dragonfly = 'fa 06 64662d766572 01 31 1f K 01 01 66 01 76 02 2d31';
    expect(only(snapshot(dragonfly, 'REDIS0009'))).toMatchObject({
      typeName: 'HASH_WITH_EXPIRY',
      elements: 1,
    });
  });

  it('18: a hash template that was not announced stops the reading', () => {
    expect(faultOf(snapshot('20 K 00 01 76', 'REDIS0015'))).toMatchObject({ code: 'bad-value' });
  });

  it.each(['REDIS0006', 'REDIS0011'])('19: type 20 is a set under %s too', (magic) => {
    expect(only(snapshot('14 K 0a 0a000000 0100 81 61 02 ff', magic))).toMatchObject({
      type: 'set',
      elements: 1,
    });
  });

  it("21: passes over Redis Enterprise's own records", () => {
    const bytes = snapshot('6b 05 79 40 64 00 K 01 76');
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts.recordsSkipped).toBe(2);
  });

  it('22: says where a byte stands that is no type, and how many keys came before', () => {
    const fault = faultOf(snapshot('00 K 01 76 c8 00'));
    expect(fault).toMatchObject({ code: 'unknown-opcode', at: { offset: 14 } });
    expect(fault.message).toMatch(/byte 200.*1 keys were read before it/);
  });

  it('23: does not gather an AUX field per key', () => {
    const bytes = new RdbBytes('REDIS0009');
    for (let i = 0; i < 20_000; i++) {
      bytes.aux('mvcc-tstamp', String(i)).hex('00').string(`k${i}`).string('v');
    }
    const { keys, facts } = decode(bytes.sentinel().end());
    expect(keys).toHaveLength(20_001);
    expect(facts).toMatchObject({ dialect: 'keydb', aux: [] });
  });

  it.each([
    ['24', '18 K 00d8c32cbb030000 02 01 01 66 01 76 00 01 67 01 77'],
    [
      '25',
      '19 K 00d8c32cbb030000 1f 1f000000 0600 81 66 02 81 76 02 f4 00d8c32cbb030000 09 81 67 02 81 77 02 00 01 ff',
    ],
    ['22', '16 K 02 81 000003bb2cc3d800 01 66 01 76 00 01 67 01 77'],
    ['23', '17 K 1f 1f000000 0600 81 66 02 81 76 02 f4 00d8c32cbb030000 09 81 67 02 81 77 02 00 01 ff'],
  ])('24: reads fields that expire, type %s', (_, hex) => {
    expect(only(snapshot(hex, 'REDIS0012'))).toMatchObject({
      elements: 2,
      fieldsWithTtl: 1,
      firstFieldExpiryMs: 4102444800000,
    });
  });

  it('25: counts slot records of Redis and of Valkey', () => {
    const redis = snapshot('fe 00 fb 02 00 f4 05 01 00 00 K 01 76', 'REDIS0012');
    expect(only(redis)).toMatchObject({ key: 'k' });
    expect(decode(redis).facts.slotRecords).toBe(1);
    const valkey = new RdbBytes('REDIS0011')
      .aux('valkey-ver', '8.0.1')
      .hex('fe 00')
      .aux('slot-info', '5,1,0');
    const bytes = valkey.hex('00 K 01 76').sentinel().end();
    expect(only(bytes)).toMatchObject({ key: 'k' });
    expect(decode(bytes).facts).toMatchObject({ slotRecords: 1, product: 'valkey' });
  });

  it("26: counts an array's values, not its highest index", () => {
    const hex = '1c K 02 00 00 00 0b 68656c6c6f20776f726c64 81 fffffffffffffffe 01 f9ffffffffffffff';
    expect(only(snapshot(hex, 'REDIS0014'))).toMatchObject({ type: 'array', elements: 2 });
  });
});

describe('encodings', () => {
  it('27: reads zipmap values of 300 bytes, and a zipmap that does not tell its count', () => {
    const value = Buffer.alloc(300, 0x76);
    const long = Buffer.from('fe2c01000000', 'hex'); // 254, then the length, then no unused bytes
    const zipmap = (count: number): Uint8Array =>
      Buffer.concat([Buffer.from([count, 1, 0x66]), long, value, Buffer.of(0xff)]);
    for (const count of [1, 254]) {
      const key = only(new RdbBytes().hex('09 K').string(zipmap(count)).sentinel().end());
      expect(key).toMatchObject({ type: 'hash', elements: 1 });
    }
  });

  it('28: reads ziplist entries above 16,383 bytes, whose length is big-endian', () => {
    const value = Buffer.alloc(20_000, 0x76);
    const body = Buffer.concat([Buffer.from('000166 03 8000004e20'.replaceAll(' ', ''), 'hex'), value]);
    const header = Buffer.alloc(10);
    header.writeUInt32LE(body.length + 11);
    header.writeUInt32LE(13, 4);
    header.writeUInt16LE(2, 8);
    const blob = Buffer.concat([header, body, Buffer.of(0xff)]);
    const bytes = new RdbBytes().hex('0d K').string(blob).sentinel().end();
    expect(only(bytes)).toMatchObject({ elements: 1 });
    expect(decode(bytes, { deep: true }).keys[0]).toMatchObject({ longest: 20_000 });
    expect(problemsOf(bytes)).toEqual([]);
  });

  it('30: reads every width of ziplist integers', () => {
    const integers: readonly (readonly [hex: string, text: string])[] = [
      ['feff', '-1'],
      ['f1', '0'],
      ['fd', '12'],
      ['fe0d', '13'],
      ['fe7f', '127'],
      ['fe80', '-128'],
      ['c00080', '-32768'],
      ['c0ff7f', '32767'],
      ['f0000080', '-8388608'],
      ['f0ffff7f', '8388607'],
      ['d000000080', '-2147483648'],
      ['d0ffffff7f', '2147483647'],
      ['e00000000000000080', '-9223372036854775808'],
      ['e0ffffffffffffff7f', '9223372036854775807'],
    ];
    const bytes = new RdbBytes()
      .hex('0a K')
      .string(rawZiplist(integers.map(([hex]) => hex)))
      .sentinel()
      .end();
    const seen: string[] = [];
    const visitor = {
      keepBytes: 64,
      item: (item: { bytes: Uint8Array; kept: number }) =>
        seen.push(Buffer.from(item.bytes.subarray(0, item.kept)).toString()),
    };
    expect(only(bytes)).toMatchObject({ elements: integers.length });
    decode(bytes, { visitor });
    expect(seen.slice(0, -1)).toEqual(integers.map(([, text]) => text));
    expect(problemsOf(bytes)).toEqual([]);
  });

  it('32: reads list nodes of one entry and empty ones', () => {
    const bytes = new RdbBytes()
      .hex('0e K 03')
      .string(ziplist(['a']))
      .string(ziplist([]))
      .string(ziplist(['b', 'c']))
      .sentinel()
      .end();
    expect(only(bytes)).toMatchObject({ elements: 3, nodes: 3 });
    expect(problemsOf(bytes)).toEqual([]);
  });

  it.each([
    ['a ziplist hash', '0d', ziplist(elements(70_000), 0xffff), 35_000],
    ['a listpack hash', '10', listpack(elements(70_000), 0xffff), 35_000],
    ['a listpack zset', '11', listpack(scoredElements(70_000), 0xffff), 35_000],
    ['a listpack set', '14', listpack(elements(70_000), 0xffff), 70_000],
  ])('33: walks %s that is too large for its count', (_, type, blob, count) => {
    const bytes = new RdbBytes().hex(`${type} K`).string(blob).sentinel().end();
    expect(only(bytes)).toMatchObject({ elements: count });
    expect(problemsOf(bytes)).toEqual([]);
  });

  it.each([1, 3])("34: a list of %i nodes has its nodes' elements", (nodes) => {
    const bytes = new RdbBytes().hex('0e K').length(nodes);
    for (let i = 0; i < nodes; i++) bytes.string(ziplist(['a', 'b']));
    expect(only(bytes.sentinel().end())).toMatchObject({ elements: 2 * nodes, nodes });
  });

  it.each(['P', 'L', 'PL', 'LP', 'PLP', 'LPL'])(
    '35: reads plain (P) and packed (L) nodes in the order %s',
    (order) => {
      const bytes = new RdbBytes().hex('12 K').length(order.length);
      for (const node of order) {
        if (node === 'P') bytes.hex('01').string(Buffer.alloc(9000, 0x50));
        else bytes.hex('02').string(listpack(['a', 1]));
      }
      const plain = order.replaceAll('L', '').length;
      expect(only(bytes.sentinel().end())).toMatchObject({
        elements: plain + 2 * (order.length - plain),
        nodes: order.length,
      });
    },
  );

  it('36: scores that are NaN or infinite have no text behind them', () => {
    const bytes = snapshot('03 K 03 01 61 fd 01 62 fe 01 63 ff');
    expect(only(bytes)).toMatchObject({ elements: 3, payload: 3 });
    expect(problemsOf(bytes)).toEqual(['nan-score']);
  });

  it.each([
    ['nan', true],
    ['NaN', true],
    ['', true],
    ['abc', true],
    ['inf', false],
    ['-inf', false],
    ['1e400', false],
    ['3.25', false],
    [7, false],
  ])('37: a packed score of %j is a number or is told', (score, told) => {
    const bytes = new RdbBytes()
      .hex('11 K')
      .string(listpack([1, score]))
      .sentinel()
      .end();
    expect(only(bytes)).toMatchObject({ type: 'zset', elements: 1 });
    expect(problemsOf(bytes)).toEqual(told ? ['nan-score'] : []);
    expect(decode(bytes, { deep: true }).facts.problems.map(({ code }) => code)).toEqual(
      told ? ['nan-score'] : [],
    );
  });

  it.each([
    ['a key', '00 c1 3930 01 76'],
    ['a list item', '01 K 01 c1 3930'],
    ['a set member', '02 K 01 c1 3930'],
    ['a zset member', '05 K 01 c1 3930 000000000000f03f'],
    ['a field and its value', '04 K 01 c1 3930 c2 a0860100'],
    ['an intset of 16 bits', '0b K 0a 02000000 01000000 3930'],
    ['an intset of 32 bits', '0b K 0c 04000000 01000000 a0860100'],
    ['an intset of 64 bits', '0b K 10 08000000 01000000 ffffffffffffff7f'],
    ['a ziplist entry', '0a K 0f 0f000000 0a000000 0100 00 c0 3930 ff'],
  ])('38: %s may be an integer', (_, hex) => {
    expect(only(snapshot(hex))).toMatchObject({ elements: 1 });
  });

  it.each([
    ['a key', '00 K 01 76 fe 02 00 f8', 16],
    ['a value', '00 K 01 76 fe 02 00 K f8', 18],
    ['a field', '00 K 01 76 fe 02 04 K 01 f8', 19],
    ['an item', '00 K 01 76 fe 02 01 K 01 f8', 19],
  ])('40: %s of an encoding that does not exist is told with its place', (_, hex, offset) => {
    const { keys, fault } = decodeUntilFault(snapshot(hex));
    expect(keys).toHaveLength(1);
    expect(fault).toMatchObject({ code: 'bad-string-encoding', at: { db: 2 } });
    expect((fault as RdbError).at.offset).toBeGreaterThanOrEqual(offset);
    expect((fault as RdbError).message).toContain('string encoding 56');
  });

  it('41: does not blame a version for a flipped length', () => {
    const bytes = Buffer.from(snapshot('00 K 01 76 00 01 6c 03 777777', 'REDIS0007'));
    bytes[12] = 0x21; // "k" has a value of 33 bytes now
    const { fault, facts } = decodeUntilFault(bytes);
    expect((fault as Error).message).not.toMatch(/newer/);
    expect(facts.problems).toEqual([]);
  });

  it('42: tells blank and repeated fields of a packed hash', () => {
    const bytes = new RdbBytes()
      .hex('0d K')
      .string(ziplist(['', '', 'a', '1', 'a', '2']))
      .sentinel()
      .end();
    expect(only(bytes)).toMatchObject({ elements: 3 });
    const { problems } = decode(bytes, { check: true }).facts;
    expect(problems).toMatchObject([{ code: 'duplicate-field', severity: 'error', db: 0 }]);
    expect(Buffer.from(problems[0]!.key!).toString()).toBe('k');
  });

  it('43: reads a key that comes again, and a database that comes again', () => {
    const keys = keysOf(snapshot('fe 00 00 K 01 76 00 K 01 77 fe 01 00 K 01 76 fe 00 00 01 6c 01 76'));
    expect(keys.map(({ db, key }) => `${db} ${key}`)).toEqual(['0 k', '0 k', '1 k', '0 l']);
  });

  it.each([
    ['a string of 2^62 bytes', '00 K 81 4000000000000000 616263', 'bad-length'],
    ['a string of 2^52 bytes', '00 K 81 0010000000000000 616263', 'truncated'],
    ['a list of 2^40 items', '01 K 81 0000010000000000 01 61', 'truncated'],
    ['a compressed string of 2^50 bytes', '00 K c3 81 0004000000000000 81 0004000000000000 00', 'truncated'],
    ['a ziplist whose size is not its own', '0d K 0b 0c000000 0a000000 0000 ff', 'bad-blob'],
    ['a list of 2^50 nodes', '12 K 81 0004000000000000', 'truncated'],
    ['a stream of 2^50 nodes', '15 K 81 0004000000000000', 'truncated'],
  ])('45: %s is a fault, not an allocation', (_, hex, code) => {
    expect(faultOf(new RdbBytes().hex(hex).raw())).toMatchObject({ code, at: { key: Uint8Array.of(0x6b) } });
  });

  it('45: an entry that runs past its ziplist is a fault', () => {
    const bytes = snapshot('0d K 11 11000000 0d000000 0200 00 01 66 03 3f 76 ff');
    expect(() => decode(bytes, { deep: true })).toThrow(RdbError);
    expect(problemsOf(bytes)).toEqual(['damaged']);
  });

  it.each([
    ['an id of 64 bits', '81 ffffffffffffffff'],
    ['a known name', '81 45e25238df912c03'],
  ])('47, 48, 80: passes over a module value with every kind of item and %s', (_, id) => {
    const items = '02 40c8 01 81 fffffffffffffff6 03 0000c03f 04 000000000000f03f 05 03 616263 05 c0 05';
    const bytes = snapshot(`07 K ${id} ${items} 00`);
    const key = only(bytes);
    expect(key).toMatchObject({ type: 'module' });
    expect(key.elements).toBeUndefined();
    expect(Number(key.serialized)).toBeGreaterThan(40);
  });

  it('47: refuses a module value of the release candidates, with its name', () => {
    const fault = faultOf(snapshot('06 K 81 45e25238df912c03 01 02'));
    expect(fault).toMatchObject({ code: 'unsupported-value' });
    expect(fault.message).toContain('ReJSON-RL');
  });
});

describe('expiry, idle time, names', () => {
  it('56, 57: seconds are four bytes, and tell the same instant as milliseconds', () => {
    const bytes = snapshot('fd 00943577 00 K 01 76 fc 00204aa9d1010000 00 01 6c 01 76', 'REDIS0003');
    expect(keysOf(bytes).map(({ expiresAtMs }) => expiresAtMs)).toEqual(['2000000000000', '2000000000000']);
  });

  it.each([
    ['year 2300', 10_413_792_000_000n],
    ['year 10000', 253_402_300_800_000n],
    ['year 52842', 1_605_344_000_000_000n],
    ['2^53 + 1', 2n ** 53n + 1n],
    ['2^63 - 1', 2n ** 63n - 1n],
    ['0', 0n],
    ['-1000', -1000n],
    ['2^64 - 1, which is -1', -1n],
    ['33177117420 s', 33_177_117_420_000n],
  ])('58, 60, 63: keeps an expiry of %s exactly', (_, expiry) => {
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(expiry);
    const bytes = new RdbBytes().hex('fc').bytes(time).hex('00 K 01 76').sentinel().end();
    expect(only(bytes)).toMatchObject({ expiresAtMs: String(expiry) });
  });

  it('81: an idle time or frequency that the file does not have is unknown, not 0', () => {
    const keys = keysOf(snapshot('f8 00 00 K 01 76 f9 00 00 01 6c 01 76 00 01 6d 01 76'));
    expect(keys.map(({ idle, freq }) => [idle, freq])).toEqual([
      [0, undefined],
      [undefined, 0],
      [undefined, undefined],
    ]);
  });

  it.each(['22', '5c', '00011f7f', 'eda080', 'fffe80', 'f09f9880', ''])(
    '94, 95: a name of the bytes "%s" stays what it is, as key, field, group and AUX value',
    (hex) => {
      const name = Buffer.from(hex, 'hex');
      const bytes = new RdbBytes('REDIS0009')
        .hex('fa')
        .string('note')
        .string(name)
        .hex('00')
        .string(name)
        .string('v')
        .hex('04 K 01')
        .string(name)
        .string(name)
        .hex('0f 01 73 00 00 00 00 01')
        .string(name)
        .hex('00 00 00 00')
        .sentinel()
        .end();
      expect(keysOf(bytes)).toHaveLength(3);
      const decoder = new Decoder(bytesSource(bytes));
      decoder.next();
      const { keyBuffer, keyStart, keyLength } = decoder.record;
      expect(Buffer.from(keyBuffer.subarray(keyStart, keyStart + keyLength))).toEqual(name);
      decoder.next();
      expect(decoder.record.payloadBytes).toBe(2 * name.length);
      decoder.next();
      expect(Buffer.from(decoder.record.stream.groupFacts[0]!.name)).toEqual(name);
    },
  );
});

describe('integrity', () => {
  const whole = Buffer.from(snapshot('fe 00 00 K 01 76'));

  it('104: tells a wrong checksum, one that is off, one that is missing, and a version without', () => {
    const wrong = Buffer.from(whole);
    wrong[wrong.length - 1] = wrong.at(-1)! ^ 1;
    expect(decode(wrong).facts).toMatchObject({ checksum: 'mismatch', complete: true });
    const off = Buffer.from(whole).fill(0, whole.length - 8);
    expect(decode(off).facts).toMatchObject({ checksum: 'off', complete: true });
    expect(faultOf(whole.subarray(0, -8))).toMatchObject({ code: 'truncated' });
    expect(decode(snapshot('00 K 01 76', 'REDIS0004')).facts).toMatchObject({ checksum: 'absent' });
  });

  it('105: a flipped bit in a value is found by the checksum alone', () => {
    const flipped = Buffer.from(whole);
    flipped[15] = flipped[15]! ^ 0x10;
    const { keys, facts } = decode(flipped);
    expect(keys).toHaveLength(2);
    expect(facts.checksum).toBe('mismatch');
    expect(facts.problems).toMatchObject([{ code: 'checksum-mismatch', severity: 'error' }]);
  });

  it.each([1, 7, 4096, Number.POSITIVE_INFINITY])(
    '107: reads the same in pieces of %d bytes',
    (pieceBytes) => {
      expect(decode(whole, { pieceBytes })).toEqual(decode(whole));
    },
  );

  it('107: tells what is unknown as unknown', () => {
    expect(decode(whole).facts).toMatchObject({ createdAtMs: UNKNOWN, usedMemoryBytes: UNKNOWN });
  });
});

function elements(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `e${i}`);
}

function scoredElements(count: number): (string | number)[] {
  return Array.from({ length: count }, (_, i) => (i % 2 === 0 ? `e${i}` : i % 100));
}

/** A ziplist of entries given as encoding and data in hex. */
function rawZiplist(entries: readonly string[]): Uint8Array {
  let previous = 0;
  let last = 10;
  let at = 10;
  const parts = entries.map((hex) => {
    const part = Buffer.from(previous.toString(16).padStart(2, '0') + hex, 'hex');
    last = at;
    at += part.length;
    previous = part.length;
    return part;
  });
  const header = Buffer.alloc(10);
  header.writeUInt32LE(at + 1);
  header.writeUInt32LE(last, 4);
  header.writeUInt16LE(entries.length, 8);
  return Buffer.concat([header, ...parts, Buffer.of(0xff)]);
}
