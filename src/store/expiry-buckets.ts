import { type ExpiryRow, expiryRows, type LaidOutBuckets } from './expiry-rows.js';
import type { KeyCore } from './key-core.js';

/** Expiries before this are taken for mistakes (seconds for milliseconds, for instance). */
export const EARLIEST_EXPIRY_MS = Date.UTC(1990, 0, 1);
/** And those that are further ahead of the snapshot than this. */
export const LATEST_EXPIRY_YEARS = 100;

const YEAR_MS = 365.25 * 86_400_000;

/** How much is counted by the second, and in how many buckets the rest. */
export interface ExpiryLimits {
  /** Seconds from the first snapshot's own time on that are counted one by one whatever happens. */
  readonly nearSeconds: number;
  /** Of the table for what lies beyond: a power of two, at least 4096. Three in four may be taken. */
  readonly places: number;
}

/** 24 days, 32 MiB at most; and 393,000 seconds, 4.5 days. */
export const EXPIRY_LIMITS: ExpiryLimits = { nearSeconds: 2 ** 21, places: 2 ** 19 };

/**
 * Sums keys by the second in which they expire, in bounded memory: the next weeks one by one, what lies beyond in a table
 * whose buckets become wider when there are too many different seconds. The work is in assembly/expiries.ts.
 */
export class ExpiryBuckets {
  /** Keys whose expiry is no plausible instant; they are in no bucket. */
  absurd = 0;
  /** Later ones are absurd. */
  latestMs: number;

  private readonly core: KeyCore;

  constructor(core: KeyCore) {
    this.core = core;
    this.latestMs = latestExpiry(Date.now());
  }

  /** What is told from now on was saved at this instant. */
  startFile(createdAtMs: number): void {
    this.latestMs = latestExpiry(createdAtMs);
    this.core.exports.startExpiries(createdAtMs);
  }

  /** Counts a key. Returns whether its expiry is a plausible instant. */
  add(expiresAtMs: number, memoryBytes: number): boolean {
    if (!(expiresAtMs >= EARLIEST_EXPIRY_MS && expiresAtMs <= this.latestMs)) {
      this.absurd++;
      return false;
    }
    this.core.exports.countExpiry(expiresAtMs, memoryBytes);
    return true;
  }

  /** All keys in at most about `maxRows` rows, earliest first; see expiryRows. */
  rows(maxRows?: number): ExpiryRow[] {
    const { exports } = this.core;
    exports.countWaiting();
    const near = expiryRows(
      this.core,
      EARLIEST_EXPIRY_MS,
      { buckets: exports.layOutNear(), widthMs: 1000 },
      maxRows,
    );
    const far = expiryRows(this.core, EARLIEST_EXPIRY_MS, this.layOutFar(), maxRows);
    return [...near, ...far].sort((a, b) => a.startMs - b.startMs || a.widthMs - b.widthMs);
  }

  private layOutFar(): LaidOutBuckets {
    const { exports, doubles } = this.core;
    const at = exports.expiryBucketsAddress() / 8;
    const buckets = exports.layOutFarNumbers();
    doubles.subarray(at, at + buckets).sort();
    return { buckets, widthMs: exports.layOutFar() * 1000 };
  }
}

/** Instants up to there are whole numbers of milliseconds. */
function latestExpiry(createdAtMs: number): number {
  return Math.min(createdAtMs + LATEST_EXPIRY_YEARS * YEAR_MS, Number.MAX_SAFE_INTEGER);
}
