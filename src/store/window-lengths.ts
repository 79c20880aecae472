import type { LengthCounter } from '../rdb-parser/short-lengths.js';
import type { KeyCoreExports } from './key-core-exports.js';

const LENGTHS = 64;

/** Counts the lengths of elements in the window that lies in the core's memory. */
export class WindowLengths implements LengthCounter {
  readonly lengths: Uint32Array;
  readonly pairs: Uint32Array;
  private readonly exports: KeyCoreExports;
  private readonly windowAddress: number;

  constructor(exports: KeyCoreExports, windowAddress: number) {
    const { buffer } = exports.memory;
    this.exports = exports;
    this.windowAddress = windowAddress;
    this.lengths = new Uint32Array(buffer, exports.lengthCountsAddress(), LENGTHS);
    this.pairs = new Uint32Array(buffer, exports.pairCountsAddress(), LENGTHS * LENGTHS);
  }

  get end(): number {
    return (this.exports.skimmedTo.value as number) - this.windowAddress;
  }

  skim(pos: number, end: number, most: number, behind: 0 | 8): number {
    const { exports, windowAddress } = this;
    return exports.skim(windowAddress + pos, windowAddress + end, mostAtOnce(most), behind);
  }

  skimPairs(pos: number, end: number, most: number): number {
    const { exports, windowAddress } = this;
    return exports.skimPairs(windowAddress + pos, windowAddress + end, mostAtOnce(most));
  }
}

/** A count that a file tells may be beyond 32 bits; a window never holds so many. */
function mostAtOnce(most: number): number {
  return Math.min(most, 2 ** 32 - 1);
}
