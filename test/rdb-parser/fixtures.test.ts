import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Decoded, decode, decodeUntilFault } from '../decode.js';
import { readTruthSet, shippedTruthSetNames } from '../fixtures.js';
import { seededNumbers } from '../seeded.js';

/** Fixtures up to this size are tried at every byte, larger ones at a seeded sample. */
const EVERY_BYTE_BELOW = 1024;
const SAMPLES = 40;
/** Before, nothing tells a damaged byte that leaves the structure whole. */
const VERSION_WITH_CHECKSUM = 5;

const FOLDER = new URL('../../fixtures/', import.meta.url);

interface Fixture {
  readonly name: string;
  readonly read: () => Uint8Array;
}

const fixtures: readonly Fixture[] = [
  ...['', 'handmade/'].flatMap((folder) =>
    readdirSync(new URL(folder, FOLDER))
      .filter((name) => name.endsWith('.rdb'))
      .map((name) => ({ name: folder + name, read: () => readFileSync(new URL(folder + name, FOLDER)) })),
  ),
  ...shippedTruthSetNames().map((name) => ({
    name: `truth/${name}`,
    read: () => readTruthSet(name).snapshot,
  })),
];

describe.each(fixtures)('$name', ({ name, read }) => {
  const bytes = read();

  it('decodes to its golden summary', async () => {
    const golden = new URL(`golden/${name.replace('/', '-')}.json`, FOLDER).pathname;
    await expect(summary(decode(bytes))).toMatchFileSnapshot(golden);
  });

  it('decodes the same when bytes arrive in pieces, one at a time too', () => {
    const whole = decode(bytes);
    expect(decode(bytes, { pieceBytes: 7 })).toEqual(whole);
    expect(decode(bytes, { pieceBytes: 1 })).toEqual(whole);
  });

  it('is called truncated, at whatever byte it ends', () => {
    for (const length of positions(bytes.length, name)) {
      const { fault } = decodeUntilFault(bytes.subarray(0, length));
      const code = length === 0 ? 'not-rdb' : 'truncated';
      expect(fault, `cut at ${length}`).toMatchObject({ name: 'RdbError', code });
    }
  });

  it('is read or refused with a place, whatever byte has a bit flipped', () => {
    for (const position of positions(bytes.length, `${name} damaged`)) {
      const damaged = Uint8Array.from(bytes);
      damaged[position] = damaged[position]! ^ (1 << (position % 8));
      const { fault, facts } = decodeUntilFault(damaged);
      if (fault !== undefined)
        expect(fault).toMatchObject({ name: 'RdbError', at: { offset: expect.any(Number) } });
      else if (facts.rdbVersion < VERSION_WITH_CHECKSUM) expect(facts.checksum).toBe('absent');
      else if (facts.checksumStored !== '0000000000000000') expect(facts.checksum).toBe('mismatch');
    }
  });
});

function positions(length: number, seed: string): number[] {
  if (length < EVERY_BYTE_BELOW) return Array.from({ length }, (_, i) => i);
  return seededNumbers(seed, SAMPLES, length);
}

/** Facts and sums by type: small enough to review, and any change of a key moves them. */
function summary({ keys, facts }: Decoded): string {
  const byType = new Map<
    string,
    { keys: number; elements: number; payload: number; serialized: number; expiring: number }
  >();
  for (const key of keys) {
    const name = `${String(key.typeName)}${key.packing === undefined ? '' : ` ${String(key.packing)}`}`;
    const sums = byType.get(name) ?? { keys: 0, elements: 0, payload: 0, serialized: 0, expiring: 0 };
    sums.keys++;
    sums.elements += Number(key.elements ?? 0);
    sums.payload += Number(key.payload ?? 0);
    sums.serialized += Number(key.serialized);
    if (key.expiresAtMs !== undefined) sums.expiring++;
    byType.set(name, sums);
  }
  const types = Object.fromEntries([...byType].sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ facts, types }, (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value), 2)}\n`;
}
