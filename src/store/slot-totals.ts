import { SLOTS } from './hash-slot.js';

export interface SlotTotal {
  readonly slot: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

/** Keys and memory by cluster slot. */
export class SlotTotals {
  /** Keys and memory in turns: slots come at random, and so take one cache line each. */
  private readonly sums = new Float64Array(SLOTS * 2);

  add(slot: number, memoryBytes: number): void {
    const at = slot * 2;
    this.sums[at] = this.sums[at]! + 1;
    this.sums[at + 1] = this.sums[at + 1]! + memoryBytes;
  }

  /** How many slots have keys. */
  get count(): number {
    let count = 0;
    for (let slot = 0; slot < SLOTS; slot++) if (this.sums[slot * 2] !== 0) count++;
    return count;
  }

  /** The slots that have keys. */
  *rows(): Generator<SlotTotal> {
    for (let slot = 0; slot < SLOTS; slot++) {
      const keys = this.sums[slot * 2]!;
      if (keys !== 0) yield { slot, keys, memoryBytes: this.sums[slot * 2 + 1]! };
    }
  }
}
