import type { KeyCore } from './key-core.js';

/** What keys are ranked by, in the core's order. `memory_without_ttl` ranks those that never expire by their memory. */
export const RANKINGS = [
  'memory_bytes',
  'memory_without_ttl',
  'serialized_bytes',
  'elements',
  'largest_element_bytes',
] as const;

/** Keys kept of each; also in assembly/ranks.ts. */
const KEPT = 1000;

/** A row of `largest_keys`. */
export interface LargestKey {
  readonly ranking: (typeof RANKINGS)[number];
  readonly keyId: number;
  readonly value: number;
}

/**
 * The first keys by each measure, as the core finds them, so that a report of the largest need not look at all rows. A
 * key whose number is not known ranks nowhere; of keys with the same number the one with the lower id goes first.
 */
export class LargestKeys {
  private readonly core: KeyCore;

  constructor(core: KeyCore) {
    this.core = core;
  }

  /** Each ranking, its first keys first. */
  rows(): LargestKey[] {
    const { exports, doubles, words } = this.core;
    const counts = exports.rankCountsAddress() / 4;
    return RANKINGS.flatMap((ranking, place) => {
      const start = exports.ranksAddress() / 8 + place * KEPT * 2;
      const keys = Array.from({ length: words[counts + place]! }, (_, i) => {
        const at = start + 2 * i;
        return { ranking, value: doubles[at]!, keyId: doubles[at + 1]! };
      });
      return keys.sort((a, b) => b.value - a.value || a.keyId - b.keyId);
    });
  }
}
