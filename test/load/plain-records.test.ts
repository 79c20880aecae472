import { describe, expect, it } from 'vitest';
import { parsePatternRules } from '../../src/store/index.js';
import { intset, listpack, RdbBytes, ziplist } from '../rdb-bytes.js';
import { seededRandom } from '../seeded.js';
import { SAVED_AT_MS } from '../store/key-feed.js';
import { compressed, compressedWell, load, takenAsInserted } from './both-ways.js';

const DAY_MS = 86_400_000;

const VALUES: readonly ((
  random: () => number,
) => (snapshot: RdbBytes, key: string | Uint8Array) => RdbBytes)[] = [
  (random) => (to, key) =>
    to
      .hex('00')
      .string(key)
      .string('v'.repeat(Math.floor(random() * 80))),
  (random) => (to, key) =>
    to
      .hex('00')
      .string(key)
      .string(String(Math.floor(random() * 3) - 1)),
  (random) => (to, key) =>
    to
      .hex('00')
      .string(key)
      .string(
        ['12345678901', '-2147483648', '2147483648', '9223372036854775808', '007', '-0'][
          Math.floor(random() * 6)
        ]!,
      ),
  (random) => (to, key) =>
    to
      .hex('00')
      .string(key)
      .hex(['c07f', 'c1ff7f', 'c200000080'][Math.floor(random() * 3)]!),
  () => (to, key) => to.hex('00').string(key).string('{"json":true,'.padEnd(1200, '1')),
  () => (to, key) => compressed(to.hex('00').string(key), Buffer.alloc(100, 'z')),
  (random) => (to, key) =>
    to
      .hex('10')
      .string(key)
      .string(listpack(pairs(random))),
  (random) => (to, key) => compressed(to.hex('10').string(key), listpack(pairs(random))),
  (random) => (to, key) => compressed(to.hex('10').string(key), listpack(pairs(random)), 4),
  () => (to, key) => compressedWell(to.hex('0b').string(key), intset(4, [1, 2, 3, 70_000])),
  (random) => (to, key) => compressedWell(to.hex('11').string(key), listpack(pairs(random))),
  (random) => (to, key) => compressedWell(to.hex('0c').string(key), ziplist(pairs(random))),
  (random) => (to, key) =>
    to
      .hex('0d')
      .string(key)
      .string(ziplist(pairs(random))),
  (random) => (to, key) =>
    to
      .hex('11')
      .string(key)
      .string(listpack(pairs(random))),
  (random) => (to, key) =>
    to
      .hex('0c')
      .string(key)
      .string(ziplist(pairs(random))),
  (random) => (to, key) =>
    to
      .hex('14')
      .string(key)
      .string(listpack(['a', 'b', 'c'].slice(Math.floor(random() * 3)))),
  () => (to, key) =>
    to
      .hex('0b')
      .string(key)
      .string(intset(2, [1, 2, 3])),
  (random) => (to, key) =>
    to
      .hex('12')
      .string(key)
      .length(1)
      .hex('02')
      .string(listpack(pairs(random))),
  () => (to, key) =>
    to
      .hex('12')
      .string(key)
      .length(2)
      .hex('02')
      .string(listpack(['a']))
      .hex('02')
      .string(listpack(['b'])),
  () => (to, key) => to.hex('12').string(key).length(1).hex('01').string('a plain node'),
  (random) => (to, key) =>
    to
      .hex('0e')
      .string(key)
      .length(1)
      .string(ziplist(pairs(random))),
  () => (to, key) => to.hex('02').string(key).length(2).string('m1').string('m2'),
  () => (to, key) =>
    to
      .hex('10')
      .string(key)
      .string(listpack(['f', 'v'], 0xffff)),
];

function pairs(random: () => number): string[] {
  return ['1', '2', '3', '4', '5', '6'].slice(0, 2 + 2 * Math.floor(random() * 3));
}

const KEYS: readonly ((at: number) => string | Uint8Array)[] = [
  (at) => `user:${at}:profile`,
  (at) => `session:{${at % 7}}:${'abcdef0123456789'.slice(at % 8)}`,
  (at) => `order-${at % 100}`,
  (at) => `клиент:${at}`,
  (at) => `nul\0:${at}`,
  (at) => Uint8Array.of(0xff, at & 0xff, 0x3a, (at >> 8) & 0xff),
  () => '',
  (at) => `same:${at % 50}`,
  (at) => `${'long:'.repeat(30)}${at}`,
];

function expiry(ms: number): RdbBytes {
  const bytes = Buffer.alloc(9, 0xfc);
  bytes.writeBigInt64LE(BigInt(ms), 1);
  return new RdbBytes('').bytes(bytes);
}

/** Plain and odd records mixed, several databases, attributes before keys, AUX fields between them. */
function mixedSnapshot(seed: string, keys: number, magic = 'REDIS0011'): Uint8Array {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const snapshot = new RdbBytes(magic)
    .aux('redis-ver', '7.2.6')
    .aux('ctime', String(SAVED_AT_MS / 1000))
    .hex('fe00');
  for (let at = 0; at < keys; at++) {
    const chance = random();
    if (chance < 0.001) snapshot.hex('fe').length(Math.floor(random() * 3));
    else if (chance < 0.002) snapshot.aux('lua', 'return 1');
    if (random() < 0.5) {
      const when = pick([
        SAVED_AT_MS + DAY_MS,
        SAVED_AT_MS - DAY_MS,
        SAVED_AT_MS + Math.floor(random() * DAY_MS * 90),
      ]);
      snapshot.bytes(expiry(random() < 0.01 ? pick([1, SAVED_AT_MS * 1000, -5, 2 ** 60]) : when).raw());
    }
    if (random() < 0.2) snapshot.hex('f8').length(pick([0, 63, 64, 16_383, 100_000]));
    if (random() < 0.2) snapshot.hex('f9').bytes(Uint8Array.of(at & 0xff));
    const value = random() < 0.6 ? VALUES[0]! : pick(VALUES);
    value(random)(snapshot, pick(KEYS)(at));
  }
  return snapshot.end();
}

describe('plain records', () => {
  it('are loaded like all others, whatever stands between them', () => {
    const snapshot = mixedSnapshot('plain records', 12_000);
    expect(takenAsInserted([snapshot])).toBeGreaterThan(3000);
  });

  it('are loaded like all others in several files, in Valkey and in small pieces', () => {
    const snapshots = [mixedSnapshot('one', 1500), mixedSnapshot('two', 1500, 'VALKEY080')];
    expect(takenAsInserted(snapshots, { pieceBytes: 333 })).toBeGreaterThan(200);
    expect(takenAsInserted(snapshots, { findDuplicates: false, pageBytes: 512 })).toBeGreaterThan(200);
  });

  it("follow the user's pattern rules and separators", () => {
    const snapshot = mixedSnapshot('rules', 3000);
    const patternRules = parsePatternRules('{order} = order-[0-9]+\n', 'rules.txt');
    expect(takenAsInserted([snapshot], { patternRules })).toBeGreaterThan(500);
    expect(takenAsInserted([snapshot], { separators: ':-' })).toBeGreaterThan(500);
  });

  it('have keys and values of every length at which something changes', () => {
    const snapshot = new RdbBytes()
      .aux('redis-ver', '7.2.6')
      .aux('ctime', String(SAVED_AT_MS / 1000))
      .hex('fe00');
    for (let round = 0; round < 3; round++) {
      for (const bytes of [0, 1, 63, 64, 127, 128, 1021, 1022, 1023, 1024, 16_383, 16_384, 65_535, 65_536]) {
        snapshot.hex('00').string(String(round).padEnd(bytes, 'k')).string('value');
        snapshot.hex('00').string(`value:${round}:${bytes}`).string('v'.repeat(bytes));
      }
      for (const bytes of [20, 21, 44, 45, 255, 256, 257, 999, 1000]) {
        snapshot.hex('00').string(`text:${round}:${bytes}`).string('v'.repeat(bytes));
        snapshot
          .hex('10')
          .string(`hash:${round}:${bytes}`)
          .string(listpack(['f', 'v'.repeat(bytes)]));
      }
    }
    expect(takenAsInserted([snapshot.end()])).toBeGreaterThan(50);
  });

  it('are not mistaken for others by a length that lies', () => {
    const honest = listpack(['f', 'v'.repeat(50)]);
    const liar = Buffer.from(honest);
    // Of its 32 bits the lower 27 are those of the honest length.
    liar.writeUInt32LE(2 ** 31 + honest.length);
    const run = Buffer.concat([Uint8Array.of(31), liar.subarray(0, 32)]);
    const snapshot = new RdbBytes().aux('ctime', String(SAVED_AT_MS / 1000)).hex('fe00');
    for (let at = 0; at < 4; at++) snapshot.hex('00').string(`string:${at}`).string('12');
    for (let at = 0; at < 4; at++) {
      snapshot
        .hex('10')
        .string(`liar:${at}`)
        .hex('c3')
        .length(run.length)
        .length(2 ** 31 + honest.length)
        .bytes(run);
    }
    for (let at = 0; at < 4; at++) snapshot.hex('10').string(`hash:${at}`).string(honest);
    expect(takenAsInserted([snapshot.end()])).toBeGreaterThan(0);
  });

  it('are not taken where elements must be looked at', () => {
    expect(load([mixedSnapshot('deep', 500)], { deep: true }).taken).toBe(0);
  });

  it.each([undefined, 0, 500_000])(
    'fill many chunks of hashes and pages, and are found when they come twice; hashes in memory: %s bytes',
    (memoryBytes) => {
      const keyed = (keys: number, distinct: number): Uint8Array => {
        const snapshot = new RdbBytes().aux('ctime', String(SAVED_AT_MS / 1000)).hex('fe00');
        for (let at = 0; at < keys; at++)
          snapshot
            .hex('00')
            .string(`key:${at % distinct}`)
            .string('value');
        return snapshot.end();
      };
      const files = [keyed(200_000, 199_990), keyed(140_000, 139_997), keyed(100, 100)];
      const short = load(files, memoryBytes === undefined ? {} : { hashLimits: { memoryBytes } });
      expect(short.taken).toBeGreaterThan(338_000);
      expect(short.tables.files).toEqual([
        expect.objectContaining({ duplicate_keys: 10, duplicate_check: 'exact' }),
        expect.objectContaining({ duplicate_keys: 3, duplicate_check: 'exact' }),
        expect.objectContaining({ duplicate_keys: 0, duplicate_check: 'exact' }),
      ]);
      expect(short.tables.problems).toEqual([
        expect.objectContaining({ code: 'duplicate-key', count: 10 }),
        expect.objectContaining({ code: 'duplicate-key', count: 3 }),
      ]);
    },
  );

  it('are lost by no damage: a cut or broken record ends both ways alike', () => {
    const whole = mixedSnapshot('damage', 300);
    const random = seededRandom('where damage is');
    for (let round = 0; round < 25; round++) {
      const at = 60 + Math.floor(random() * (whole.length - 60));
      const broken = Uint8Array.from(whole);
      broken[at] = broken[at]! ^ (1 << Math.floor(random() * 8));
      takenAsInserted([round % 3 === 0 ? whole.subarray(0, at) : broken]);
    }
  });
});
