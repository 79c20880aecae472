import { doubled, NONE } from './prefix-nodes.js';

/** What is summed per prefix and type. The order is that of the numbers in a cell. */
export const SUM = {
  keys: 0,
  memoryBytes: 1,
  serializedBytes: 2,
  elements: 3,
  keyNameBytes: 4,
  keysWithoutTtl: 5,
  memoryWithoutTtl: 6,
  expiredKeys: 7,
  /** The largest key's memory, not a sum. */
  largestKeyBytes: 8,
} as const;

/** Numbers in a cell. */
export const SUM_COUNT = 9;

const FIRST_CELLS = 1024;

/**
 * Sums per node and type, held only for the pairs that occur: each node has a chain of cells, most often one long.
 * Doubles: exact up to 2^53, see `isExact`.
 */
export class PrefixSums {
  cells = 0;
  /** `values[cell * SUM_COUNT + SUM.keys]` and so on. */
  values = new Float64Array(FIRST_CELLS * SUM_COUNT);
  typeOf = new Uint8Array(FIRST_CELLS);
  /** The node's next cell, NONE at the end. */
  next = new Int32Array(FIRST_CELLS);
  /** By node. */
  first = new Int32Array(FIRST_CELLS).fill(NONE);

  /** Counts one key at a node. */
  add(
    node: number,
    type: number,
    keyLength: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    hasExpiry: boolean,
    expired: boolean,
  ): void {
    const at = this.cellOf(node, type) * SUM_COUNT;
    const values = this.values;
    values[at] = values[at]! + 1;
    values[at + 1] = values[at + 1]! + memoryBytes;
    values[at + 2] = values[at + 2]! + serializedBytes;
    values[at + 3] = values[at + 3]! + elements;
    values[at + 4] = values[at + 4]! + keyLength;
    if (!hasExpiry) {
      values[at + 5] = values[at + 5]! + 1;
      values[at + 6] = values[at + 6]! + memoryBytes;
    } else if (expired) values[at + 7] = values[at + 7]! + 1;
    if (memoryBytes > values[at + 8]!) values[at + 8] = memoryBytes;
  }

  /** Adds what one node has to another. */
  addAll(from: number, to: number): void {
    for (let cell = this.firstCell(from); cell !== NONE; cell = this.next[cell]!) {
      const target = this.cellOf(to, this.typeOf[cell]!) * SUM_COUNT;
      const source = cell * SUM_COUNT;
      const values = this.values;
      for (let i = 0; i < SUM.largestKeyBytes; i++)
        values[target + i] = values[target + i]! + values[source + i]!;
      const largest = values[source + SUM.largestKeyBytes]!;
      if (largest > values[target + SUM.largestKeyBytes]!) values[target + SUM.largestKeyBytes] = largest;
    }
  }

  /** Forgets what a node has. */
  clear(node: number): void {
    if (node < this.first.length) this.first[node] = NONE;
  }

  firstCell(node: number): number {
    return node < this.first.length ? this.first[node]! : NONE;
  }

  /** One number of a node over all its types. */
  total(node: number, sum: number): number {
    let total = 0;
    for (let cell = this.firstCell(node); cell !== NONE; cell = this.next[cell]!) {
      const value = this.values[cell * SUM_COUNT + sum]!;
      total = sum === SUM.largestKeyBytes ? Math.max(total, value) : total + value;
    }
    return total;
  }

  private cellOf(node: number, type: number): number {
    let cell = this.firstCell(node);
    while (cell !== NONE && this.typeOf[cell] !== type) cell = this.next[cell]!;
    return cell === NONE ? this.create(node, type) : cell;
  }

  private create(node: number, type: number): number {
    while (node >= this.first.length) {
      const known = this.first.length;
      this.first = doubled(this.first).fill(NONE, known);
    }
    const cell = this.cells++;
    if (cell >= this.next.length) {
      this.values = doubled(this.values);
      this.typeOf = doubled(this.typeOf);
      this.next = doubled(this.next);
    }
    this.typeOf[cell] = type;
    this.next[cell] = this.first[node]!;
    this.first[node] = cell;
    return cell;
  }
}
