import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/rdb-parser/bytes-source.js';
import { Decoder } from '../../src/rdb-parser/decoder.js';
import { RdbError } from '../../src/rdb-parser/errors.js';
import { StringSkim } from '../../src/rdb-parser/string-skim.js';
import { RdbBytes } from '../rdb-bytes.js';
import { seededRandom } from '../seeded.js';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

/** What is known of a snapshot at its end, and how many keys were passed over for it. */
function read(bytes: Uint8Array, skims: boolean, pieceBytes?: number): { told: unknown; skimmed: number } {
  const decoder = new Decoder(bytesSource(bytes, pieceBytes));
  const skim = new StringSkim();
  let skimmed = 0;
  let error: string | undefined;
  try {
    for (;;) {
      if (skims) skimmed += decoder.takeRun(skim);
      if (!decoder.next()) break;
    }
  } catch (fault) {
    if (!(fault instanceof RdbError)) throw fault;
    error = fault.message;
  }
  const { facts } = decoder;
  return { told: { ...facts, problems: facts.problems, error }, skimmed };
}

function skimmedAsRead(bytes: Uint8Array, pieceBytes?: number): number {
  const { told, skimmed } = read(bytes, true, pieceBytes);
  expect(told).toEqual(read(bytes, false, pieceBytes).told);
  return skimmed;
}

function strings(seed: string): Uint8Array {
  const random = seededRandom(seed);
  const to = new RdbBytes('REDIS0011').aux('redis-ver', '7.2.6').hex('fe00 fb 41f4 00');
  const lengths = [0, 1, 63, 64, 300, 999, 1000, 16_383, 16_384];
  const length = (): number => lengths[Math.floor(random() * lengths.length)]!;
  for (let at = 0; at < 500; at++) {
    if (random() < 0.4) to.hex('fc 0011223344556677');
    if (random() < 0.2) to.hex('f8').length(length());
    if (random() < 0.2) to.hex('f9 05');
    if (random() < 0.02) to.aux('x', 'y');
    if (random() < 0.02) to.hex('fe').length(at % 3);
    to.hex('00').string(String(at).padEnd(random() < 0.1 ? length() : 10, 'k'));
    const chance = random();
    if (chance < 0.3) to.string('v'.repeat(random() < 0.2 ? length() : 20));
    else if (chance < 0.5) to.hex(['c07f', 'c1ff7f', 'c200000080'][at % 3]!);
    else {
      const run = Buffer.concat([Uint8Array.of(19), Buffer.alloc(20, 'z'), Uint8Array.of(0xe0, 255, 0)]);
      to.hex('c3')
        .length(run.length)
        .length(chance < 0.6 ? 1100 : 284)
        .bytes(run);
    }
  }
  return to.end();
}

describe('keys that hold strings', () => {
  it('are passed over as they are read', () => {
    const bytes = strings('plain');
    expect(skimmedAsRead(bytes)).toBeGreaterThan(250);
    for (const pieceBytes of [1, 7, 64, 1000]) skimmedAsRead(bytes, pieceBytes);
  });

  it('are passed over in every fixture', () => {
    let skimmed = 0;
    for (const name of readdirSync(FIXTURES).filter((file) => file.endsWith('.rdb'))) {
      skimmed += skimmedAsRead(readFileSync(new URL(name, FIXTURES)));
    }
    expect(skimmed).toBeGreaterThan(1000);
  });

  it('are not passed over where they are cut or damaged', () => {
    const whole = strings('damage').subarray(0, 40_000);
    const random = seededRandom('where strings are damaged');
    for (let round = 0; round < 300; round++) {
      const at = 30 + Math.floor(random() * (whole.length - 30));
      const broken = Uint8Array.from(whole);
      broken[at] = broken[at]! ^ (1 << Math.floor(random() * 8));
      skimmedAsRead(round % 3 === 0 ? whole.subarray(0, at) : broken);
    }
  });
});
