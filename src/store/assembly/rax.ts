// The nodes of a radix tree over stream ids, counted while the ids arrive in byte order: what RaxShape (memory/rax.ts)
// does, for keys of sixteen bytes. One tree at a time. Sizes as rax.c `raxNodeCurrentLength` (Redis 7.2) gives them.

import { usable } from './blocks';

const ID_BYTES: i32 = 16;
/** Header of a node: flags and size in one word. Source: rax.h, `raxNode` (5.0 - 8.8). */
const NODE_HEADER_BYTES: i32 = 4;

/** Ids told, an equal one after another once; nodes; what the nodes' blocks take. */
export let treeKeys: i32 = 0;
export let treeNodes: i32 = 0;
export let treeNodeBytes: f64 = 0;
/** Whether it was no tree: ids out of order may give a node more children than there are bytes. */
export let isTreeBroken: bool = false;

const MOST_CHILDREN: i32 = 256;

let wordBytes: i32 = 8;
let lastHigh: u64 = 0;
let lastLow: u64 = 0;

// The points on the path to the last id at which something may still branch off, from the root on: how deep, children,
// the first child's edge, whether an id ends there. No two are of one depth.
const POINT_BYTES: usize = 16;
const PATH = memory.data(20 * 16, 16);
let top: usize = PATH;

/** @param bytes of a pointer */
export function setWord(bytes: i32): void {
  wordBytes = bytes;
}

export function startTree(): void {
  treeKeys = treeNodes = 0;
  treeNodeBytes = 0;
  isTreeBroken = false;
  top = PATH - POINT_BYTES;
  push(0, false);
}

/** The next id, not before the last one in byte order; an equal one counts once. */
export function addToTree(at: usize): void {
  const high = bswap<u64>(load<u64>(at));
  const low = bswap<u64>(load<u64>(at, 8));
  if (treeKeys > 0) {
    if (high === lastHigh && low === lastLow) return;
    // Whole bytes that the two have in common.
    closeTo(high !== lastHigh ? <i32>(clz(high ^ lastHigh) >> 3) : 8 + <i32>(clz(low ^ lastLow) >> 3));
  }
  treeKeys++;
  lastHigh = high;
  lastLow = low;
  push(ID_BYTES, true);
}

/** Counts what is still open. */
export function finishTree(): void {
  closeTo(0);
  emitPoint();
}

/** Leaves no open point deeper than `depth`, and one there unless nothing was deeper. */
function closeTo(depth: i32): void {
  while (top > PATH && load<i32>(top) > depth) {
    emitPoint();
    const childDepth = load<i32>(top);
    top -= POINT_BYTES;
    if (load<i32>(top) < depth) push(depth, false);
    attach(childDepth - load<i32>(top));
  }
}

/** The open point gets a child at the end of `edge` bytes. */
function attach(edge: i32): void {
  const children = load<i32>(top, 4) + 1;
  store<i32>(top, children, 4);
  if (children === 1) {
    store<i32>(top, edge, 8);
    return;
  }
  if (children === 2) emitRun(load<i32>(top, 8) - 1);
  emitRun(edge - 1);
}

/** A run of bytes between a branch and the next point. */
function emitRun(length: i32): void {
  if (length > 0) emitNode(length, 1, false);
}

/** The open point itself: a leaf, a run that starts there, or a branch. */
function emitPoint(): void {
  const children = load<i32>(top, 4);
  emitNode(children === 1 ? load<i32>(top, 8) : children, children, load<i32>(top, 12) !== 0);
}

function emitNode(characters: i32, pointers: i32, isKey: bool): void {
  if (pointers > MOST_CHILDREN) {
    isTreeBroken = true;
    return;
  }
  const head = (NODE_HEADER_BYTES + characters + wordBytes - 1) & -wordBytes;
  treeNodes++;
  treeNodeBytes += usable(head + wordBytes * pointers + (isKey ? wordBytes : 0));
}

function push(depth: i32, isKey: bool): void {
  top += POINT_BYTES;
  store<i32>(top, depth);
  store<i32>(top, 0, 4);
  store<i32>(top, 0, 8);
  store<i32>(top, isKey ? 1 : 0, 12);
}
