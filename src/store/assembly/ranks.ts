// The first keys by each measure, as largest-keys.ts of the folder above says. A ranking is a heap whose first entry is
// the last of those kept: the one that a better key takes the place of.

import { reserve } from './memory';

/** Also in largest-keys.ts. */
const RANKINGS: usize = 5;
const KEPT: i32 = 1000;

/** The number that it is ranked by, the row id. */
const ENTRY_BYTES: usize = 16;
const RANKING_BYTES: usize = <usize>KEPT * ENTRY_BYTES;

let heaps: usize = 0;
let counts: usize = 0;
/** By ranking: what a number must exceed. Unknown numbers are below 0 and never do. */
let least: usize = 0;

export function initRanks(): void {
  heaps = reserve(RANKINGS * RANKING_BYTES);
  counts = reserve(RANKINGS * 4);
  least = reserve(RANKINGS * 8);
  for (let ranking: usize = 0; ranking < RANKINGS; ranking++) store<f64>(least + (ranking << 3), -1);
}

export function ranksAddress(): usize {
  return heaps;
}

export function rankCountsAddress(): usize {
  return counts;
}

/** Ranks a key; rows must come in order. Hardly any gets further than the comparisons. */
@inline
export function rankKey(
  row: f64,
  memoryBytes: f64,
  hasExpiry: bool,
  serializedBytes: f64,
  elements: f64,
  largestElement: f64,
): void {
  if (memoryBytes > load<f64>(least)) put(0, memoryBytes, row);
  if (memoryBytes > load<f64>(least, 8) && !hasExpiry) put(1, memoryBytes, row);
  if (serializedBytes > load<f64>(least, 16)) put(2, serializedBytes, row);
  if (elements > load<f64>(least, 24)) put(3, elements, row);
  if (largestElement > load<f64>(least, 32)) put(4, largestElement, row);
}

function put(ranking: usize, value: f64, row: f64): void {
  const heap = heaps + ranking * RANKING_BYTES;
  const count = load<i32>(counts + (ranking << 2));
  if (count < KEPT) {
    store<i32>(counts + (ranking << 2), count + 1);
    rise(heap, count, value, row);
    if (count + 1 < KEPT) return;
  } else {
    sink(heap, value, row);
  }
  store<f64>(least + (ranking << 3), load<f64>(heap));
}

/** Puts an entry at the end and moves it towards the start as far as those above go before it. */
function rise(heap: usize, count: i32, value: f64, row: f64): void {
  let place = count;
  while (place > 0) {
    const above = (place - 1) >> 1;
    const entry = entryAt(heap, above);
    if (!isAfter(value, row, load<f64>(entry), load<f64>(entry, 8))) break;
    memory.copy(entryAt(heap, place), entry, ENTRY_BYTES);
    place = above;
  }
  setEntry(heap, place, value, row);
}

/** Puts an entry in the place of the first and moves it towards the end as far as those below go after it. */
function sink(heap: usize, value: f64, row: f64): void {
  let place = 0;
  for (let below = 1; below < KEPT; below = 2 * place + 1) {
    let entry = entryAt(heap, below);
    if (below + 1 < KEPT) {
      const other = entryAt(heap, below + 1);
      if (isAfter(load<f64>(other), load<f64>(other, 8), load<f64>(entry), load<f64>(entry, 8))) {
        entry = other;
        below++;
      }
    }
    if (isAfter(value, row, load<f64>(entry), load<f64>(entry, 8))) break;
    memory.copy(entryAt(heap, place), entry, ENTRY_BYTES);
    place = below;
  }
  setEntry(heap, place, value, row);
}

/** Whether the first goes after the second in a ranking. */
@inline
function isAfter(value: f64, row: f64, otherValue: f64, otherRow: f64): bool {
  return value < otherValue || (value === otherValue && row > otherRow);
}

@inline
function entryAt(heap: usize, place: i32): usize {
  return heap + <usize>place * ENTRY_BYTES;
}

@inline
function setEntry(heap: usize, place: i32, value: f64, row: f64): void {
  const entry = entryAt(heap, place);
  store<f64>(entry, value);
  store<f64>(entry, row, 8);
}
