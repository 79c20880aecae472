// The prefix tree: nodes that are patterns such as `user:{n}:session`, found by their segments' bytes in one open
// addressing table. See prefix-tree.ts for what it is for.

import { reserve } from './memory';
import {
  isLast,
  MARK,
  nextSegment,
  SEGMENT_BYTES,
  segment,
  segmentLength,
  separator,
  startSegments,
  stemLength,
} from './segments';

export const ROOT: i32 = 0;
export const NONE: i32 = -1;

// A node's fields. The numbers are those of prefix-tree.ts.
const PARENT: usize = 0;
const HASH: usize = 4;
const SEGMENT_START: usize = 8;
/** The child that stands for any segment, NONE without one. */
const REST: usize = 12;
const CHILDREN: usize = 16;
/** Its first cell of sums. */
export const FIRST_CELL: usize = 20;
const NODE_SEPARATOR: usize = 24;
const NODE_SEGMENT_LENGTH: usize = 25;
const STEMS: usize = 26;
const NODE_BYTES: usize = 32;

/** `{*}`: any segment, or the rest of the key. */
const ID_REST: i32 = 8;
const REST_SEGMENT = memory.data<u8>([1, 8, 0, 0, 0, 0, 0, 0], 8);
/** Nodes like `tok_{*}` of one full parent. */
const STEMS_PER_NODE: i32 = 64;

let nodes: usize = 0;
let count: i32 = 0;
let arena: usize = 0;
let arenaUsed: u32 = 0;
let slots: usize = 0;
let slotMask: u32 = 0;
let seed: u64 = 0;
let nodeLimit: i32 = 0;
let childLimit: i32 = 0;
let depthLimit: i32 = 0;

/** @param capacity nodes that will ever be, `{*}` and those of the folding included */
export function initTree(capacity: i32, limit: i32, childrenPerNode: i32, depth: i32, treeSeed: u64): void {
  nodeLimit = limit;
  childLimit = childrenPerNode;
  depthLimit = depth;
  seed = treeSeed;
  nodes = reserve(<usize>capacity * NODE_BYTES);
  arena = reserve(<usize>capacity * (SEGMENT_BYTES + 8));
  slotMask = 4096;
  while (slotMask < <u32>capacity * 2) slotMask *= 2;
  slots = reserve(<usize>slotMask * 4);
  slotMask--;
  count = 1;
  store<i32>(nodes, NONE, PARENT);
  store<i32>(nodes, NONE, REST);
  store<i32>(nodes, NONE, FIRST_CELL);
}

@inline
export function nodeAt(node: i32): usize {
  return nodes + <usize>node * NODE_BYTES;
}

export function nodesAddress(): usize {
  return nodes;
}

export function arenaAddress(): usize {
  return arena;
}

export function nodeCount(): i32 {
  return count;
}

/** The node of the key's whole pattern, made when it is new. */
export function nodeOfKey(): i32 {
  startSegments();
  let node = ROOT;
  let depth = 0;
  while (true) {
    nextSegment();
    if (++depth === depthLimit && !isLast) return restOf(node);
    const child = find(node, separator, segment, segmentLength);
    node = child === NONE ? admit(node) : child;
    // Nodes made when the tree was full stand for all the rest.
    if (isLast || node >= nodeLimit) return node;
  }
}

/** The child of `parent` with the segment that stands at `bytes`, NONE when there is none. */
export function find(parent: i32, byte: i32, bytes: usize, bytesLength: i32): i32 {
  const hash = hashOf(parent, byte, bytes, bytesLength);
  let slot = hash & slotMask;
  while (true) {
    const entry = load<i32>(slots + (<usize>slot << 2));
    if (entry === 0) return NONE;
    const at = nodeAt(entry);
    if (
      load<u32>(at, HASH) === hash &&
      load<i32>(at, PARENT) === parent &&
      load<u8>(at, NODE_SEPARATOR) === byte &&
      load<u8>(at, NODE_SEGMENT_LENGTH) === bytesLength &&
      isSegment(arena + load<u32>(at, SEGMENT_START), bytes, bytesLength)
    ) {
      return entry;
    }
    slot = (slot + 1) & slotMask;
  }
}

/** A new child; there is none with that segment. */
export function create(parent: i32, byte: i32, bytes: usize, bytesLength: i32): i32 {
  const node = count++;
  const at = nodeAt(node);
  memory.copy(arena + arenaUsed, bytes, bytesLength);
  store<u32>(at, arenaUsed, SEGMENT_START);
  store<u8>(at, bytesLength, NODE_SEGMENT_LENGTH);
  store<u8>(at, byte, NODE_SEPARATOR);
  store<i32>(at, NONE, REST);
  store<i32>(at, NONE, FIRST_CELL);
  arenaUsed += (bytesLength + 7) & ~7;
  attach(node, parent);
  return node;
}

/** Makes a node a child of `parent`, which has none with that segment: a new one, or one that moves. */
export function attach(node: i32, parent: i32): void {
  const at = nodeAt(node);
  const above = nodeAt(parent);
  const hash = hashOf(
    parent,
    load<u8>(at, NODE_SEPARATOR),
    arena + load<u32>(at, SEGMENT_START),
    load<u8>(at, NODE_SEGMENT_LENGTH),
  );
  store<i32>(at, parent, PARENT);
  store<u32>(above, load<u32>(above, CHILDREN) + 1, CHILDREN);
  // A node that moved keeps its old slot too: harmless, since its hash no longer leads there.
  store<u32>(at, hash, HASH);
  let slot = hash & slotMask;
  while (load<i32>(slots + (<usize>slot << 2)) !== 0) slot = (slot + 1) & slotMask;
  store<i32>(slots + (<usize>slot << 2), node);
}

/** The child of `parent` that a segment goes to which has no node. */
function admit(parent: i32): i32 {
  if (count >= nodeLimit) return restOf(parent);
  const isWholeId = segmentLength === 2 && load<u8>(segment) === MARK;
  if (isWholeId || load<i32>(nodeAt(parent), CHILDREN) < childLimit) {
    return create(parent, separator, segment, segmentLength);
  }
  if (stemLength > 0 && stemLength < segmentLength) {
    store<u16>(segment + stemLength, MARK | (ID_REST << 8));
    const known = find(parent, separator, segment, stemLength + 2);
    if (known !== NONE) return known;
    const stems: i32 = load<u8>(nodeAt(parent), STEMS);
    if (stems < STEMS_PER_NODE) {
      store<u8>(nodeAt(parent), stems + 1, STEMS);
      return create(parent, separator, segment, stemLength + 2);
    }
  }
  return restOf(parent);
}

/** The child that stands for anything; one for all separators. */
function restOf(parent: i32): i32 {
  const rest = load<i32>(nodeAt(parent), REST);
  return rest === NONE ? createRest(parent, separator) : rest;
}

export function createRest(parent: i32, byte: i32): i32 {
  const rest = create(parent, byte, REST_SEGMENT, 2);
  store<i32>(nodeAt(parent), rest, REST);
  return rest;
}

/** The parent comes last: it is known late. Bytes behind a segment are read but do not count. */
@inline
function hashOf(parent: i32, byte: i32, bytes: usize, bytesLength: i32): u32 {
  let hash = seed ^ (<u64>byte << 8) ^ <u64>bytesLength;
  let at = bytes;
  let left = bytesLength;
  for (; left > 8; left -= 8) {
    hash = rotl(hash ^ load<u64>(at), 29) * 0xbf58476d1ce4e5b9;
    at += 8;
  }
  hash = (hash ^ tail(at, left)) * 0x94d049bb133111eb;
  hash = (hash ^ (hash >> 32) ^ (<u64>parent * 0x9e3779b97f4a7c15)) * 0xd6e8feb86659fd93;
  return <u32>(hash >> 32);
}

@inline
function isSegment(a: usize, b: usize, bytesLength: i32): bool {
  let left = bytesLength;
  for (; left > 8; left -= 8) {
    if (load<u64>(a) !== load<u64>(b)) return false;
    a += 8;
    b += 8;
  }
  return tail(a, left) === tail(b, left);
}

/** At most 8 bytes, the ones behind them as zeros. */
@inline
function tail(at: usize, bytes: i32): u64 {
  return bytes === 0 ? 0 : load<u64>(at) & (~(<u64>0) >> ((8 - bytes) << 3));
}
