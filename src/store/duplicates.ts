import fs from 'node:fs';
import type { KeyCore } from './key-core.js';

/** Also in assembly/counters.ts. Keys are sorted into this many parts by their hash, so that each part is small when it is searched. */
const PARTS = 256;
/** Keys of a part that are held back before they are put down as one chunk. */
const CHUNK_KEYS = 512;
/** Numbers of a key: the hash's halves and the row id. */
const STRIDE = 3;
const CHUNK_INTS = CHUNK_KEYS * STRIDE;
/** Chunks that are kept in memory (16 MiB) before the rest goes to a file. */
const MEMORY_CHUNKS = Math.floor(2 ** 24 / (CHUNK_INTS * 4));

/** Pairs of rows that are remembered; more are only counted. */
export const MAX_PAIRS = 10_000;

/** Rows whose hashes are kept: a part of a search takes 42 MB then. */
export const HASHED_ROWS = 2 ** 29;

/** Two rows of one file whose keys have the same hash: most likely the same key twice in one database. */
export interface LikelyDuplicate {
  readonly firstRow: number;
  readonly row: number;
}

export interface DuplicateSearch {
  /** At most MAX_PAIRS of them, to be compared by who has the keys. */
  readonly pairs: readonly LikelyDuplicate[];
  /** All there are. */
  readonly count: number;
  /** False when there were too many rows to look at all of them. */
  readonly complete: boolean;
}

/**
 * Finds keys that come twice, from their 64-bit hashes, in bounded memory: hashes are collected in parts, parts go to
 * a temporary file in chunks when there are many, and each part is searched on its own at the end.
 */
export class DuplicateFinder {
  private readonly spillPath: string;
  /** Where the core puts the hashes, by part, and how many there are. */
  private readonly pending: Int32Array;
  private readonly pendingKeys: Int32Array;
  /** Chunk numbers by part. */
  private readonly chunks: number[][] = Array.from({ length: PARTS }, () => []);
  private chunkCount = 0;
  private readonly inMemory: Int32Array[] = [];
  private spillFd: number | undefined;
  private complete = true;

  /** @param spillPath file that is made when there are many keys, and removed afterwards */
  constructor(core: KeyCore, spillPath: string) {
    const { exports } = core;
    this.spillPath = spillPath;
    this.pending = new Int32Array(core.bytes.buffer, exports.hashesAddress(), PARTS * CHUNK_INTS);
    this.pendingKeys = new Int32Array(core.bytes.buffer, exports.hashCountsAddress(), PARTS);
  }

  /** Whether a row's hash is to be kept. */
  wants(row: number): boolean {
    if (row > HASHED_ROWS) this.complete = false;
    return row <= HASHED_ROWS;
  }

  /** Looks through all keys that were added, and forgets them. */
  search(): DuplicateSearch {
    const pairs: LikelyDuplicate[] = [];
    let count = 0;
    let table = new Int32Array(0);
    for (let part = 0; part < PARTS; part++) {
      const entries = this.entriesOf(part);
      const keys = entries.length / STRIDE;
      if (keys < 2) continue;
      const places = 2 ** Math.ceil(Math.log2(keys * 2));
      if (table.length < places) table = new Int32Array(places);
      else table.fill(0, 0, places);
      count += searchPart(entries, table, places - 1, pairs);
    }
    this.release();
    return { pairs, count, complete: this.complete };
  }

  /** Removes the temporary file. */
  release(): void {
    this.pendingKeys.fill(0);
    this.inMemory.length = 0;
    this.chunkCount = 0;
    for (const chunks of this.chunks) chunks.length = 0;
    if (this.spillFd === undefined) return;
    fs.closeSync(this.spillFd);
    this.spillFd = undefined;
    fs.rmSync(this.spillPath, { force: true });
  }

  /** Makes room in a part that is full. */
  putDown(part: number): void {
    const chunk = this.pending.subarray(part * CHUNK_INTS, (part + 1) * CHUNK_INTS);
    this.pendingKeys[part] = 0;
    this.chunks[part]!.push(this.chunkCount);
    const number = this.chunkCount++;
    if (number < MEMORY_CHUNKS) {
      this.inMemory.push(chunk.slice());
      return;
    }
    this.spillFd ??= fs.openSync(this.spillPath, 'w+');
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const position = (number - MEMORY_CHUNKS) * bytes.length;
    let written = 0;
    while (written < bytes.length) {
      written += fs.writeSync(this.spillFd, bytes, written, bytes.length - written, position + written);
    }
  }

  /** All of a part's keys, in the order in which they came. */
  private entriesOf(part: number): Int32Array {
    const chunks = this.chunks[part]!;
    const pendingInts = this.pendingKeys[part]! * STRIDE;
    const entries = new Int32Array(chunks.length * CHUNK_INTS + pendingInts);
    for (const [i, number] of chunks.entries()) {
      const target = entries.subarray(i * CHUNK_INTS, (i + 1) * CHUNK_INTS);
      const kept = this.inMemory[number];
      if (kept !== undefined) target.set(kept);
      else this.readSpilled(target, number - MEMORY_CHUNKS);
    }
    const start = part * CHUNK_INTS;
    entries.set(this.pending.subarray(start, start + pendingInts), chunks.length * CHUNK_INTS);
    return entries;
  }

  private readSpilled(target: Int32Array, chunk: number): void {
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    fs.readSync(this.spillFd!, bytes, 0, bytes.length, chunk * bytes.length);
  }
}

/** Finds equal hashes by an open addressing table of entry numbers; returns how many rows repeat an earlier one. */
function searchPart(entries: Int32Array, table: Int32Array, mask: number, pairs: LikelyDuplicate[]): number {
  let count = 0;
  for (let at = 0; at < entries.length; at += STRIDE) {
    const high = entries[at]!;
    const low = entries[at + 1]!;
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const held = table[place]!;
      if (held === 0) {
        table[place] = at + 1;
        break;
      }
      const other = held - 1;
      if (entries[other] === high && entries[other + 1] === low) {
        count++;
        if (pairs.length < MAX_PAIRS) {
          pairs.push({ firstRow: entries[other + 2]!, row: entries[at + 2]! });
        }
        break;
      }
    }
  }
  return count;
}
