import type { KeyCore } from './key-core.js';
import type { KeyCoreExports } from './key-core-exports.js';
import { joinedPattern } from './key-pattern.js';

export const ROOT = 0;
export const NONE = -1;

/** What is summed per prefix and type, in the order in which the numbers stand in a cell. */
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

/** Where a node's fields are, in 32-bit words and in bytes. Also in assembly/tree.ts. */
const NODE = {
  words: 8,
  parent: 0,
  segmentStart: 2,
  rest: 3,
  firstCell: 5,
  separator: 24,
  segmentLength: 25,
} as const;
/** A cell's fields in 32-bit words; its numbers begin behind the first eight bytes. Also in assembly/sums.ts. */
const CELL = { words: 20, type: 0, next: 1, numbers: 1 } as const;

/**
 * Which prefixes the keys have and the sums over each, as the core has gathered them, in memory that does not grow with
 * the keys.
 *
 * A node is a pattern such as `user:{n}:session`: a path of segments from the root. A key was counted at the node of its
 * whole pattern; the sums of the prefixes above follow from the tree. Once a node has too many children, segments that
 * it has not seen go to its child `{*}`, or to one that shares their beginning (`tok_{*}`). A `{*}` made when the whole
 * tree was full, or at the greatest depth, stands for all the rest of a key.
 */
export class PrefixTree {
  private readonly core: KeyCore;
  private readonly exports: KeyCoreExports;
  private readonly words: Int32Array;
  private readonly nodes: number;
  private readonly cells: number;

  constructor(core: KeyCore) {
    this.core = core;
    this.exports = core.exports;
    this.words = new Int32Array(core.words.buffer);
    this.nodes = this.exports.nodesAddress() / 4;
    this.cells = this.exports.cellsAddress() / 4;
  }

  get count(): number {
    return this.exports.nodeCount();
  }

  parent(node: number): number {
    return this.words[this.nodes + node * NODE.words + NODE.parent]!;
  }

  /** The child that stands for any segment, NONE without one. */
  rest(node: number): number {
    return this.words[this.nodes + node * NODE.words + NODE.rest]!;
  }

  setRest(node: number, rest: number): void {
    this.words[this.nodes + node * NODE.words + NODE.rest] = rest;
  }

  /** The byte between the parent's text and the segment, 0 below the root. */
  separator(node: number): number {
    return this.core.bytes[(this.nodes + node * NODE.words) * 4 + NODE.separator]!;
  }

  /** Canonical bytes, see key-pattern.ts. */
  segment(node: number): Uint8Array {
    const at = this.nodes + node * NODE.words;
    const start = this.exports.arenaAddress() + this.words[at + NODE.segmentStart]!;
    return this.core.bytes.subarray(start, start + this.core.bytes[at * 4 + NODE.segmentLength]!);
  }

  /** A node's pattern as people read it, from that of its parent. */
  text(node: number, above: string): string {
    return joinedPattern(above, this.separator(node), this.segment(node), this.core.patternNames);
  }

  /** The child of `parent` with that segment, NONE when there is none. */
  find(parent: number, separator: number, segment: Uint8Array): number {
    const address = this.core.setKey(segment, 0, segment.length);
    return this.exports.find(parent, separator, address, segment.length);
  }

  /** Makes a node the child of another, which has none with that segment. */
  attach(node: number, parent: number): void {
    this.exports.attach(node, parent);
  }

  /** Gives a node that has none the child that stands for anything. */
  createRest(parent: number, separator: number): number {
    return this.exports.createRest(parent, separator);
  }

  /** Adds the sums of one node to another's. */
  addSums(from: number, to: number): void {
    this.exports.addNode(from, to);
  }

  clearSums(node: number): void {
    this.words[this.nodes + node * NODE.words + NODE.firstCell] = NONE;
  }

  /** One number of a node over all its types. */
  total(node: number, sum: number): number {
    let total = 0;
    for (let cell = this.firstCell(node); cell !== NONE; cell = this.nextCell(cell)) {
      const value = this.core.doubles[this.numbersAt(cell) + sum]!;
      total = sum === SUM.largestKeyBytes ? Math.max(total, value) : total + value;
    }
    return total;
  }

  /** All numbers of a node by type. */
  sumsByType(node: number): { readonly typeIndex: number; readonly sums: readonly number[] }[] {
    const types: { readonly typeIndex: number; readonly sums: readonly number[] }[] = [];
    for (let cell = this.firstCell(node); cell !== NONE; cell = this.nextCell(cell)) {
      const at = this.numbersAt(cell);
      const sums = Array.from(this.core.doubles.subarray(at, at + SUM_COUNT));
      types.push({ typeIndex: this.words[this.cells + cell * CELL.words + CELL.type]!, sums });
    }
    return types;
  }

  private firstCell(node: number): number {
    return this.words[this.nodes + node * NODE.words + NODE.firstCell]!;
  }

  private nextCell(cell: number): number {
    return this.words[this.cells + cell * CELL.words + CELL.next]!;
  }

  private numbersAt(cell: number): number {
    return (this.cells + cell * CELL.words) / 2 + CELL.numbers;
  }
}
