/** Keys by expiry in buckets of one width, in columns, earliest first. */
export interface SortedExpiries {
  readonly widthMs: number;
  /** Of the bucket: it begins `number` widths after the origin. */
  readonly numbers: Float64Array;
  readonly keys: Float64Array;
  readonly memoryBytes: Float64Array;
}

/** Keys and memory of one span of time, `[startMs, startMs + widthMs)`. */
export interface ExpiryRow {
  readonly startMs: number;
  readonly widthMs: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

const MAX_ROWS = 20_000;

/** A bucket is told apart from its span when it has this many keys, and this many times the span's usual number. */
const STANDS_OUT_KEYS = 16;
const STANDS_OUT_FACTOR = 8;

/** Widths in seconds that several buckets may be joined to, each a multiple of the one before it. */
const SPANS_S = [2, 10, 60, 600, 3600, 86_400] as const;

/**
 * Rows for the database, earliest first. Where there are more than about `maxRows` buckets, they are joined to wider
 * spans, but for those that stand out of their span, so that no cluster is lost. A key is in one row only: a span's row
 * leaves out what has a row of its own.
 */
export function expiryRows(
  sorted: SortedExpiries,
  originMs: number,
  maxRows: number = MAX_ROWS,
): ExpiryRow[] {
  if (sorted.numbers.length <= maxRows) return joined(sorted, originMs, 1, Number.POSITIVE_INFINITY);
  const factors = SPANS_S.map((span) => (span * 1000) / sorted.widthMs).filter((factor) => factor > 1);
  const factor = factors.find((candidate) => countSpans(sorted, candidate) <= maxRows / 2);
  // Where very many stand out, only the largest of them are worth a row.
  for (let leastKeys = STANDS_OUT_KEYS; ; leastKeys *= 2) {
    const rows = joined(sorted, originMs, factor ?? factors.at(-1) ?? 1, leastKeys);
    if (rows.length <= maxRows || leastKeys > 2 ** 53) return rows;
  }
}

function countSpans({ numbers }: SortedExpiries, factor: number): number {
  let spans = 0;
  let last = Number.NaN;
  for (let i = 0; i < numbers.length; i++) {
    const span = Math.floor(numbers[i]! / factor);
    if (span !== last) spans++;
    last = span;
  }
  return spans;
}

/** Joins each `factor` buckets, except those of at least `leastKeys` that stand out. */
function joined(sorted: SortedExpiries, originMs: number, factor: number, leastKeys: number): ExpiryRow[] {
  const { widthMs, numbers, keys, memoryBytes } = sorted;
  const rows: ExpiryRow[] = [];
  for (let from = 0; from < numbers.length; ) {
    const span = Math.floor(numbers[from]! / factor);
    let to = from;
    let spanKeys = 0;
    while (to < numbers.length && Math.floor(numbers[to]! / factor) === span) spanKeys += keys[to++]!;
    const standsOut = Math.max(leastKeys, (spanKeys / factor) * STANDS_OUT_FACTOR);
    let restKeys = 0;
    let restMemory = 0;
    const outstanding: ExpiryRow[] = [];
    for (let i = from; i < to; i++) {
      if (keys[i]! < standsOut) {
        restKeys += keys[i]!;
        restMemory += memoryBytes[i]!;
      } else {
        const startMs = originMs + numbers[i]! * widthMs;
        outstanding.push({ startMs, widthMs, keys: keys[i]!, memoryBytes: memoryBytes[i]! });
      }
    }
    if (restKeys > 0) {
      const startMs = originMs + span * factor * widthMs;
      rows.push({ startMs, widthMs: factor * widthMs, keys: restKeys, memoryBytes: restMemory });
    }
    rows.push(...outstanding);
    from = to;
  }
  return rows;
}
