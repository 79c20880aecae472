import { describe, expect, it } from 'vitest';
import { ByteReader } from '../../src/rdb-parser/byte-reader.js';
import { bytesSource } from '../../src/rdb-parser/bytes-source.js';
import { ElementTotals } from '../../src/rdb-parser/element-totals.js';
import { ShortLengths } from '../../src/rdb-parser/short-lengths.js';

describe('lengths of short elements', () => {
  it('are counted on when a count is full, which takes 2^32 of them', () => {
    const bytes = Uint8Array.of(0, 1, 0x61, 2, 0x62, 0x63);
    const reader = new ByteReader(bytesSource(bytes), { windowBytes: 64 });
    reader.ensure(bytes.length);
    const start = reader.pos;
    const most = 200;
    const lengths = new ShortLengths(false, undefined, most);
    let highest = 0;
    for (const rounds of [500, 2]) {
      lengths.clear();
      for (let round = 0; round < rounds; round++) {
        reader.pos = start;
        expect(lengths.skim(reader, 3, 0)).toBe(3);
        highest = Math.max(highest, ...lengths.counts);
      }
      const told: number[] = [];
      const totals = new ElementTotals();
      lengths.tell(totals, (length, count) => {
        told[length] = count;
      });
      expect(told).toEqual([rounds, rounds, rounds]);
      expect(totals).toMatchObject({ payload: 3 * rounds, longest: 2 });
    }
    expect(highest).toBeLessThanOrEqual(most);
  });
});
