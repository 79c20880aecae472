// Sums per node and type: each node has a chain of cells, most often one long. See prefix-tree.ts.

import { reserve } from './memory';
import { FIRST_CELL, NONE, nodeAt } from './tree';

// A cell's fields; then its numbers, in the order of SUM in prefix-tree.ts.
const TYPE: usize = 0;
const NEXT: usize = 4;
const VALUES: usize = 8;
const SUMS: i32 = 8;
const LARGEST: usize = VALUES + 8 * SUMS;
const CELL_BYTES: usize = 80;

let cells: usize = 0;
let count: i32 = 0;

export function initSums(capacity: i32): void {
  cells = reserve(<usize>capacity * CELL_BYTES);
}

export function cellsAddress(): usize {
  return cells;
}

/** Counts one key at a node. */
@inline
export function addKey(
  node: i32,
  type: i32,
  keyBytes: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  elements: f64,
  hasExpiry: bool,
  expired: bool,
): void {
  const at = cellOf(node, type);
  plus(at, 0, 1);
  plus(at, 1, memoryBytes);
  plus(at, 2, serializedBytes);
  plus(at, 3, elements);
  plus(at, 4, keyBytes);
  if (!hasExpiry) {
    plus(at, 5, 1);
    plus(at, 6, memoryBytes);
  } else if (expired) plus(at, 7, 1);
  if (memoryBytes > load<f64>(at, LARGEST)) store<f64>(at, memoryBytes, LARGEST);
}

/** Adds what one node has to another. */
export function addNode(from: i32, to: i32): void {
  let cell = load<i32>(nodeAt(from), FIRST_CELL);
  while (cell !== NONE) {
    const source = cellAt(cell);
    const target = cellOf(to, load<i32>(source, TYPE));
    for (let sum = 0; sum < SUMS; sum++) plus(target, sum, load<f64>(source + VALUES + (<usize>sum << 3)));
    const largest = load<f64>(source, LARGEST);
    if (largest > load<f64>(target, LARGEST)) store<f64>(target, largest, LARGEST);
    cell = load<i32>(source, NEXT);
  }
}

@inline
function cellAt(cell: i32): usize {
  return cells + <usize>cell * CELL_BYTES;
}

@inline
function plus(cell: usize, sum: i32, value: f64): void {
  const at = cell + VALUES + (<usize>sum << 3);
  store<f64>(at, load<f64>(at) + value);
}

@inline
function cellOf(node: i32, type: i32): usize {
  let cell = load<i32>(nodeAt(node), FIRST_CELL);
  while (cell !== NONE) {
    const at = cellAt(cell);
    if (load<i32>(at, TYPE) === type) return at;
    cell = load<i32>(at, NEXT);
  }
  return create(node, type);
}

function create(node: i32, type: i32): usize {
  const cell = count++;
  const at = cellAt(cell);
  store<i32>(at, type, TYPE);
  store<i32>(at, load<i32>(nodeAt(node), FIRST_CELL), NEXT);
  store<i32>(nodeAt(node), cell, FIRST_CELL);
  return at;
}
