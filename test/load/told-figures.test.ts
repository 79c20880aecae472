import { describe, expect, it } from 'vitest';
import { intset, listpack, RdbBytes, ziplist } from '../rdb-bytes.js';
import { SAVED_AT_MS } from '../store/key-feed.js';
import { takenAsInserted } from './both-ways.js';

/** The first key of a file always goes the ordinary way; and a record is only taken when something stands behind it. */
function snapshot(
  keys: (to: RdbBytes) => RdbBytes,
  options: {
    readonly magic?: string;
    readonly aux?: readonly (readonly [string, string])[];
    readonly ctime?: number;
  } = {},
): Uint8Array {
  const to = new RdbBytes(options.magic ?? 'REDIS0011');
  for (const [name, value] of options.aux ?? [['redis-ver', '7.2.6']]) to.aux(name, value);
  to.aux('ctime', String(options.ctime ?? SAVED_AT_MS / 1000))
    .hex('fe00 00')
    .string('first')
    .string('x');
  return keys(to).hex('00').string('last').string('y').end();
}

function expiry(ms: bigint): RdbBytes {
  const bytes = Buffer.alloc(9, 0xfc);
  bytes.writeBigInt64LE(ms, 1);
  return new RdbBytes('').bytes(bytes);
}

describe('what a key takes is not told of another', () => {
  it('whose length differs by 2^32', () => {
    const liar = Buffer.concat([Uint8Array.of(15), Buffer.alloc(16, 't'), Uint8Array.of(1, 1, 1)]);
    for (const length of ['81000000010000000c', '810000010000000005', '800000000c']) {
      takenAsInserted([
        snapshot((to) =>
          to
            .hex('00')
            .string('big')
            .hex('c3')
            .length(liar.length)
            .hex(length)
            .bytes(liar)
            .hex('00')
            .string('small')
            .string('v'.repeat(12)),
        ),
      ]);
    }
  });

  it.each(['8.2.1', '8.8.0'])('that lies with its value in one block of a 32-bit server %s', (version) => {
    const aux = [
      ['redis-ver', version],
      ['redis-bits', '32'],
    ] as const;
    const bytes = snapshot(
      (to) => {
        for (const key of ['long'.repeat(40), 'short', 'another', 'k'.repeat(90)]) {
          to.hex('00').string(key).string('123456789012345').hex('00').string(`${key}2`).string('-12');
        }
        return to;
      },
      { magic: 'REDIS0012', aux },
    );
    expect(takenAsInserted([bytes])).toBeGreaterThan(4);
  });

  it('with fewer items, where a list is packed up to a number of them', () => {
    const list = (to: RdbBytes, key: string, items: string[]): RdbBytes =>
      to.hex('12').string(key).length(1).hex('02').string(listpack(items));
    const bytes = snapshot((to) => {
      list(to, 'four', ['a', 'b', 'c', 'd']);
      list(to, 'three', ['a', 'b', 'cdef']);
      list(to, 'three more', ['a', 'b', 'cdef']);
      return list(to, 'four more', ['a', 'b', 'c', 'd']);
    });
    expect(takenAsInserted([bytes], { model: { thresholds: { listMaxListpackSize: 3 } } })).toBeGreaterThan(
      1,
    );
  });

  it.each([0, 1, 5, 2 ** 30, 2 ** 31 - 1, 2 ** 31, 2 ** 40])('under limits of %d', (limit) => {
    const bytes = snapshot((to) => {
      for (const key of ['p', 'q', 'r']) {
        to.hex('04').string(`hash:${key}`).length(2);
        for (const field of ['m', 'n']) to.string(field.repeat(70)).string('v');
        to.hex('04').string(`one:${key}`).length(1).string('f').string('v');
        to.hex('02').string(`set:${key}`).length(3).string('x').string('y').string('1');
        to.hex('02').string(`ints:${key}`).length(2).hex('c001').hex('c002');
        to.hex('05').string(`zset:${key}`).length(1).string('member').bytes(new Uint8Array(8));
        to.hex('10')
          .string(`packed:${key}`)
          .string(listpack(['f', 'v']));
        to.hex('14')
          .string(`packed set:${key}`)
          .string(listpack(['f', 'v']));
      }
      return to;
    });
    const thresholds = {
      hashMaxListpackEntries: limit,
      setMaxIntsetEntries: limit,
      setMaxListpackEntries: limit,
      zsetMaxListpackEntries: limit,
    };
    expect(takenAsInserted([bytes], { model: { thresholds } })).toBeGreaterThan(5);
  });

  it('whose expiry is beyond what a double tells, though the clock of the file says that this may be', () => {
    const bytes = snapshot(
      (to) => {
        for (const when of [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 3n, 2n ** 60n + 1n]) {
          for (const key of ['l'.repeat(30), 'k']) {
            to.bytes(expiry(when).raw()).hex('00').string(`${key}:${when}`).string('13');
          }
        }
        return to;
      },
      { ctime: 9_999_999_999_999 },
    );
    expect(takenAsInserted([bytes])).toBeGreaterThan(0);
  });
});

/** Lengths around which something changes: headers, blocks' sizes, limits, the end of the core's table. */
const SIZES: readonly number[] = [20, 48, 64, 65, 128, 300, 2049, 4096, 8190, 8193, 16_383, 16_385, 20_000];

/** Values of about those sizes, each in one block; text lengths on both sides of a limit. */
function blocks(to: RdbBytes, key: string, isZiplist: boolean): RdbBytes {
  for (const bytes of SIZES) {
    for (const by of [-11, -5, -4, -3, -1, 0, 1]) {
      const name = `${key}:${bytes + by}`;
      const text = 'v'.repeat(bytes + by);
      to.hex('00').string(`text:${name}`).string(text);
      const members = Array.from({ length: Math.min(bytes, 512) + by }, (_, i) => 1000 + i);
      if (members.length > 0) to.hex('0b').string(`integers:${name}`).string(intset(2, members));
      // Short entries: the ziplists of these tests have no others.
      const items = Array.from({ length: 2 * Math.ceil(bytes / 100) }, () => 'x'.repeat(40));
      items.push('f', 'y'.repeat(11 + by));
      const packed = isZiplist ? ziplist(items) : listpack(['f', text]);
      to.hex(isZiplist ? '0e' : '12')
        .string(`list:${name}`)
        .length(1);
      if (!isZiplist) to.length(2);
      to.string(packed);
      to.hex(isZiplist ? '0d' : '10')
        .string(`hash:${name}`)
        .string(packed);
      to.hex(isZiplist ? '0c' : '11')
        .string(`zset:${name}`)
        .string(isZiplist ? packed : listpack([text, 1]));
      if (!isZiplist) to.hex('14').string(`set:${name}`).string(packed);
      to.hex('0f')
        .string(`stream:${name}`)
        .length(1)
        .string(new Uint8Array(16))
        .string(listpack(['f', text]));
      for (const number of [2, 1, 0, 0]) to.length(number);
    }
  }
  return to;
}

/** Of a server up to 6 with ziplists, else with listpacks; in two databases. */
function fileOfBlocks(version: string, bits = 64): Uint8Array {
  const aux = [
    ['redis-ver', version],
    ['redis-bits', String(bits)],
  ] as const;
  const isZiplist = version < '7';
  return snapshot((to) => blocks(blocks(to, 'a', isZiplist).hex('fe01'), 'b', isZiplist), {
    magic: isZiplist ? 'REDIS0009' : 'REDIS0012',
    aux,
  });
}

describe('values in one block', () => {
  it.each(['4.0.14', '6.2.14', '7.0.15', '7.2.6', '8.0.3', '8.4.0'])(
    'of any length take in %s what the model says of each',
    (version) => {
      const files = [64, 32].map((bits) => fileOfBlocks(version, bits));
      expect(takenAsInserted(files)).toBeGreaterThan(1500);
      expect(takenAsInserted(files.toReversed())).toBeGreaterThan(1500);
    },
  );

  it('take what those of their own file do, where the same lengths count otherwise in the file before', () => {
    const files = ['4.0.14', '7.2.6'].map((version) => fileOfBlocks(version));
    expect(takenAsInserted(files)).toBeGreaterThan(1500);
    expect(takenAsInserted(files.toReversed())).toBeGreaterThan(1500);
  });

  it.each([-1, -5, 1])('take what lists do whose nodes end at %i', (listMaxListpackSize) => {
    const bytes = snapshot((to) => blocks(to, 'a', false));
    expect(takenAsInserted([bytes], { model: { thresholds: { listMaxListpackSize } } })).toBeGreaterThan(400);
  });
});

describe('settings below what 32 bits hold', () => {
  it('keep nothing packed', () => {
    const thresholds = {
      hashMaxListpackEntries: -3_000_000_000,
      zsetMaxListpackEntries: -3_000_000_000,
      setMaxIntsetEntries: -3_000_000_000,
      setMaxListpackEntries: -3_000_000_000,
    };
    const bytes = snapshot((to) =>
      to
        .hex('10')
        .string('hash')
        .string(listpack(['a', 'b']))
        .hex('11')
        .string('zset')
        .string(listpack(['a', '1']))
        .hex('14')
        .string('set')
        .string(listpack(['a', 'b']))
        .hex('0b')
        .string('intset')
        .string(intset(2, [1, 2])),
    );
    takenAsInserted([bytes], { model: { thresholds } });
  });
});
