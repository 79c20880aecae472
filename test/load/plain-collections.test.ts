import { describe, expect, it } from 'vitest';
import { MANY_ELEMENTS, MANY_PAIRS } from '../../src/rdb-parser/short-lengths.js';
import { RdbBytes } from '../rdb-bytes.js';
import { seededRandom } from '../seeded.js';
import { SAVED_AT_MS } from '../store/key-feed.js';
import { compressed, compressedWell, takenAsInserted } from './both-ways.js';

/** Servers whose tables, strings and streams cost by different rules. */
const SERVERS: readonly (readonly [magic: string, version: string, name: string])[] = [
  ['REDIS0008', '4.0.14', 'redis-ver'],
  ['REDIS0009', '6.2.14', 'redis-ver'],
  ['REDIS0010', '7.0.15', 'redis-ver'],
  ['REDIS0011', '7.2.6', 'redis-ver'],
  ['REDIS0012', '7.4.1', 'redis-ver'],
  ['REDIS0012', '8.0.3', 'redis-ver'],
  ['REDIS0013', '8.4.0', 'redis-ver'],
  ['VALKEY080', '9.0.0', 'valkey-ver'],
  ['REDIS0011', '8.1.0', 'valkey-ver'],
];

type Random = () => number;
type Element = (to: RdbBytes, at: number) => RdbBytes;

const SCORES: readonly number[] = [0, -1, 1.5, 1e300, -0, Number.MIN_VALUE];
const ODD_SCORES: readonly number[] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];

const INTEGERS: readonly string[] = ['c000', 'c07f', 'c080', 'c1ff7f', 'c10080', 'c200000080', 'c2ffffff7f'];

/** Elements as servers write them: raw, as integers, compressed; lengths at which something changes. */
function elements(random: Random): Element {
  const integer = (to: RdbBytes): RdbBytes => to.hex(INTEGERS[Math.floor(random() * INTEGERS.length)]!);
  const text = (to: RdbBytes, at: number): RdbBytes => to.string(`member ${at}`);
  const digits = (to: RdbBytes, at: number): RdbBytes => to.string(String(10 ** 10 + at));
  const long = (to: RdbBytes, at: number): RdbBytes => {
    const lengths = [62, 63, 64, 65, 128, 1023, 1024, 1025];
    return to.string(String(at).padEnd(lengths[Math.floor(random() * lengths.length)]!, 'e'));
  };
  const packed = (to: RdbBytes, at: number): RdbBytes =>
    compressed(to, Buffer.from(String(at).padEnd(100, 'z')));
  const all = [integer, text, digits, long, packed];
  const chance = random();
  if (chance < 0.4) return text;
  if (chance < 0.5) return integer;
  if (chance < 0.6) return (to, at) => (at === 1 ? text(to, at) : integer(to));
  if (chance < 0.7) return (to, at) => (at === 5 ? long(to, at) : text(to, at));
  return (to, at) => all[Math.floor(random() * all.length)]!(to, at);
}

function score(to: RdbBytes, random: Random, odd: boolean): RdbBytes {
  const from = odd && random() < 0.01 ? ODD_SCORES : SCORES;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(from[Math.floor(random() * from.length)]!);
  return to.bytes(bytes);
}

const COUNTS: readonly number[] = [
  0, 1, 2, 3, 16, 127, 128, 129, 130, 255, 256, 257, 400, 512, 513, 1024, 1025, 1500, 4096, 4097, 9000,
];

type Collection = (to: RdbBytes, count: number, random: Random) => void;

const COLLECTIONS: Readonly<Record<string, readonly [code: string, fill: Collection]>> = {
  set: [
    '02',
    (to, count, random) => {
      const element = elements(random);
      for (let at = 0; at < count; at++) element(to, at);
    },
  ],
  zset: [
    '05',
    (to, count, random) => {
      const element = elements(random);
      const odd = random() < 0.1;
      for (let at = 0; at < count; at++) score(element(to, at), random, odd);
    },
  ],
  hash: [
    '04',
    (to, count, random) => {
      const field = elements(random);
      const value = elements(random);
      for (let at = 0; at < count; at++) value(field(to, at), at);
    },
  ],
};

function begun([magic, version, name]: (typeof SERVERS)[number]): RdbBytes {
  return new RdbBytes(magic)
    .aux(name, version)
    .aux('ctime', String(SAVED_AT_MS / 1000))
    .hex('fe00');
}

/** Each count several times, and the databases change: a file's first key comes the ordinary way. */
function collections(server: (typeof SERVERS)[number], rounds: number): Uint8Array {
  const random = seededRandom(`collections of ${server.join(' ')}`);
  const snapshot = begun(server);
  for (let round = 0; round < rounds; round++) {
    for (const [name, [code, fill]] of Object.entries(COLLECTIONS)) {
      for (const count of COUNTS) {
        if (random() < 0.05) snapshot.hex('fe').length(Math.floor(random() * 3));
        snapshot.hex(code).string(`${name}:${round}:${count}`).length(count);
        fill(snapshot, count, random);
      }
    }
  }
  return snapshot.end();
}

describe('plain collections', () => {
  it.each(SERVERS)('of %s %s are loaded without the decoder like all others', (...server) => {
    expect(takenAsInserted([collections(server, 6)])).toBeGreaterThan(60);
  });

  it('are taken in small pieces, and where counting begins for many', () => {
    const snapshot = begun(SERVERS[2]!);
    const random = seededRandom('many');
    for (let round = 0; round < 3; round++) {
      for (const count of [MANY_ELEMENTS - 1, MANY_ELEMENTS, MANY_PAIRS - 1, MANY_PAIRS, MANY_PAIRS * 3]) {
        for (const [name, [code, fill]] of Object.entries(COLLECTIONS)) {
          snapshot.hex(code).string(`${name}:${round}:${count}`).length(count);
          fill(snapshot, count, random);
        }
      }
    }
    const bytes = snapshot.end();
    expect(takenAsInserted([bytes])).toBeGreaterThan(3);
    // None fits into a piece: all are counted piece by piece.
    takenAsInserted([bytes], { pieceBytes: 1000 });
  });

  it('cost by the server that wrote their file, in a set of several', () => {
    const files = [SERVERS[1]!, SERVERS[3]!, SERVERS[8]!].map((server) => collections(server, 3));
    expect(takenAsInserted(files)).toBeGreaterThan(60);
  });

  it('are lost by no damage', () => {
    const whole = collections(SERVERS[2]!, 2).subarray(0, 60_000);
    const random = seededRandom('where collections are damaged');
    for (let round = 0; round < 25; round++) {
      const broken = Uint8Array.from(whole);
      const at = 60 + Math.floor(random() * (whole.length - 60));
      broken[at] = broken[at]! ^ (1 << Math.floor(random() * 8));
      takenAsInserted([round % 3 === 0 ? whole.subarray(0, at) : broken]);
    }
  });
});

describe('long strings', () => {
  const BEGINNINGS: readonly (string | Uint8Array)[] = [
    '{"a":1,',
    '<html>',
    'plain text',
    Uint8Array.of(0x1f, 0x8b, 8),
    Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd),
    Uint8Array.of(0x78, 0x9c, 0xff),
    Uint8Array.of(0x80, 4, 0x95),
    Uint8Array.of(0, 1, 2),
    'HYLL',
  ];

  it('are told apart by what they hold, raw or compressed', () => {
    const random = seededRandom('contents');
    const snapshot = begun(SERVERS[3]!);
    for (let at = 0; at < 3000; at++) {
      const value = Buffer.alloc([999, 1000, 1001, 5000][Math.floor(random() * 4)]!, 'x');
      value.set(Buffer.from(BEGINNINGS[Math.floor(random() * BEGINNINGS.length)]!));
      snapshot.hex('00').string(`page:${at % 7}:${at}`);
      const chance = random();
      if (chance < 0.4) compressed(snapshot, value, [32, 16, 15, 3][Math.floor(random() * 4)]!);
      else if (chance < 0.6) compressedWell(snapshot, value);
      else snapshot.string(value);
    }
    expect(takenAsInserted([snapshot.end()])).toBeGreaterThan(2900);
  });
});
