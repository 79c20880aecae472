import { describe, expect, it } from 'vitest';
import { ALLOCATOR_NAMES, createMemoryModel, knownServers, profileFor } from '../../src/memory/index.js';
import { valueTypes } from '../../src/rdb-parser/index.js';
import { BlockFigures } from '../../src/store/block-figures.js';
import { KeyCore } from '../../src/store/key-core.js';

describe.each(ALLOCATOR_NAMES)('blocks of %s', (allocator) => {
  it.each([64, 32])('are told to the core for each request: %d-bit', (wordBits) => {
    const core = new KeyCore();
    const { profile } = profileFor({ serverVersion: '7.2', allocator, wordBits });
    new BlockFigures(core).startFile(createMemoryModel(profile));
    const tabled = (core.exports.MAX_TABLED_BYTES.value as number) + 1;
    const told = new Uint16Array(core.bytes.buffer, core.exports.usableBytesAddress(), tabled);
    expect([...told]).toEqual(Array.from({ length: tabled }, (_, bytes) => profile.allocator.usable(bytes)));
  });
});

/** RANGES and MAX_VALUE_BYTES in src/store/assembly: blocks.ts, shapes.ts. */
const RANGES = 4;
const MAX_VALUE_BYTES = 2 ** 24 - 1;

it.each(knownServers())('the core has room for all ranges of each type of %s', (serverVersion) => {
  const model = createMemoryModel(profileFor({ serverVersion }).profile);
  for (const type of valueTypes) {
    const ranges = model.blockCosts(type).filter(({ fromBytes }) => fromBytes <= MAX_VALUE_BYTES);
    expect(ranges.length).toBeLessThanOrEqual(RANGES);
  }
});
