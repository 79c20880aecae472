import { SLOTS } from './key-digest.js';

export interface SlotTotal {
  readonly slot: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

/** Keys and memory by cluster slot. */
export class SlotTotals {
  private readonly keys = new Float64Array(SLOTS);
  private readonly memoryBytes = new Float64Array(SLOTS);

  add(slot: number, memoryBytes: number): void {
    this.keys[slot] = this.keys[slot]! + 1;
    this.memoryBytes[slot] = this.memoryBytes[slot]! + memoryBytes;
  }

  /** The slots that have keys. */
  *rows(): Generator<SlotTotal> {
    for (let slot = 0; slot < SLOTS; slot++) {
      if (this.keys[slot] !== 0) yield { slot, keys: this.keys[slot]!, memoryBytes: this.memoryBytes[slot]! };
    }
  }
}
