import { describe, expect, it } from 'vitest';
import { listpack, RdbBytes } from '../rdb-bytes.js';
import { seededRandom } from '../seeded.js';
import { SAVED_AT_MS } from '../store/key-feed.js';
import { compressed, compressedWell, takenAsInserted } from './both-ways.js';

type Random = () => number;

/** Type code, version of the layout, and servers whose streams cost by different rules. */
const SERVERS: readonly (readonly [
  code: string,
  version: number,
  magic: string,
  server: string,
  name: string,
])[] = [
  ['0f', 1, 'REDIS0009', '5.0.14', 'redis-ver'],
  ['0f', 1, 'REDIS0009', '6.0.20', 'redis-ver'],
  ['0f', 1, 'REDIS0009', '6.2.14', 'redis-ver'],
  ['13', 2, 'REDIS0010', '7.0.15', 'redis-ver'],
  ['15', 3, 'REDIS0011', '7.2.6', 'redis-ver'],
  ['15', 3, 'REDIS0012', '8.0.3', 'redis-ver'],
  ['15', 3, 'REDIS0012', '8.2.1', 'redis-ver'],
  ['15', 3, 'REDIS0013', '8.4.0', 'redis-ver'],
  ['15', 3, 'REDIS0011', '8.0.1', 'valkey-ver'],
  ['15', 3, 'REDIS0011', '8.1.0', 'valkey-ver'],
  ['15', 3, 'VALKEY080', '9.0.0', 'valkey-ver'],
];

const DELIVERED_MS: readonly number[] = [SAVED_AT_MS, SAVED_AT_MS - 5, 0, -1, -2, 2 ** 52, -(2 ** 52)];

function one<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!;
}

/** A number as LEN, of up to 64 bits. */
function number(to: RdbBytes, value: bigint): RdbBytes {
  if (value < 2n ** 32n) return to.length(Number(value));
  const bytes = Buffer.alloc(9, 0x81);
  bytes.writeBigUInt64BE(value, 1);
  return to.bytes(bytes);
}

/** Ids as servers make them, near and far; seldom out of order, or twice. */
function ids(random: Random): () => Uint8Array {
  let ms = BigInt(SAVED_AT_MS);
  let seq = 0n;
  const step = one([1, 3, 300, 70_000, 2 ** 40], random);
  return () => {
    if (random() < 0.5) seq += BigInt(Math.floor(random() * 300) + 1);
    else {
      ms += BigInt(Math.floor(random() * step));
      seq = random() < 0.5 ? 0n : seq + 1n;
    }
    if (random() < 0.01) ms -= 1000n;
    const id = Buffer.alloc(16);
    id.writeBigUInt64BE(ms);
    id.writeBigUInt64BE(BigInt.asUintN(64, seq), 8);
    return id;
  };
}

function name(to: RdbBytes, random: Random): void {
  const chance = random();
  if (chance < 0.03) to.hex('c005');
  else if (chance < 0.06) compressed(to, Buffer.alloc(60, 'n'));
  else to.string('n'.repeat(one([0, 1, 7, 8, 20, 63, 64, 255, 256, 257, 5000], random)));
}

function times(to: RdbBytes, count: number, random: Random): void {
  for (let i = 0; i < count; i++) {
    const time = Buffer.alloc(8);
    time.writeBigInt64LE(BigInt(one(DELIVERED_MS, random)));
    to.bytes(time);
  }
}

function group(to: RdbBytes, version: number, random: Random): void {
  name(to, random);
  number(
    number(to, one([0n, BigInt(SAVED_AT_MS), 2n ** 64n - 1n], random)),
    one([0n, 5n, 2n ** 53n + 1n], random),
  );
  if (version >= 2) number(to, one([0n, 7n, 2n ** 64n - 1n], random));
  const pending = one([0, 0, 1, 2, 40, 300], random);
  to.length(pending);
  const next = ids(random);
  for (let i = 0; i < pending; i++) {
    to.bytes(next());
    times(to, 1, random);
    to.length(one([1, 100, 70_000], random));
  }
  const consumers = one([0, 1, 2, 5], random);
  to.length(consumers);
  for (let consumer = 0; consumer < consumers; consumer++) {
    name(to, random);
    times(to, version >= 3 ? 2 : 1, random);
    const own = one([0, 0, 1, 30], random);
    to.length(own);
    const nextOwn = ids(random);
    for (let i = 0; i < own; i++) to.bytes(nextOwn());
  }
}

function stream(to: RdbBytes, version: number, random: Random): void {
  const nodes = one([0, 1, 1, 1, 2, 3, 17], random);
  to.length(nodes);
  const next = ids(random);
  for (let node = 0; node < nodes; node++) {
    to.string(next());
    const blob = listpack(['field', 'v'.repeat(Math.floor(random() * 300)), 1, 0, 4, 0x1234]);
    const chance = random();
    if (chance < 0.2) compressed(to, blob);
    else if (chance < 0.4) compressedWell(to, blob);
    else to.string(blob);
  }
  to.length(one([0, 1, 100, 70_000], random));
  number(
    number(to, one([0n, BigInt(SAVED_AT_MS), 2n ** 64n - 1n], random)),
    one([0n, 5n, 2n ** 63n], random),
  );
  if (version >= 2) for (const value of [BigInt(SAVED_AT_MS), 0n, 0n, 2n ** 40n, 7n]) number(to, value);
  const groups = one([0, 0, 1, 1, 2, 6], random);
  to.length(groups);
  for (let at = 0; at < groups; at++) group(to, version, random);
}

function snapshotOf([code, version, magic, server, aux]: (typeof SERVERS)[number], keys: number): Uint8Array {
  const random = seededRandom(`streams of ${aux} ${server}`);
  const snapshot = new RdbBytes(magic)
    .aux(aux, server)
    .aux('ctime', String(SAVED_AT_MS / 1000))
    .hex('fe00');
  for (let at = 0; at < keys; at++) {
    if (random() < 0.02) snapshot.hex('fe').length(at % 3);
    if (random() < 0.3) snapshot.hex('f8').length(at);
    snapshot.hex(code).string(`${'stream:'.repeat(1 + (at % 30))}${at}`);
    stream(snapshot, version, random);
  }
  return snapshot.end();
}

describe('streams', () => {
  it.each(SERVERS)(
    'of type %s, version %i, %s %s are loaded without the decoder like all others',
    (...server) => {
      const bytes = snapshotOf(server, 400);
      // Where more of a group is counted than the core knows, those with groups are the decoder's.
      expect(takenAsInserted([bytes])).toBeGreaterThan(server[3] === '8.4.0' ? 60 : 150);
      takenAsInserted([bytes], { model: { wordBits: 32 } });
      takenAsInserted([bytes], { model: { allocator: 'libc' } });
      expect(takenAsInserted([bytes], { pageBytes: 512 })).toBeGreaterThan(10);
      takenAsInserted([bytes.subarray(0, 100_000)], { pieceBytes: 333 });
      const random = seededRandom('where streams are damaged');
      const start = bytes.subarray(0, 40_000);
      for (let round = 0; round < 12; round++) {
        const broken = Uint8Array.from(start);
        const at = 60 + Math.floor(random() * (start.length - 60));
        broken[at] = broken[at]! ^ (1 << Math.floor(random() * 8));
        takenAsInserted([broken]);
      }
    },
  );

  it('cost by the server that wrote their file, in a set of several', () => {
    const files = [SERVERS[2]!, SERVERS[7]!, SERVERS[9]!, SERVERS[3]!].map((server) =>
      snapshotOf(server, 100),
    );
    expect(takenAsInserted(files)).toBeGreaterThan(150);
  });

  it.each([
    ['15', 3, 'REDIS0013', '8.4.0', 'redis-ver'],
    ['15', 3, 'VALKEY080', '9.0.0', 'valkey-ver'],
  ] as const)(
    'have more branches out of order than a tree has: %s %s %s %s',
    (code, _, magic, server, aux) => {
      const turns = (to: RdbBytes, count: number, behind: (to: RdbBytes) => void, head = ''): void => {
        for (let at = 0; at < count; at++) {
          to.hex(head).bytes(Buffer.alloc(16, at % 2));
          behind(to);
        }
      };
      const snapshot = new RdbBytes(magic).aux(aux, server).hex('fe00 00').string('first').string('x');
      for (const count of [256, 257, 4000]) {
        snapshot.hex(code).string(`nodes:${count}`).length(count);
        turns(snapshot, count, (to) => to.string(listpack(['f'])), '10');
        snapshot.hex('05 01 02 01 01 01 01 01 00');
        snapshot.hex(code).string(`pending:${count}`).length(1).string(Buffer.alloc(16));
        snapshot
          .string(listpack(['f']))
          .hex('05 01 02 01 01 01 01 01 01')
          .string('group')
          .hex('01 01 01');
        turns(snapshot.length(count), count, (to) => to.bytes(Buffer.alloc(8)).hex('01'));
        snapshot.hex('00');
      }
      takenAsInserted([snapshot.sentinel().end()]);
    },
  );

  it('have more groups than are kept at a time, or than fit for one key', () => {
    const snapshot = new RdbBytes('REDIS0010').aux('redis-ver', '7.0.15').hex('fe00');
    const random = seededRandom('many groups');
    for (const groups of [300, 1, 400, 150, 150, 150, 150, 1]) {
      snapshot.hex('13').string(`groups:${groups}`).length(1).string(ids(random)());
      snapshot.string(listpack(['field', 1])).length(1);
      for (let i = 0; i < 7; i++) snapshot.length(i);
      snapshot.length(groups);
      for (let at = 0; at < groups; at++) {
        snapshot.string(`group ${at}`.padEnd(200)).length(1).length(2).length(3).length(0).length(0);
      }
    }
    expect(takenAsInserted([snapshot.sentinel().end()])).toBe(6);
  });
});
