import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { handmade, refused } from '../../fixtures/makers/handmade.js';
import { decodeUntilFault } from '../decode.js';
import { decodeEveryWay } from '../every-way.js';

const FOLDER = new URL('../../fixtures/handmade/', import.meta.url);

/** The file's bytes; written first when that is asked for. */
function fileOf(name: string, made: Uint8Array): Uint8Array {
  const file = new URL(name, FOLDER);
  if (process.env.UPDATE_FIXTURES !== undefined) {
    mkdirSync(new URL('./', file), { recursive: true });
    writeFileSync(file, made);
  }
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : new Uint8Array(0);
}

describe.each(Object.entries(handmade))('handmade/%s', (name, make) => {
  it('is what its maker makes', () => {
    expect(fileOf(name, make())).toEqual(new Uint8Array(make()));
  });

  it('is read to its end in every way, with nothing wrong in it', () => {
    const { keys, facts } = decodeEveryWay(make());
    expect(keys.at(-1)).toMatchObject({ key: 'after' });
    expect(facts).toMatchObject({ complete: true });
    expect(facts.problems.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe.each(Object.entries(refused))('handmade/refused/%s', (name, make) => {
  it('is what its maker makes', () => {
    expect(fileOf(`refused/${name}`, make())).toEqual(new Uint8Array(make()));
  });

  it('is refused in words, and what stands before is kept', () => {
    const { keys, fault } = decodeUntilFault(make());
    expect(keys).toMatchObject([{ key: 'before' }]);
    expect(fault).toMatchObject({ name: 'RdbError' });
    expect((fault as Error).message).toMatch(/Dragonfly|Redis Enterprise|release candidates/);
  });
});
