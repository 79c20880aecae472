import type { Allocator } from './allocator.js';

/** Chance that a node reaches one level more. Source: server.h, ZSKIPLIST_P (2.8 – 8.8). */
const LEVEL_CHANCE = 0.25;

/** Fractions of a byte that sums keep exactly, whatever their order, up to 2^33 bytes. */
const EXACT_FRACTION = 2 ** 20;

/**
 * What a skiplist node takes on average, its number of levels being random.
 * @param baseBytes node without levels, plus what is embedded in it
 */
export function expectedNodeBytes(
  baseBytes: number,
  levelBytes: number,
  maxLevel: number,
  allocator: Allocator,
): number {
  let expected = 0;
  let chance = 1;
  for (let level = 1; level <= maxLevel; level++) {
    const stops = level === maxLevel ? chance : chance * (1 - LEVEL_CHANCE);
    expected += stops * allocator.usable(baseBytes + level * levelBytes);
    chance *= LEVEL_CHANCE;
    // what is left weighs less than a thousandth of a byte
    if (chance < 1e-9) break;
  }
  return Math.round(expected * EXACT_FRACTION) / EXACT_FRACTION;
}
