import fs from 'node:fs';
import type { KeyCore } from './key-core.js';

// These three also in assembly/hashes.ts.
/** Keys are sorted into this many parts by their hash, so that each part is small when it is searched. */
const PARTS = 256;
/** Keys of a part that lie together. */
const CHUNK_KEYS = 512;
/** Of such a chunk: of each key the hash, in 8 bytes, and the row id, in 4. */
const CHUNK_BYTES = CHUNK_KEYS * 12;

/** Pairs of rows that are remembered; more are only counted. Also in assembly/hashes.ts. */
export const MAX_PAIRS = 10_000;

/** Rows whose hashes are kept; see DEFAULT_HASH_LIMITS. */
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

/** Chunks of one part that lie together in the file. */
interface SpilledChunks {
  /** Its number in the file. */
  readonly first: number;
  readonly count: number;
}

/**
 * Finds keys that come twice, from their 64-bit hashes, in bounded memory: the core collects them in parts, what is too
 * much for its memory goes to a temporary file in chunks, and each part is searched on its own at the end. The core does
 * the work, see assembly/hashes.ts; here is the file.
 */
export class DuplicateFinder {
  private readonly core: KeyCore;
  private readonly spillPath: string;
  /** By part. */
  private readonly spilled: SpilledChunks[][] = Array.from({ length: PARTS }, () => []);
  private spilledChunks = 0;
  private spillFd: number | undefined;
  private complete = true;

  /** @param spillPath file that is made when there are many keys, and removed afterwards */
  constructor(core: KeyCore, spillPath: string) {
    this.core = core;
    this.spillPath = spillPath;
  }

  /** Whether a row's hash is to be kept. */
  wants(row: number): boolean {
    if (row > HASHED_ROWS) this.complete = false;
    return row <= HASHED_ROWS;
  }

  /** Looks through all keys that were added, and forgets them. */
  search(): DuplicateSearch {
    const { exports } = this.core;
    for (const [part, groups] of this.spilled.entries()) {
      const chunks = groups.reduce((sum, { count }) => sum + count, 0);
      exports.startSearch(part, chunks * CHUNK_KEYS);
      for (const group of groups) {
        this.readSpilled(group, exports.broughtAddress());
        exports.searchBrought(group.count);
      }
      exports.searchKept(part);
    }
    const count = exports.repeatCount();
    const found = {
      pairs: this.pairs(Math.min(count, MAX_PAIRS)),
      count,
      complete: this.complete && exports.sawAllHashes() === 1,
    };
    this.release();
    return found;
  }

  /** Forgets all keys and removes the temporary file. */
  release(): void {
    this.core.exports.forgetHashes();
    this.spilledChunks = 0;
    for (const groups of this.spilled) groups.length = 0;
    if (this.spillFd === undefined) return;
    fs.closeSync(this.spillFd);
    this.spillFd = undefined;
    fs.rmSync(this.spillPath, { force: true });
  }

  /** Makes room in a part for which the core has none. */
  putDown(part: number): void {
    const { exports, bytes } = this.core;
    const first = this.spilledChunks;
    const count = exports.takeDown(part);
    const start = exports.broughtAddress();
    this.spillFd ??= fs.openSync(this.spillPath, 'w+');
    for (let written = 0; written < count * CHUNK_BYTES; ) {
      const left = count * CHUNK_BYTES - written;
      written += fs.writeSync(this.spillFd, bytes, start + written, left, first * CHUNK_BYTES + written);
    }
    this.spilledChunks += count;
    this.spilled[part]!.push({ first, count });
  }

  private readSpilled({ first, count }: SpilledChunks, address: number): void {
    const length = count * CHUNK_BYTES;
    const read = fs.readSync(this.spillFd!, this.core.bytes, address, length, first * CHUNK_BYTES);
    if (read < length) throw new Error(`${this.spillPath} has been cut`);
  }

  private pairs(count: number): LikelyDuplicate[] {
    const rows = new Int32Array(this.core.bytes.buffer, this.core.exports.pairsAddress(), count * 2);
    return Array.from({ length: count }, (_, i) => ({ firstRow: rows[i * 2]!, row: rows[i * 2 + 1]! }));
  }
}
