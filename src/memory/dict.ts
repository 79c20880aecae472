import type { Bytes } from './layout.js';

/** The chained hash table of Redis and of Valkey up to 8.0. Source: dict.h, dict.c (7.2). */
export interface DictLayout {
  readonly kind: 'dict';
  /** sizeof(dict) */
  readonly bytes: Bytes;
  /** sizeof(dictEntry): key, value, next */
  readonly entryBytes: Bytes;
}

/** Slots of a fresh table. Source: dict.h, DICT_HT_INITIAL_SIZE. */
const INITIAL_SLOTS = 4;

/** Slots of a table that was expanded for `count` entries. Source: dict.c, `_dictNextPower` / `_dictNextExp`. */
export function slotsFor(count: number): number {
  let slots = INITIAL_SLOTS;
  while (slots < count) slots *= 2;
  return slots;
}

/** Buckets of a table of `slots` that hold at least one of `count` entries, as an expected value. */
export function occupiedSlots(count: number, slots: number): number {
  return slots * -Math.expm1(count * Math.log1p(-1 / slots));
}

/** The same for as many entries as slots, which is when a table grows: remembered, a table grows again and again. */
function occupiedWhenFull(slots: number): number {
  const exponent = Math.log2(slots);
  const known = OCCUPIED_WHEN_FULL[exponent];
  if (known !== undefined && known > 0) return known;
  const occupied = occupiedSlots(slots, slots);
  if (exponent < OCCUPIED_WHEN_FULL.length) OCCUPIED_WHEN_FULL[exponent] = occupied;
  return occupied;
}

/** By the power of two. */
const OCCUPIED_WHEN_FULL = new Float64Array(53);

/**
 * Follows a table's slots while a loader fills it: a table that outgrows its slots gets a second one of twice the size,
 * and each insertion moves one occupied bucket over; until all are moved both are held, and reported.
 *
 * Source: dict.c, `_dictExpandIfNeeded`, `dictExpand`, `_dictRehashStep` (6.2 – 8.8). How many buckets are occupied is
 * random in the server and an expected value here.
 */
export class DictGrowth {
  private used = 0;
  private slotsNow = 0;
  private slotsNext = 0;
  private bucketsToMove = 0;

  reset(): void {
    this.used = 0;
    this.slotsNow = 0;
    this.slotsNext = 0;
    this.bucketsToMove = 0;
  }

  /** The loader asks for room for `count` entries; ignored, as by the server, while moving or when it is no growth. */
  expand(count: number): void {
    if (this.slotsNext > 0 || this.used > count) return;
    const slots = slotsFor(count);
    if (slots !== this.slotsNow) this.resize(slots);
  }

  /** `count` new entries, one after the other. */
  add(count: number): void {
    let left = count;
    while (left > 0) {
      if (this.slotsNext === 0 && this.used >= this.slotsNow) {
        this.resize(slotsFor(this.used + 1));
        this.used++;
        left--;
      } else if (this.slotsNext > 0) {
        const steps = Math.min(left, Math.max(1, Math.round(this.bucketsToMove)));
        this.used += steps;
        left -= steps;
        this.bucketsToMove -= steps;
        if (this.bucketsToMove < 0.5) this.finishMove();
      } else {
        const room = Math.min(left, this.slotsNow - this.used);
        this.used += room;
        left -= room;
      }
    }
  }

  /** Slots of both tables; 0 before anything was added or expanded. */
  get slots(): number {
    return this.slotsNow + this.slotsNext;
  }

  private resize(slots: number): void {
    if (this.used === 0) {
      this.slotsNow = slots;
      return;
    }
    this.slotsNext = slots;
    this.bucketsToMove =
      this.used === this.slotsNow ? occupiedWhenFull(this.slotsNow) : occupiedSlots(this.used, this.slotsNow);
  }

  private finishMove(): void {
    this.slotsNow = this.slotsNext;
    this.slotsNext = 0;
    this.bucketsToMove = 0;
  }
}
