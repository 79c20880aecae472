import type { ByteReader } from './byte-reader.js';
import type { ElementTotals } from './element-totals.js';
import { decimalLength } from './integer-class.js';
import { LONGEST_SHORT } from './length.js';
import { FIRST_INTEGER, LAST_INTEGER, readIntegerAt } from './string.js';

/** Lengths of short elements, 0 to 63. */
const LENGTHS = LONGEST_SHORT + 1;

/** Collections of fewer elements are not worth a count of lengths. */
export const MANY_ELEMENTS = 256;
export const MANY_PAIRS = 2 ** 13;

/** Elements that one count surely has room for. */
const MOST_COUNTED = 2 ** 32 - 1;

/** Exponent bits of a double that is infinite or no number, in its highest two bytes. */
const NO_FINITE_NUMBER = 0x7ff0;

/**
 * How many of a big collection's elements have which length. Costs go by the length, and most elements are short: they
 * are counted here while they are passed over, and told to the meter together.
 */
export class ShortLengths {
  /** By length, or by a field's and its value's. */
  readonly counts: Uint32Array;
  /** What was counted before `counts` could overflow: made when a collection has that many. */
  private earlier: Float64Array | undefined;
  private readonly mostCounted: number;
  private room: number;

  /** @param pairs whether fields and values are counted together @param mostCounted what one count has room for */
  constructor(pairs: boolean, mostCounted: number = MOST_COUNTED) {
    this.mostCounted = this.room = mostCounted;
    this.counts = new Uint32Array(pairs ? LENGTHS * LENGTHS : LENGTHS);
  }

  clear(): void {
    this.counts.fill(0);
    this.earlier = undefined;
    this.room = this.mostCounted;
  }

  /**
   * Passes over up to `most` elements that are short raw strings or integers and lie in the window whole, each with
   * `behind` further bytes: 0, or 8 for a binary score, which must be a finite number. Returns how many.
   */
  skim(reader: ByteReader, most: number, behind: 0 | 8): number {
    const { buffer, end } = reader;
    const { counts } = this;
    let { pos } = reader;
    let passed = 0;
    if (this.room <= buffer.length) this.putAside();
    while (passed < most && pos < end) {
      const first = buffer[pos]!;
      let length = first;
      let next = pos + 1 + first + behind;
      if (first > LONGEST_SHORT) {
        if (first < FIRST_INTEGER || first > LAST_INTEGER) break;
        const sizeLog2 = first - FIRST_INTEGER;
        next = pos + 1 + (1 << sizeLog2) + behind;
        if (next > end) break;
        length = decimalLength(readIntegerAt(buffer, pos + 1, sizeLog2));
      } else if (next > end) break;
      if (behind !== 0) {
        const high = (buffer[next - 1]! << 8) | buffer[next - 2]!;
        if ((high & NO_FINITE_NUMBER) === NO_FINITE_NUMBER) break;
      }
      counts[length] = counts[length]! + 1;
      pos = next;
      passed++;
    }
    reader.pos = pos;
    this.room -= passed;
    return passed;
  }

  /** The same for pairs of short raw strings. */
  skimPairs(reader: ByteReader, most: number): number {
    const { buffer, end } = reader;
    const { counts } = this;
    let { pos } = reader;
    let passed = 0;
    if (this.room <= buffer.length) this.putAside();
    while (passed < most && pos < end) {
      const field = buffer[pos]!;
      const valueAt = pos + 1 + field;
      if (field > LONGEST_SHORT || valueAt >= end) break;
      const value = buffer[valueAt]!;
      const next = valueAt + 1 + value;
      if (value > LONGEST_SHORT || next > end) break;
      const at = field * LENGTHS + value;
      counts[at] = counts[at]! + 1;
      pos = next;
      passed++;
    }
    reader.pos = pos;
    this.room -= passed;
    return passed;
  }

  /** Tells how many elements there were of each length, and adds them to the totals. */
  tell(totals: ElementTotals, tell: (length: number, count: number) => void): void {
    for (let length = 0; length < LENGTHS; length++) {
      const count = this.countOf(length);
      if (count === 0) continue;
      totals.addMany(length, count);
      tell(length, count);
    }
  }

  /** The same for pairs. */
  tellPairs(totals: ElementTotals, tell: (field: number, value: number, count: number) => void): void {
    for (let at = 0; at < this.counts.length; at++) {
      const count = this.countOf(at);
      if (count === 0) continue;
      const field = Math.floor(at / LENGTHS);
      const value = at % LENGTHS;
      totals.addMany(field, count);
      totals.addMany(value, count);
      tell(field, value, count);
    }
  }

  private countOf(at: number): number {
    return this.counts[at]! + (this.earlier?.[at] ?? 0);
  }

  private putAside(): void {
    this.earlier ??= new Float64Array(this.counts.length);
    for (let at = 0; at < this.counts.length; at++) this.earlier[at] = this.countOf(at);
    this.counts.fill(0);
    this.room = this.mostCounted;
  }
}
