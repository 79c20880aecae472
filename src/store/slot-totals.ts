import { SLOTS } from './hash-slot.js';
import type { KeyCore } from './key-core.js';

export interface SlotTotal {
  readonly slot: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

/** Keys and memory by cluster slot, as the core adds them up: in turns, so that a slot takes one cache line. */
export class SlotTotals {
  private readonly core: KeyCore;
  private readonly sums: Float64Array;

  constructor(core: KeyCore) {
    this.core = core;
    const start = core.exports.slotsAddress() / 8;
    this.sums = core.doubles.subarray(start, start + SLOTS * 2);
  }

  /** How many slots have keys. */
  get count(): number {
    return this.core.exports.slotsUsed();
  }

  /** The slots that have keys. */
  rows(): SlotTotal[] {
    const rows: SlotTotal[] = [];
    for (let slot = 0; slot < SLOTS; slot++) {
      const keys = this.sums[slot * 2]!;
      if (keys !== 0) rows.push({ slot, keys, memoryBytes: this.sums[slot * 2 + 1]! });
    }
    return rows;
  }
}
