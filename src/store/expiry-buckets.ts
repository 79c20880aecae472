import { type ExpiryRow, expiryRows, type SortedExpiries } from './expiry-rows.js';

/** Expiries before this are taken for mistakes (seconds for milliseconds, for instance). */
export const EARLIEST_EXPIRY_MS = Date.UTC(1990, 0, 1);
/** And those that are further ahead of the snapshot than this. */
export const LATEST_EXPIRY_YEARS = 100;

const YEAR_MS = 365.25 * 86_400_000;

/** Widths of buckets in seconds, each a multiple of the one before it; 150 years are 55,000 of the last. */
const WIDTHS_S = [1, 2, 10, 60, 600, 3600, 86_400] as const;

/** Seconds from the snapshot's own time on that are counted one by one whatever happens: 24 days, 32 MiB at most. */
const NEAR_SECONDS = 2 ** 21;

/** Places in the table at its largest, of 24 bytes. Three in four may be taken: 393,000 seconds are 4.5 days. */
const MAX_PLACES = 2 ** 19;
const FIRST_PLACES = 2 ** 12;

/** Numbers of a place: the bucket's number plus one (0: a free place), keys, memory. */
const STRIDE = 3;

/** Keys that are counted together: their places come at random, and so the processor can wait for several at once. */
const BATCH = 1024;

/**
 * Sums keys by the second in which they expire, in bounded memory: the next weeks in a plain array, what lies beyond in a
 * table whose buckets become wider when there are too many different seconds.
 */
export class ExpiryBuckets {
  /** Keys whose expiry is no plausible instant; they are in no bucket. */
  absurd = 0;

  private readonly maxPlaces: number;
  /** Later ones are absurd. */
  latestMs: number;
  /** Of the first file: the second that the near ones begin with, since EARLIEST_EXPIRY_MS. */
  private nearStart: number | undefined = undefined;
  private readonly nearSeconds: number;
  /** By second, keys and memory side by side: seconds come at random, and each costs a wait for memory. */
  private readonly near: Float64Array;
  /** Behind the last near second that has a key; what follows was never touched. */
  private nearEnd = 0;
  /** Near seconds that have a key. */
  private nearUsed = 0;
  private width = 0;
  private used = 0;
  private places = new Float64Array(FIRST_PLACES * STRIDE);
  private mask = FIRST_PLACES - 1;
  /** Seconds since EARLIEST_EXPIRY_MS and memory of keys that are still to be counted. */
  private readonly waitingSeconds = new Float64Array(BATCH);
  private readonly waitingMemory = new Float64Array(BATCH);
  private waiting = 0;

  /** @param maxPlaces a power of two @param nearSeconds counted one by one */
  constructor(maxPlaces: number = MAX_PLACES, nearSeconds: number = NEAR_SECONDS) {
    this.maxPlaces = maxPlaces;
    this.latestMs = latestExpiry(Date.now());
    this.nearSeconds = nearSeconds;
    this.near = new Float64Array(nearSeconds * 2);
  }

  /** What is told from now on was saved at this instant. */
  startFile(createdAtMs: number): void {
    this.latestMs = latestExpiry(createdAtMs);
    this.nearStart ??= Math.floor((createdAtMs - EARLIEST_EXPIRY_MS) / 1000);
  }

  /** Counts a key. Returns whether its expiry is a plausible instant. */
  add(expiresAtMs: number, memoryBytes: number): boolean {
    if (!(expiresAtMs >= EARLIEST_EXPIRY_MS && expiresAtMs <= this.latestMs)) {
      this.absurd++;
      return false;
    }
    const at = this.waiting++;
    this.waitingSeconds[at] = (expiresAtMs - EARLIEST_EXPIRY_MS) / 1000;
    this.waitingMemory[at] = memoryBytes;
    if (at + 1 === BATCH) this.countWaiting();
    return true;
  }

  /** Counts keys whose expiries are plausible. @param pairs expiry in milliseconds and memory, by turns */
  addPairs(pairs: Float64Array, count: number): void {
    // In the order in which keys come, so that sums beyond what a double holds exactly are the same in every way.
    this.countWaiting();
    for (let i = 0; i < count; i++) {
      this.count((pairs[2 * i]! - EARLIEST_EXPIRY_MS) / 1000, pairs[2 * i + 1]!);
    }
  }

  /** All keys in at most about `maxRows` rows, earliest first; see expiryRows. */
  rows(maxRows?: number): ExpiryRow[] {
    this.countWaiting();
    const near = expiryRows(this.sortedNear(), EARLIEST_EXPIRY_MS, maxRows);
    const far = expiryRows(this.sorted(), EARLIEST_EXPIRY_MS, maxRows);
    return [...near, ...far].sort((a, b) => a.startMs - b.startMs || a.widthMs - b.widthMs);
  }

  private get widthSeconds(): number {
    return WIDTHS_S[this.width]!;
  }

  private countWaiting(): void {
    const { waiting, waitingSeconds, waitingMemory } = this;
    this.waiting = 0;
    for (let i = 0; i < waiting; i++) this.count(waitingSeconds[i]!, waitingMemory[i]!);
  }

  /** @param seconds since EARLIEST_EXPIRY_MS */
  private count(seconds: number, memoryBytes: number): void {
    const { near, nearStart = 0 } = this;
    const second = Math.floor(seconds) - nearStart;
    if (second >= 0 && second < this.nearSeconds) {
      const before = near[2 * second]!;
      if (before === 0) this.nearUsed++;
      near[2 * second] = before + 1;
      near[2 * second + 1] = near[2 * second + 1]! + memoryBytes;
      if (second >= this.nearEnd) this.nearEnd = second + 1;
      return;
    }
    // The width may change on the way.
    this.sum(Math.floor(seconds / this.widthSeconds) + 1, 1, memoryBytes);
  }

  private sum(number: number, keys: number, memoryBytes: number): void {
    const { places } = this;
    const at = this.placeOf(number);
    if (places[at] === number) {
      places[at + 1] = places[at + 1]! + keys;
      places[at + 2] = places[at + 2]! + memoryBytes;
      return;
    }
    places[at] = number;
    places[at + 1] = keys;
    places[at + 2] = memoryBytes;
    if (++this.used * 4 > (this.mask + 1) * 3) this.makeRoom();
  }

  /** Where a bucket is in the table, or the free place where it belongs. */
  private placeOf(number: number): number {
    const { places, mask } = this;
    for (let place = Math.imul(number, 0x9e3779b1) >>> 7; ; place++) {
      const at = (place & mask) * STRIDE;
      if (places[at] === number || places[at] === 0) return at;
    }
  }

  /** A table twice as large, or wider buckets. */
  private makeRoom(): void {
    const old = this.places;
    const before = this.widthSeconds;
    let places = this.mask + 1;
    // The widest buckets are too few to fill a table of the usual size.
    if (places < this.maxPlaces || this.width + 1 === WIDTHS_S.length) places *= 2;
    else this.width++;
    const factor = this.widthSeconds / before;
    this.places = new Float64Array(places * STRIDE);
    this.mask = places - 1;
    this.used = 0;
    for (let at = 0; at < old.length; at += STRIDE) {
      if (old[at] !== 0) this.sum(Math.floor((old[at]! - 1) / factor) + 1, old[at + 1]!, old[at + 2]!);
    }
  }

  /** The seconds that are counted one by one. */
  private sortedNear(): SortedExpiries {
    const { near, nearStart = 0, nearEnd, nearUsed } = this;
    const numbers = new Float64Array(nearUsed);
    const keys = new Float64Array(nearUsed);
    const memoryBytes = new Float64Array(nearUsed);
    let count = 0;
    for (let second = 0; second < nearEnd; second++) {
      const ofSecond = near[2 * second]!;
      if (ofSecond === 0) continue;
      numbers[count] = nearStart + second;
      keys[count] = ofSecond;
      memoryBytes[count++] = near[2 * second + 1]!;
    }
    return { widthMs: 1000, numbers, keys, memoryBytes };
  }

  private sorted(): SortedExpiries {
    const { places, used } = this;
    const numbers = new Float64Array(used);
    let count = 0;
    for (let at = 0; at < places.length; at += STRIDE) if (places[at] !== 0) numbers[count++] = places[at]!;
    numbers.sort();
    const keys = numbers.map((number) => places[this.placeOf(number) + 1]!);
    const memoryBytes = numbers.map((number) => places[this.placeOf(number) + 2]!);
    return {
      widthMs: this.widthSeconds * 1000,
      numbers: numbers.map((number) => number - 1),
      keys,
      memoryBytes,
    };
  }
}

function latestExpiry(createdAtMs: number): number {
  return createdAtMs + LATEST_EXPIRY_YEARS * YEAR_MS;
}
