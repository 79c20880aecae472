// Finds keys that come twice by their hashes; see duplicates.ts of the folder above. An entry is a hash and a row id. The
// entries lie in parts, by the hash's highest byte, so that each part and its table fit into the processor's cache when
// they are searched. A part's entries lie in chunks that are linked in the order in which they were filled. When all chunks
// are taken and a part is full, JavaScript puts its first chunks down, and they are free again.

import { hash } from './digest';
import { reserve } from './memory';

/** These, and the bytes of an entry, also in duplicates.ts. */
const PARTS: usize = 256;
const CHUNK_KEYS: usize = 512;
const ENTRY_BYTES: usize = 12;
const ENTRIES_BYTES: usize = CHUNK_KEYS * ENTRY_BYTES;
/** A cache line behind the entries: the address of the next chunk, when this is not a part's last one. */
const CHUNK_BYTES: usize = ENTRIES_BYTES + 64;
/** Chunks that are put down together, so that the file is written and read in large pieces. */
const GROUP_CHUNKS: i32 = 16;

/** Also in duplicates.ts. */
const MAX_PAIRS: i32 = 10_000;

// By part: its first and its last chunk, and where the next entry is written.
const FIRST = memory.data(256 * 4, 16);
const LAST = memory.data(256 * 4, 16);
const NEXT = memory.data(256 * 4, 16);

let chunks: usize = 0;
let chunksEnd: usize = 0;
/** From here on they have not been used; those that are free again are linked. */
let unused: usize = 0;
let free: usize = 0;

// A search: addresses of entries by their hashes, 0 in free places; entries that JavaScript brings back, which it also
// takes from there; what was found.
let table: usize = 0;
let mostPlaces: i32 = 0;
let places: i32 = 0;
let brought: usize = 0;
let broughtEnd: usize = 0;
let mostDistinct: i32 = 0;
let distinct: i32 = 0;
let pairs: usize = 0;
let repeats: i32 = 0;
let complete: bool = true;

/**
 * @param keptBytes of chunks, besides the first ones
 * @param distinctPerPart hashes that a part's search tells apart
 */
export function initHashes(keptBytes: i32, distinctPerPart: i32): void {
  chunks = reserve((PARTS + <usize>keptBytes / CHUNK_BYTES) * CHUNK_BYTES);
  chunksEnd = chunks + (PARTS + <usize>keptBytes / CHUNK_BYTES) * CHUNK_BYTES;
  mostDistinct = distinctPerPart;
  // More places than hashes, or a search for a free one would not end.
  mostPlaces = powerAbove(max(3, distinctPerPart + distinctPerPart / 3));
  table = reserve(<usize>mostPlaces << 2);
  brought = reserve(<usize>distinctPerPart * ENTRY_BYTES + <usize>GROUP_CHUNKS * ENTRIES_BYTES);
  pairs = reserve(<usize>MAX_PAIRS << 3);
  forgetHashes();
}

/** Begins anew, with one chunk for each part. Touches none of them. */
export function forgetHashes(): void {
  for (let part: usize = 0; part < PARTS; part++) {
    const chunk = chunks + part * CHUNK_BYTES;
    store<usize>(FIRST + (part << 2), chunk);
    startChunk(part, chunk);
  }
  unused = chunks + PARTS * CHUNK_BYTES;
  free = 0;
  broughtEnd = brought;
  repeats = 0;
  complete = true;
}

/**
 * Puts the hash of the key at hand to its part; returns the part's number plus 1 when it is full, and must be put
 * down before the next one; else 0.
 */
@inline
export function keepHash(row: i32): i32 {
  const part = <usize>(hash >> 56);
  const at = load<usize>(NEXT + (part << 2));
  store<u64>(at, hash);
  store<i32>(at, row, 8);
  store<usize>(NEXT + (part << 2), at + ENTRY_BYTES);
  return at + ENTRY_BYTES === load<usize>(LAST + (part << 2)) + ENTRIES_BYTES ? addChunk(part) : 0;
}

function addChunk(part: usize): i32 {
  let chunk = free;
  if (chunk !== 0) free = nextChunk(chunk);
  else if (unused === chunksEnd) return <i32>part + 1;
  else {
    chunk = unused;
    unused += CHUNK_BYTES;
  }
  store<usize>(load<usize>(LAST + (part << 2)) + ENTRIES_BYTES, chunk);
  startChunk(part, chunk);
  return 0;
}

@inline
function startChunk(part: usize, chunk: usize): void {
  store<usize>(LAST + (part << 2), chunk);
  store<usize>(NEXT + (part << 2), chunk);
}

@inline
function nextChunk(chunk: usize): usize {
  return load<usize>(chunk + ENTRIES_BYTES);
}

/** Takes the first chunks of a full part to `broughtAddress`; returns how many. */
export function takeDown(part: i32): i32 {
  const firstAt = FIRST + (<usize>part << 2);
  const last = load<usize>(LAST + (<usize>part << 2));
  let chunk = load<usize>(firstAt);
  let taken = 0;
  let isLast = false;
  while (!isLast && taken < GROUP_CHUNKS) {
    memory.copy(brought + <usize>taken * ENTRIES_BYTES, chunk, ENTRIES_BYTES);
    isLast = chunk === last;
    const next = nextChunk(chunk);
    store<usize>(chunk + ENTRIES_BYTES, free);
    free = chunk;
    chunk = next;
    taken++;
  }
  if (isLast) {
    chunk = free;
    free = nextChunk(chunk);
    startChunk(part, chunk);
  } else {
    addChunk(part);
  }
  store<usize>(firstAt, chunk);
  return taken;
}

/**
 * Begins the search of a part. What was put down of it comes next, by `searchBrought`, and then `searchKept`.
 * @param keysPutDown how many those are
 */
export function startSearch(part: i32, keysPutDown: i32): void {
  const last = load<usize>(LAST + (<usize>part << 2));
  let keys = keysPutDown + <i32>((load<usize>(NEXT + (<usize>part << 2)) - last) / ENTRY_BYTES);
  let chunk = load<usize>(FIRST + (<usize>part << 2));
  for (; chunk !== last; chunk = nextChunk(chunk)) keys += <i32>CHUNK_KEYS;
  places = keys < mostPlaces >> 1 ? powerAbove(keys << 1) : mostPlaces;
  memory.fill(table, 0, <usize>places << 2);
  distinct = 0;
  broughtEnd = brought;
}

/** Where chunks are put for `searchBrought`: another place each time. */
export function broughtAddress(): usize {
  return broughtEnd;
}

/** Looks through chunks that were put down together. Of their entries those stay that are the first of their hash. */
export function searchBrought(chunkCount: i32): void {
  const end = broughtEnd + <usize>chunkCount * ENTRIES_BYTES;
  for (let at = broughtEnd; at < end; at += ENTRY_BYTES) {
    // Not yet in its place, which is only written when it is found to be the first.
    if (isRepeat(at, broughtEnd)) continue;
    store<u64>(broughtEnd, load<u64>(at));
    store<i32>(broughtEnd, load<i32>(at, 8), 8);
    broughtEnd += ENTRY_BYTES;
  }
}

/** Looks through the part's chunks that are here. */
export function searchKept(part: i32): void {
  const last = load<usize>(LAST + (<usize>part << 2));
  let chunk = load<usize>(FIRST + (<usize>part << 2));
  for (; chunk !== last; chunk = nextChunk(chunk)) searchEntries(chunk, chunk + ENTRIES_BYTES);
  searchEntries(last, load<usize>(NEXT + (<usize>part << 2)));
}

/** Rows that repeat an earlier one, of the parts searched. */
export function repeatCount(): i32 {
  return repeats;
}

/** The first pairs of rows with one hash, by part and by the second row. */
export function pairsAddress(): usize {
  return pairs;
}

/** False when a part held too many hashes. */
export function sawAllHashes(): bool {
  return complete;
}

@inline
function searchEntries(from: usize, end: usize): void {
  for (let at = from; at < end; at += ENTRY_BYTES) isRepeat(at, at);
}

/** Whether an entry's hash came before. Else it is noted as the first with that hash; it will lie at `home`. */
@inline
function isRepeat(at: usize, home: usize): bool {
  const mask = places - 1;
  const wanted = load<u64>(at);
  for (let place = <i32>wanted & mask; ; place = (place + 1) & mask) {
    const address = table + (<usize>place << 2);
    const held = load<usize>(address);
    if (held === 0) {
      // So there is always a free place, and room for more chunks.
      if (distinct === mostDistinct) {
        complete = false;
        return true;
      }
      distinct++;
      store<usize>(address, home);
      return false;
    }
    if (load<u64>(held) !== wanted) continue;
    if (repeats < MAX_PAIRS) {
      store<i32>(pairs + (<usize>repeats << 3), load<i32>(held, 8));
      store<i32>(pairs + (<usize>repeats << 3), load<i32>(at, 8), 4);
    }
    repeats++;
    return true;
  }
}

@inline
function powerAbove(number: i32): i32 {
  return number < 2 ? 2 : 1 << (32 - clz(number - 1));
}
