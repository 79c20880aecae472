import type { DataType, Packing } from '../rdb-parser/records.js';
import type { ValueType } from '../rdb-parser/value-context.js';
import type { Encoding } from './encoding.js';

/** How figures follow from a few numbers, for whoever recalls them in place of asking the model about each key. In bytes. */
export interface ValueCosts {
  /** What a key takes beside its value, where that lies in blocks of its own. */
  headBytesOf(keyLength: number, hasExpiry: boolean): number;
  /** Strings of so many bytes and more never lie in one block with their key; 0 where none does. */
  readonly jointBelow: number;
  /** Up to so many elements a value that is kept in its blob costs by the blob's size alone. */
  keptUpTo(dataType: DataType, packing: Packing): number;
  /** Undefined for types whose plain form (a count, then the elements) is not kept as a table. */
  tableCosts(dataType: DataType): TableCosts | undefined;
  readonly streamCosts: StreamCosts;
  /**
   * Values of that type that lie in one block: blobs that are kept, lists of one node, strings that are no integers.
   * None for types whose values don't; nothing overlaps.
   */
  blockCosts(type: ValueType): readonly BlockCosts[];
}

/**
 * What values of `fromBytes` to `upToBytes` take beside their head, whatever they hold: `ownBytes`, and the block of the
 * value and `extraBytes` more, which counts as what was requested or as what the allocator gave. All in bytes.
 */
export interface BlockCosts {
  readonly encoding: Encoding;
  readonly fromBytes: number;
  readonly upToBytes: number;
  /** Negative where the head has a part of the block. */
  readonly ownBytes: number;
  readonly extraBytes: number;
  readonly counted: 'requested' | 'usable';
}

/**
 * What a plain collection that the server keeps as a table takes beside its head: `ownBytes`, and its elements' and its
 * table's in one sum, see `sampled`. All in bytes.
 */
export interface TableCosts {
  readonly encoding: Encoding;
  /** From so many elements on it surely is a table, and is no misfit, whatever its elements are. */
  readonly surelyFrom: number;
  /** The same when its first two elements, or its only one, are no integers. */
  readonly surelyWithTextFrom: number;
  readonly ownBytes: number;
  /** Whether the server multiplies an average: the sum is `sampledTotal` (sampling.ts) then. */
  readonly sampled: boolean;
  /** One element; of a hash a field, with its value of `valueLength`. Sums of them are exact in any order. */
  elementBytes(length: number, valueLength: number): number;
  /** What the table takes whatever is in it. */
  fixedBytes(count: number): number;
  /** What of the table counts as its elements' bytes. */
  entriesBytes(count: number): number;
}

/**
 * What a stream takes beside its head, in bytes: its own, its nodes' listpacks, and a radix tree of the nodes; for each
 * group its own and a tree of the pending entries, with those; for each consumer its own, its name's length, and a tree
 * of what is pending there.
 */
export interface StreamCosts {
  readonly encoding: Encoding;
  readonly ownBytes: number;
  /** Whether a listpack counts as its block or as its own length. */
  readonly listpackCount: 'requested' | 'usable';
  /** Of a tree, beside its keys and nodes. */
  readonly treeBytes: number;
  readonly treeKeyBytes: number;
  /** Undefined: the blocks of a tree's nodes are counted. */
  readonly treeNodeBytes: number | undefined;
  /** Undefined where more than that is counted. */
  readonly groups:
    | { readonly ownBytes: number; readonly consumerBytes: number; readonly pendingBytes: number }
    | undefined;
}
