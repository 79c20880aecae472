import type { ByteReader } from './byte-reader.js';
import type { ElementTotals } from './element-totals.js';
import { decimalLength } from './integer-class.js';
import { LONGEST_SHORT } from './length.js';
import { FIRST_INTEGER, LAST_INTEGER, readIntegerAt } from './string.js';

/** Lengths of short elements, 0 to 63. */
const LENGTHS = LONGEST_SHORT + 1;

/** Collections of fewer elements are not worth a count of lengths. */
export const MANY_ELEMENTS = 256;
export const MANY_PAIRS = 2 ** 11;

/** Elements that one count surely has room for. */
const MOST_COUNTED = 2 ** 32 - 1;

/** Exponent bits of a double that is infinite or no number, in its highest two bytes. */
const NO_FINITE_NUMBER = 0x7ff0;

/**
 * Passes over elements like `ShortLengths` where the window lies in memory that only its owner can work on: see
 * `DecoderWindow`. Counts go into the two arrays, which are ShortLengths' to clear.
 */
export interface LengthCounter {
  /** By length. */
  readonly lengths: Uint32Array;
  /** By a field's length and its value's: 64 times the one plus the other. */
  readonly pairs: Uint32Array;
  /** Where in the window the first byte stands that was not passed over. */
  readonly end: number;
  /** As `ShortLengths.skim`, from `pos` up to `end` of the window. */
  skim(pos: number, end: number, most: number, behind: 0 | 8): number;
  skimPairs(pos: number, end: number, most: number): number;
}

/**
 * How many of a big collection's elements have which length. Costs go by the length, and most elements are short: they
 * are counted here while they are passed over, and told to the meter together.
 */
export class ShortLengths {
  /** By length, or by a field's and its value's. */
  readonly counts: Uint32Array;
  /** What was counted before `counts` could overflow: made when a collection has that many. */
  private earlier: Float64Array | undefined;
  // Of the element passed last.
  private length = 0;
  private next = 0;
  private readonly counter: LengthCounter | undefined;
  private readonly mostCounted: number;
  private room: number;

  /**
   * @param pairs whether fields and values are counted together
   * @param counter does the work, if the reader's window is its own
   * @param mostCounted what one count has room for
   */
  constructor(
    pairs: boolean,
    counter: LengthCounter | undefined = undefined,
    mostCounted: number = MOST_COUNTED,
  ) {
    this.counter = counter;
    this.mostCounted = this.room = mostCounted;
    const own = (): Uint32Array => new Uint32Array(pairs ? LENGTHS * LENGTHS : LENGTHS);
    this.counts = (pairs ? counter?.pairs : counter?.lengths) ?? own();
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
    const { buffer, pos, end } = reader;
    if (this.room <= buffer.length) this.putAside();
    const { counter } = this;
    let passed: number;
    if (counter === undefined) {
      passed = this.passMembers(buffer, pos, end, most, behind);
      reader.pos = this.next;
    } else {
      passed = counter.skim(pos, end, most, behind);
      reader.pos = counter.end;
    }
    this.room -= passed;
    return passed;
  }

  /** The same for pairs. */
  skimPairs(reader: ByteReader, most: number): number {
    const { buffer, pos, end } = reader;
    if (this.room <= buffer.length) this.putAside();
    const { counter } = this;
    let passed: number;
    if (counter === undefined) {
      passed = this.passPairs(buffer, pos, end, most);
      reader.pos = this.next;
    } else {
      passed = counter.skimPairs(pos, end, most);
      reader.pos = counter.end;
    }
    this.room -= passed;
    return passed;
  }

  // The loops of assembly/short-lengths.ts, for windows that lie elsewhere.

  private passMembers(buffer: Uint8Array, from: number, end: number, most: number, behind: 0 | 8): number {
    const { counts } = this;
    let pos = from;
    let passed = 0;
    while (passed < most && pos < end && this.pass(buffer, pos, end)) {
      const next = this.next + behind;
      if (behind !== 0) {
        if (next > end) break;
        const high = (buffer[next - 1]! << 8) | buffer[next - 2]!;
        if ((high & NO_FINITE_NUMBER) === NO_FINITE_NUMBER) break;
      }
      counts[this.length] = counts[this.length]! + 1;
      pos = next;
      passed++;
    }
    this.next = pos;
    return passed;
  }

  private passPairs(buffer: Uint8Array, from: number, end: number, most: number): number {
    const { counts } = this;
    let pos = from;
    let passed = 0;
    while (passed < most && pos < end && this.pass(buffer, pos, end)) {
      const field = this.length;
      if (this.next >= end || !this.pass(buffer, this.next, end)) break;
      const at = field * LENGTHS + this.length;
      counts[at] = counts[at]! + 1;
      pos = this.next;
      passed++;
    }
    this.next = pos;
    return passed;
  }

  /** Passes over a short raw string or an integer; false when it is neither, or ends beyond `end`. */
  private pass(buffer: Uint8Array, pos: number, end: number): boolean {
    const first = buffer[pos]!;
    if (first <= LONGEST_SHORT) {
      this.length = first;
      this.next = pos + 1 + first;
      return this.next <= end;
    }
    if (first < FIRST_INTEGER || first > LAST_INTEGER) return false;
    const sizeLog2 = first - FIRST_INTEGER;
    this.next = pos + 1 + (1 << sizeLog2);
    if (this.next > end) return false;
    this.length = decimalLength(readIntegerAt(buffer, pos + 1, sizeLog2));
    return true;
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
