// The work on each key that JavaScript is too slow for: its place in the prefix tree, its digest, its row. Compiled by
// AssemblyScript; its calls are declared in key-core-exports.ts of the folder above and documented where they stand.

import { digestKey, hash, initDigest, slot } from './digest';
import { countSizes, countSlot, countTotals, initCounters } from './counters';
import { initExpiries } from './expiries';
import { initExpiryRows } from './expiry-rows';
import { initHashes, keepHash } from './hashes';
import { addSeparator, copied, hasHigh, hasNul, initKey, KEY_BYTES, startKey } from './key';
import { reserve } from './memory';
import { initRanks, rankKey } from './ranks';
import { initRun } from './record-run';
import { initRows } from './rows';
import { isLast, nextSegment, segment, segmentLength, separator, startSegments } from './segments';
import { addKey, addNode, cellsAddress, initSums } from './sums';
import { arenaAddress, attach, createRest, find, initTree, nodeCount, nodeOfKey, nodesAddress } from './tree';

export { encodeStreamRow } from './stream-row';
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

export { addToChecksum, checksum, initChecksum, startChecksum } from '../../rdb-parser/assembly/crc64';
export {
  lengthCountsAddress,
  pairCountsAddress,
  skim,
  skimmedTo,
  skimPairs,
} from '../../rdb-parser/assembly/short-lengths';
export { headsAddress, MAX_KEY_BYTES } from './shapes';
export { setRunType } from './plain-record';
export { elementCostsAddress, forgetTable, setTable, setTableCount } from './elements';
export {
  contentsAddress,
  outcomeAddress,
  startRunDatabase,
  startRunFile,
  takeRun,
} from './record-run';
export { countExpiry, countWaiting, startExpiries } from './expiries';
export {
  countSpans,
  expiryBucketsAddress,
  expiryRowsAddress,
  joinBuckets,
  layOutFar,
  layOutFarNumbers,
  layOutNear,
  MOST_ROWS,
} from './expiry-rows';
export { tellBlock, tellShape, tellStreams, tellTable } from './figures';
export { setStreamCosts, streamGroupsAddress } from './stream-value';
export { MAX_TABLED_BYTES, usableBytesAddress } from './blocks';
export { rankCountsAddress, ranksAddress } from './ranks';
export { reserveRules, useRules } from './rules';
export { sizesAddress, slotsAddress, slotsUsed, totalsAddress } from './counters';
export {
  broughtAddress,
  forgetHashes,
  pairsAddress,
  repeatCount,
  sawAllHashes,
  searchBrought,
  searchKept,
  startSearch,
  takeDown,
} from './hashes';

const FACTS = memory.data(64, 16);
let pages: usize = 0;
let window: usize = 0;
/** What may be read behind the window before it is known that a record ends beyond; see elements.ts. */
const WINDOW_SLACK: i32 = 128;

/** Reserves all memory. The seeds make hashes that nobody can foresee. */
export function init(
  nodeCapacity: i32,
  types: i32,
  totalsCells: i32,
  nodeLimit: i32,
  childLimit: i32,
  depthLimit: i32,
  treeSeed: i64,
  hashSeed: i64,
  pageBufferBytes: i32,
  windowBytes: i32,
  expiryPlaces: i32,
  nearSeconds: i32,
  earliestExpiryMs: f64,
  hashBytes: i32,
  distinctHashes: i32,
): void {
  initDigest(hashSeed);
  initRows();
  initTree(nodeCapacity, nodeLimit, childLimit, depthLimit, treeSeed);
  initSums(nodeCapacity * types);
  initCounters(types, totalsCells);
  initHashes(hashBytes, distinctHashes);
  initRanks();
  pages = reserve(pageBufferBytes);
  window = reserve(windowBytes + WINDOW_SLACK);
  initRun();
  initKey();
  initExpiries(expiryPlaces, nearSeconds, earliestExpiryMs, treeSeed);
  initExpiryRows(max(expiryPlaces, nearSeconds));
}

/** Where keys are copied to. */
export function keyAddress(): usize {
  return copied;
}

export function pagesAddress(): usize {
  return pages;
}

export function windowAddress(): usize {
  return window;
}

/** Where facts about the key or the segment at hand are left. */
export function factsAddress(): usize {
  return FACTS;
}

/**
 * Counts a key at its node, which is returned. Facts: slot, the hash's halves, 1 for a high byte and 2 for a NUL.
 * @param elements at least 0
 */
export function takeKey(
  address: usize,
  keyBytes: i32,
  salt: i32,
  type: i32,
  hasExpiry: i32,
  expired: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
): i32 {
  startKey(address, keyBytes);
  const node = nodeOfKey();
  addKey(node, type, keyBytes, memoryBytes, serializedBytes, elements, hasExpiry !== 0, expired !== 0);
  digestKey(salt);
  store<u32>(FACTS, slot);
  store<u32>(FACTS, <u32>(hash >> 32), 4);
  store<u32>(FACTS, <u32>hash, 8);
  store<u32>(FACTS, (hasHigh() ? 1 : 0) | (hasNul() ? 2 : 0), 12);
  return node;
}

/**
 * `takeKey`, and counts the key in all other sums too. A fifth fact: what `keepHash` says. `elements` may be unknown.
 */
export function loadKey(
  address: usize,
  keyBytes: i32,
  salt: i32,
  type: i32,
  hasExpiry: i32,
  expired: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
  largestElement: f64,
  totalsCell: i32,
  row: f64,
  keepsHash: i32,
): i32 {
  const known = max<f64>(elements, 0);
  const node = takeKey(address, keyBytes, salt, type, hasExpiry, expired, memoryBytes, serializedBytes, known);
  countSlot(memoryBytes);
  countSizes(type, memoryBytes, serializedBytes, elements, largestElement);
  countTotals(totalsCell, row, memoryBytes, serializedBytes, known, hasExpiry !== 0, expired !== 0);
  rankKey(row, memoryBytes, hasExpiry !== 0, serializedBytes, elements, largestElement);
  store<i32>(FACTS, keepsHash ? keepHash(<i32>row) : 0, 16);
  return node;
}

/** Begins to read the segments of a key. */
export function startReading(address: usize, keyBytes: i32): void {
  startKey(address, keyBytes);
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
