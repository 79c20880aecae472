// The work on each key that JavaScript is too slow for: its place in the prefix tree, its digest, its row. Compiled by
// AssemblyScript; used through key-core.ts of the folder above, which documents the calls.

import { digestKey, hash, initDigest, slot } from './digest';
import { addSeparator, hasHigh, hasNul, initKey, KEY_BYTES, key, startKey } from './key';
import { reserve } from './memory';
import { initRows } from './rows';
import { isLast, nextSegment, segment, segmentLength, separator, startSegments } from './segments';
import { addKey, addNode, cellsAddress, initSums } from './sums';
import { arenaAddress, attach, createRest, find, initTree, nodeCount, nodeOfKey, nodesAddress } from './tree';

export { encodeRow, movePage, pageCells, pageContent, reserveCell, startPage } from './rows';
export {
  addNode,
  addSeparator,
  arenaAddress,
  attach,
  cellsAddress,
  createRest,
  find,
  KEY_BYTES,
  nodeCount,
  nodesAddress,
};

const FACTS = memory.data(64, 16);
let pages: usize = 0;

/** Reserves all memory. The seeds make hashes that nobody can foresee. */
export function init(
  nodeCapacity: i32,
  cellCapacity: i32,
  nodeLimit: i32,
  childLimit: i32,
  depthLimit: i32,
  treeSeed: i64,
  hashSeed: i64,
  pageBufferBytes: i32,
): void {
  initDigest(hashSeed);
  initRows();
  initTree(nodeCapacity, nodeLimit, childLimit, depthLimit, treeSeed);
  initSums(cellCapacity);
  pages = reserve(pageBufferBytes);
  initKey();
}

export function keyAddress(): usize {
  return key;
}

export function pagesAddress(): usize {
  return pages;
}

/** Where `takeKey` and `readSegment` leave what they found. */
export function factsAddress(): usize {
  return FACTS;
}

/**
 * Counts the key at `keyAddress`; returns its node. Facts: slot, the hash's halves, 1 for a high byte and 2 for a NUL.
 */
export function takeKey(
  keyBytes: i32,
  salt: i32,
  type: i32,
  hasExpiry: i32,
  expired: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
): i32 {
  startKey(keyBytes);
  const node = nodeOfKey();
  addKey(node, type, keyBytes, memoryBytes, serializedBytes, elements, hasExpiry !== 0, expired !== 0);
  digestKey(salt);
  store<u32>(FACTS, slot);
  store<u32>(FACTS, <u32>(hash >> 32), 4);
  store<u32>(FACTS, <u32>hash, 8);
  store<u32>(FACTS, (hasHigh() ? 1 : 0) | (hasNul() ? 2 : 0), 12);
  return node;
}

/** Begins to read the segments of the key at `keyAddress`. */
export function startReading(keyBytes: i32): void {
  startKey(keyBytes);
  startSegments();
}

/** Reads the next segment. Facts: its address and length, the separator before it, 1 when it is the last. */
export function readSegment(): void {
  nextSegment();
  store<u32>(FACTS, <u32>segment);
  store<i32>(FACTS, segmentLength, 4);
  store<i32>(FACTS, separator, 8);
  store<i32>(FACTS, isLast ? 1 : 0, 12);
}
