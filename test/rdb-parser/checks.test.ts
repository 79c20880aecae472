import { describe, expect, it } from 'vitest';
import { RdbError } from '../../src/rdb-parser/index.js';
import { decode, decodeUntilFault } from '../decode.js';
import { readTruthSet, shippedTruthSetNames } from '../fixtures.js';
import { listpack, RdbBytes, ziplist } from '../rdb-bytes.js';
import { seededRandom } from '../seeded.js';
import { type StreamSketch, streamKey } from '../stream-bytes.js';

/** What the checks tell of a snapshot, which they must have read to its end. */
function told(bytes: Uint8Array): { readonly code: string; readonly text: string }[] {
  const { keys, facts } = decode(bytes, { check: true });
  expect(keys.at(-1)?.key).toBe('after');
  expect(facts).toMatchObject({ complete: true, checksum: 'ok' });
  return facts.problems.map(({ code, text }) => ({ code, text }));
}

const keyOf = (type: string, blob: Uint8Array): Uint8Array =>
  new RdbBytes('REDIS0014').hex(`${type} K`).string(blob).sentinel().end();

/** The blob with the bytes at `at` replaced. */
function patched(blob: Uint8Array, at: number, hex: string): Uint8Array {
  const bytes = Buffer.from(blob);
  Buffer.from(hex, 'hex').copy(bytes, at < 0 ? bytes.length + at : at);
  return bytes;
}

describe('looking into packed values', () => {
  const pair = listpack(['f', 'v']);
  const zip = ziplist(['f', 'v']);

  it.each([
    ['a size that is not its own', '10', patched(pair, 0, '0e'), 'it says 14 bytes'],
    ['a count that is not its own', '10', patched(pair, 4, '04'), 'it announces 4 elements and holds 2'],
    ['an odd number of elements', '10', listpack(['f']), 'not a multiple of 2'],
    ['a back length that is wrong', '10', patched(pair, 8, '03'), 'says that it has another size'],
    ['an element that runs past the end', '10', patched(pair, 9, 'bf'), 'an element goes past its end'],
    ['an encoding that does not exist', '10', patched(pair, 9, 'f7'), '0xf7 starts no element'],
    ['an end before its last byte', '10', patched(pair, 6, 'ff'), 'its elements end at byte 6'],
    ['no end mark', '10', patched(pair, -1, '01'), 'an element goes past its end'],
    ['a previous length that is wrong', '0d', patched(zip, 13, '05'), '5 bytes stand before it, there are 3'],
    [
      'a last entry that is not the last',
      '0d',
      patched(zip, 4, '0a'),
      'its last entry is said to be at byte 10',
    ],
    ['an entry that runs past the end', '0d', patched(zip, 14, '3f'), 'an entry goes past its end'],
    ['an entry encoding that does not exist', '0d', patched(zip, 14, 'c1'), '0xc1 starts no entry'],
    [
      'a count of entries that is not its own',
      '0d',
      patched(zip, 8, '04'),
      'it announces 4 entries and holds 2',
    ],
    ['integers that do not ascend', '0b', Buffer.from('020000000200000002000100', 'hex'), 'do not ascend'],
    ['an integer twice', '0b', Buffer.from('020000000200000001000100', 'hex'), 'do not ascend'],
    ['integers of another width', '0b', Buffer.from('030000000100000001000000', 'hex'), '3 bytes wide'],
    ['an empty intset', '0b', Buffer.from('0200000000000000', 'hex'), 'an empty intset'],
    ['a zipmap field without a value', '09', Buffer.from('010166ff', 'hex'), 'its last field has no value'],
    ['a zipmap value past the end', '09', Buffer.from('010166090076ff', 'hex'), 'goes past its end'],
    ['an empty zipmap', '09', Buffer.from('00ff', 'hex'), 'an empty zipmap'],
  ])('tells %s and reads on', (_, type, blob, text) => {
    const problems = told(keyOf(type, blob)).filter(({ code }) => code !== 'empty-collection');
    expect(problems).toEqual([{ code: 'damaged', text: expect.stringContaining(text) }]);
  });

  it('tells a damaged list node and counts the others', () => {
    const bytes = new RdbBytes().hex('12 K 03');
    for (const node of [listpack(['a', 'b']), patched(listpack(['c']), 6, 'f7'), listpack(['d'])]) {
      bytes.hex('02').string(node);
    }
    const snapshot = bytes.sentinel().end();
    expect(told(snapshot)).toMatchObject([{ code: 'damaged' }]);
    expect(decode(snapshot, { check: true }).keys[0]).toMatchObject({ elements: 3 });
  });

  it('tells a compressed value that does not inflate', () => {
    const bytes = new RdbBytes().hex('10 K c3 05 0d 00 0d e0 14 00').sentinel().end();
    expect(told(bytes)).toMatchObject([{ code: 'damaged' }]);
  });

  it('looks into values too large to be held', () => {
    const elements = Array.from({ length: 300_000 }, (_, i) => `e${i}`);
    const whole = listpack(elements);
    expect(whole.length).toBeGreaterThan(2 ** 20);
    expect(told(keyOf('14', whole))).toEqual([]);
    expect(told(keyOf('14', patched(whole, -10, 'f7')))).toMatchObject([{ code: 'damaged' }]);
    expect(told(keyOf('14', patched(whole, -1, '01')))).toMatchObject([{ code: 'damaged' }]);
  });

  it('stops where the file itself ends', () => {
    const bytes = new RdbBytes().hex('10 K').string(pair).raw();
    for (let length = 9; length < bytes.length; length++) {
      const { fault } = decodeUntilFault(bytes.subarray(0, length), { check: true });
      expect(fault).toBeInstanceOf(RdbError);
      expect(fault).toMatchObject({ code: 'truncated' });
    }
  });
});

describe('looking into compressed strings', () => {
  const LZF = 'c3 05 1e 00 61 e0 14 00';
  const BROKEN = 'c3 05 1e 00 61 e0 14 01'; // refers two bytes back, one is there

  it.each([
    ['a string', '00 K'],
    ['a list item', '01 K 01'],
    ['a member', '02 K 01'],
    ['a value', '04 K 01 01 66'],
    ['a plain list node', '12 K 01 01'],
  ])('tells %s that does not inflate, and reads on', (_, before) => {
    expect(told(new RdbBytes().hex(`${before} ${LZF}`).sentinel().end())).toEqual([]);
    expect(told(new RdbBytes().hex(`${before} ${BROKEN}`).sentinel().end())).toMatchObject([
      { code: 'damaged' },
    ]);
  });

  it('tells exactly those that do not inflate', () => {
    const random = seededRandom('lzf');
    const pick = (below: number): number => Math.floor(random() * below);
    let broken = 0;
    for (let round = 0; round < 3000; round++) {
      const { stored, length } = lzfData(pick);
      if (round % 2 === 1) stored[pick(stored.length)] = pick(256);
      const string = new RdbBytes('').hex('c3').length(stored.length).length(length).bytes(stored).raw();
      const bytes = new RdbBytes().hex('00 K').bytes(string).sentinel().end();
      const { fault } = decodeUntilFault(bytes, { visitor: { keepBytes: 2 ** 20, item: () => {} } });
      const { facts } = decode(bytes, { check: true, pieceBytes: 1 + pick(40) });
      expect(facts.problems.length, Buffer.from(stored).toString('hex')).toBe(fault === undefined ? 0 : 1);
      if (fault !== undefined) broken++;
    }
    expect(broken).toBeGreaterThan(200);
  });
});

/** Some LZF instructions and what they inflate to, in length. */
function lzfData(pick: (below: number) => number): { stored: Uint8Array; length: number } {
  const stored: number[] = [];
  let length = 0;
  for (let i = 1 + pick(60); i > 0; i--) {
    if (length === 0 || pick(2) === 0) {
      const count = 1 + pick(32);
      stored.push(count - 1, ...Array.from({ length: count }, () => pick(256)));
      length += count;
      continue;
    }
    const distance = pick(Math.min(length, 8192));
    const count = 3 + pick(262);
    if (count <= 8) stored.push(((count - 2) << 5) | (distance >> 8), distance & 0xff);
    else stored.push(0xe0 | (distance >> 8), count - 9, distance & 0xff);
    length += count;
  }
  return { stored: Uint8Array.from(stored), length };
}

describe('looking for what comes twice', () => {
  it.each([
    ['a plain set', '02 K 03 01 61 01 62 01 61', 'member'],
    ['a plain set, as integer and as text', '02 K 02 c0 05 01 35', 'member'],
    ['a plain set, as integers of two widths', '02 K 02 c0 05 c1 0500', 'member'],
    ['a plain set, compressed and not', `02 K 02 c3 05 1e 00 61 e0 14 00 1e ${'61'.repeat(30)}`, 'member'],
    ['a zset of text scores', '03 K 02 01 61 01 31 01 61 01 32', 'member'],
    ['a zset', '05 K 02 01 61 000000000000f03f 01 61 0000000000000040', 'member'],
    ['a plain hash', '04 K 02 01 66 01 76 01 66 01 77', 'field'],
    ['a hash with expiries', '18 K ffffffffffffffff 02 00 01 66 01 76 00 01 66 01 77', 'field'],
  ])('finds it in %s', (_, hex, what) => {
    const bytes = new RdbBytes('REDIS0014').hex(hex).sentinel().end();
    expect(told(bytes)).toEqual([{ code: 'duplicate-field', text: expect.stringContaining(what) }]);
  });

  it.each([
    ['a set', '14', listpack(['a', 'b', 'a'])],
    ['a set, as integer and as text', '14', listpack([200, '200'])],
    ['a zset', '11', listpack(['a', 1, 'b', 2, 'a', 3])],
    ['a hash', '10', listpack(['f', 'v', 'g', 'f', 'f', 'w'])],
    ['a ziplist hash', '0d', ziplist(['f', 'v', 'f', 'w'])],
  ])('finds it in %s that is packed', (_, type, blob) => {
    expect(told(keyOf(type, blob))).toMatchObject([{ code: 'duplicate-field' }]);
  });

  it('finds it in a packed hash with expiries', () => {
    const bytes = new RdbBytes('REDIS0012')
      .hex('19 K 0000000000000000')
      .string(listpack(['f', 'v', 0, 'f', 'w', 0]))
      .sentinel()
      .end();
    expect(told(bytes)).toMatchObject([{ code: 'duplicate-field' }]);
  });

  it.each([
    ['values of a hash', '10', listpack(['f', 'v', 'g', 'v'])],
    ['scores', '11', listpack(['a', 1, 'b', 1])],
    ['what looks alike', '14', listpack(['1', '01', '+1', '1.0', ' 1', '-1', '', '00'])],
  ])('does not mind %s', (_, type, blob) => {
    expect(told(keyOf(type, blob))).toEqual([]);
  });

  it('does not mind the same value twice in a plain hash, nor an item twice in a list', () => {
    expect(told(new RdbBytes().hex('04 K 02 01 66 01 76 01 67 01 76').sentinel().end())).toEqual([]);
    expect(told(new RdbBytes().hex('01 K 02 01 66 01 66').sentinel().end())).toEqual([]);
  });

  it('finds it among a hundred thousand members', () => {
    const bytes = new RdbBytes().hex('02 K').length(100_001);
    for (let i = 0; i < 100_000; i++) bytes.string(`member:${i}`);
    bytes.string('member:77777');
    expect(told(bytes.sentinel().end())).toMatchObject([{ code: 'duplicate-field' }]);
  });
});

describe('looking into streams', () => {
  const node = { id: [1, 1], fields: ['f'], entries: [{ id: [0, 0], values: ['v'] }] } as const;
  const ids = [
    [1, 1],
    [1, 2],
  ] as const;
  const group = (owned: StreamSketch['groups'] extends infer G | undefined ? G : never): StreamSketch => ({
    nodes: [node],
    groups: owned,
  });
  const snapshotOf = (sketch: StreamSketch): Uint8Array =>
    new RdbBytes('REDIS0014')
      .bytes(streamKey(5, 's', sketch))
      .sentinel()
      .end();

  it.each<[what: string, sketch: StreamSketch, text: string]>([
    [
      'a length that is not its nodes’',
      { nodes: [node], length: 2 },
      'announces 2 entries, its nodes hold 1',
    ],
    [
      'a node that holds fewer than it says',
      { nodes: [{ ...node, alive: 2 }], length: 2 },
      'it announces 2 entries',
    ],
    [
      'an entry of another size',
      { nodes: [{ ...node, entries: [{ id: [0, 0], values: ['v', 'w'] }] }] },
      'size of an entry is no number',
    ],
    [
      'a consumer with a foreign id',
      group([
        {
          name: 'g',
          pending: ids,
          consumers: [
            {
              name: 'c',
              pending: [
                [1, 1],
                [9, 9],
              ],
            },
          ],
        },
      ]),
      'not those',
    ],
    [
      'an id without a consumer',
      group([{ name: 'g', pending: ids, consumers: [{ name: 'c', pending: [[1, 1]] }] }]),
      'has 2 pending ids, its consumers have 1',
    ],
    [
      'an id twice',
      group([
        {
          name: 'g',
          pending: [
            [1, 1],
            [1, 1],
          ],
          consumers: [
            {
              name: 'c',
              pending: [
                [1, 1],
                [1, 1],
              ],
            },
          ],
        },
      ]),
      'pending ids twice',
    ],
    [
      'the first of two groups',
      group([
        { name: 'g', pending: ids, consumers: [] },
        { name: 'h', pending: [], consumers: [] },
      ]),
      'has 2 pending ids, its consumers have 0',
    ],
  ])('tells %s', (_, sketch, text) => {
    const problems = told(snapshotOf(sketch)).map((problem) => problem.text);
    expect(problems.join('; ')).toContain(text);
  });

  it('finds nothing wrong where nothing is', () => {
    const sketch = group([
      { name: 'g', pending: ids, consumers: [{ name: 'c', pending: [[1, 2]] }], givenBack: [[1, 1]] },
    ]);
    expect(told(snapshotOf(sketch))).toEqual([]);
  });
});

describe.each(shippedTruthSetNames())('%s', (name) => {
  it('has nothing wrong with it, as a server wrote it', () => {
    const { facts } = decode(readTruthSet(name).snapshot, { check: true });
    expect(facts.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});
