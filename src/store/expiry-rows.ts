import type { KeyCore } from './key-core.js';

/** Keys and memory of one span of time, `[startMs, startMs + widthMs)`. */
export interface ExpiryRow {
  readonly startMs: number;
  readonly widthMs: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

/** Buckets that the core has laid out, earliest first. */
export interface LaidOutBuckets {
  readonly buckets: number;
  readonly widthMs: number;
}

const MAX_ROWS = 20_000;

/** A bucket is told apart from its span when it has this many keys, and eight times the span's usual number. */
const STANDS_OUT_KEYS = 16;

/**
 * Widths in seconds that several buckets may be joined to, each a multiple of the one before it. The last make a thousand
 * rows of all instants that there are; also in assembly/expiries.ts, as widths of buckets.
 */
const SPANS_S = [
  2, 10, 60, 600, 3600, 86_400, 864_000, 8_640_000, 86_400_000, 864_000_000, 8_640_000_000,
] as const;

/** Numbers of a row; also in assembly/expiry-rows.ts. */
const ROW_NUMBERS = 4;

/**
 * Rows for the database, earliest first. Where there are more than about `maxRows` buckets, they are joined to wider
 * spans, but for those that stand out of their span, so that no cluster is lost. A key is in one row only: a span's row
 * leaves out what has a row of its own.
 */
export function expiryRows(
  core: KeyCore,
  originMs: number,
  { buckets, widthMs }: LaidOutBuckets,
  maxRows: number = MAX_ROWS,
): ExpiryRow[] {
  const { exports } = core;
  const room = exports.MOST_ROWS.value as number;
  const most = Math.min(maxRows, room);
  if (buckets <= most) {
    return written(core, originMs, widthMs, exports.joinBuckets(1, Number.POSITIVE_INFINITY, room));
  }
  const factors = SPANS_S.map((span) => (span * 1000) / widthMs).filter((factor) => factor > 1);
  const factor =
    factors.find((candidate) => exports.countSpans(candidate) <= most / 2) ?? factors.at(-1) ?? 1;
  // Where very many stand out, only the largest of them are worth a row.
  for (let leastKeys = STANDS_OUT_KEYS; ; leastKeys *= 2) {
    const rows = exports.joinBuckets(factor, leastKeys, room);
    // Rather more rows than asked for than a key in none.
    if (rows <= most || leastKeys > 2 ** 53) return written(core, originMs, widthMs, Math.min(rows, room));
  }
}

function written(
  { exports, doubles }: KeyCore,
  originMs: number,
  widthMs: number,
  count: number,
): ExpiryRow[] {
  const start = exports.expiryRowsAddress() / 8;
  return Array.from({ length: count }, (_, row) => {
    const at = start + row * ROW_NUMBERS;
    return {
      startMs: originMs + doubles[at]! * widthMs,
      widthMs: doubles[at + 1]! * widthMs,
      keys: doubles[at + 2]!,
      memoryBytes: doubles[at + 3]!,
    };
  });
}
