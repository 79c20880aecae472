import { describe, expect, it } from 'vitest';
import { listpack, RdbBytes } from '../rdb-bytes.js';
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
