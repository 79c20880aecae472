import type { Allocator } from './allocator.js';
import { type Bytes, pick } from './layout.js';
import type { MemoryProfile } from './profile.js';

/** Redis 8.8's array: slices of 4096 indexes, found through a directory. Source: the 8.8 tree of May 2026, measured. */
export interface ArrayLayout {
  readonly bytes: Bytes;
  /** Head of a slice. */
  readonly sliceBytes: number;
  /** Smallest and next capacities of a sparse slice, in elements. */
  readonly sparseCapacities: readonly number[];
  /** Slots of one directory block, and bytes of a block's entry in the upper directory. */
  readonly blockSlots: number;
  readonly blockEntryBytes: number;
}

/** Tag of a value that lies outside its cell. Shorter text, integers and doubles lie in it. Source: rdb.c (8.8 tree). */
const TAG_STRING = 0;
/** Longer text is kept with an 8-byte head, other text with two bytes. */
const LONG_TEXT_BYTES = 32767;
const CELL_BYTES = 8;
const SMALLEST_DENSE_CELLS = 8;
const UPPER_DIRECTORY_MIN = 4;

/** Bytes of an array beside its key and object, gathered while its elements pass in ascending order. */
export class ArrayMemory {
  private readonly layout: ArrayLayout;
  private readonly allocator: Allocator;
  private readonly wordBits: 64 | 32;
  private readonly sliceSize: number;
  private bytes = 0;
  private slice = -1;
  private sliceElements = 0;
  private firstOffset = 0;
  private lastOffset = 0;
  private block = -1;
  private blocks = 0;

  constructor(profile: MemoryProfile) {
    this.layout = profile.layout.array;
    this.allocator = profile.allocator;
    this.wordBits = profile.wordBits;
    this.sliceSize = profile.thresholds.arraySliceSize;
  }

  begin(): void {
    this.bytes = this.sliceElements = this.blocks = 0;
    this.slice = this.block = -1;
  }

  element(indexHigh: number, indexLow: number, tag: number, length: number): void {
    // exact: sizes are powers of two, and the parts stay below 2^53
    const highSlices = ((indexHigh >>> 0) * 2 ** 32) / this.sliceSize;
    const low = indexLow >>> 0;
    const slice = highSlices + Math.floor(low / this.sliceSize);
    const offset = low % this.sliceSize;
    if (slice !== this.slice) {
      this.closeSlice();
      this.openSlice(slice, offset);
    }
    this.sliceElements++;
    this.lastOffset = offset;
    if (tag === TAG_STRING) this.bytes += this.allocator.usable(length + (length > LONG_TEXT_BYTES ? 8 : 2));
  }

  /** Bytes of all that the array's object points to. */
  end(): number {
    this.closeSlice();
    return pick(this.layout.bytes, this.wordBits) + this.directoryBytes() + this.bytes;
  }

  private openSlice(slice: number, offset: number): void {
    this.slice = slice;
    this.firstOffset = offset;
    const block = Math.floor(slice / this.layout.blockSlots);
    if (block !== this.block) {
      this.block = block;
      this.blocks++;
    }
  }

  private closeSlice(): void {
    if (this.sliceElements === 0) return;
    this.bytes += this.allocator.usable(this.requestedSliceBytes());
    this.sliceElements = 0;
  }

  private requestedSliceBytes(): number {
    const { sliceBytes, sparseCapacities } = this.layout;
    const capacity = sparseCapacities.find((elements) => elements >= this.sliceElements);
    if (capacity !== undefined) {
      const offsets = Math.ceil((2 * capacity) / CELL_BYTES) * CELL_BYTES;
      return sliceBytes + offsets + CELL_BYTES * capacity;
    }
    const span = this.lastOffset - this.firstOffset + 1;
    const cells = Math.min(this.sliceSize, powerOfTwo(span, SMALLEST_DENSE_CELLS));
    return sliceBytes + CELL_BYTES * cells;
  }

  private directoryBytes(): number {
    const { blockSlots, blockEntryBytes } = this.layout;
    if (this.slice < blockSlots) {
      return this.allocator.usable(CELL_BYTES * powerOfTwo(Math.max(1, this.slice + 1), 1));
    }
    const upper = blockEntryBytes * powerOfTwo(this.blocks, UPPER_DIRECTORY_MIN);
    return blockSlots * CELL_BYTES * this.blocks + this.allocator.usable(upper);
  }
}

/** @returns the smallest power of two ≥ `least` and ≥ `value` */
function powerOfTwo(value: number, least: number): number {
  let power = least;
  while (power < value) power *= 2;
  return power;
}
