/** Expiries before this are taken for mistakes (seconds for milliseconds, for instance). */
export const EARLIEST_EXPIRY_MS = Date.UTC(1990, 0, 1);
/** And those that are further ahead of the snapshot than this. */
export const LATEST_EXPIRY_YEARS = 100;

const YEAR_MS = 365.25 * 86_400_000;

/** Widths of buckets in seconds, each a multiple of the one before it; 150 years are 55,000 of the last. */
const WIDTHS_S = [1, 2, 10, 60, 600, 3600, 86_400] as const;

/** Places in the table at its largest, of 24 bytes. Three in four may be taken: 786,000 seconds are nine days. */
const MAX_PLACES = 2 ** 20;
const FIRST_PLACES = 2 ** 12;

/** Rows of the table that comes of it, about. */
const MAX_ROWS = 20_000;
/** A bucket is told apart from its span when it has this many keys, and this many times the span's usual number. */
const STANDS_OUT_KEYS = 16;
const STANDS_OUT_FACTOR = 8;

/** Numbers of a place: the bucket's index plus one (0: a free place), keys, memory. */
const STRIDE = 3;

/** Keys and memory of one span of time, `[startMs, startMs + widthMs)`. */
export interface ExpiryBucket {
  readonly startMs: number;
  readonly widthMs: number;
  readonly keys: number;
  readonly memoryBytes: number;
}

/**
 * Sums keys by the second in which they expire, in bounded memory: when there are too many different seconds, all
 * buckets become wider and counting goes on.
 */
export class ExpiryBuckets {
  /** Keys whose expiry is no plausible instant; they are in no bucket. */
  absurd = 0;

  private readonly maxPlaces: number;
  private latestMs: number;
  private widthIndex = 0;
  private widthMs: number = WIDTHS_S[0] * 1000;
  private used = 0;
  private places = new Float64Array(FIRST_PLACES * STRIDE);
  private mask = FIRST_PLACES - 1;

  /** @param maxPlaces a power of two */
  constructor(maxPlaces: number = MAX_PLACES) {
    this.maxPlaces = maxPlaces;
    this.latestMs = latestExpiry(Date.now());
  }

  /** What is told from now on was saved at this instant. */
  startFile(createdAtMs: number): void {
    this.latestMs = latestExpiry(createdAtMs);
  }

  /** Counts a key. Returns whether its expiry is a plausible instant. */
  add(expiresAtMs: number, memoryBytes: number): boolean {
    if (!(expiresAtMs >= EARLIEST_EXPIRY_MS && expiresAtMs <= this.latestMs)) {
      this.absurd++;
      return false;
    }
    const index = Math.floor((expiresAtMs - EARLIEST_EXPIRY_MS) / this.widthMs) + 1;
    this.sum(index, 1, memoryBytes);
    return true;
  }

  /**
   * All buckets, earliest first and at most about MAX_ROWS: where there are more, they are told in wider spans, but for
   * those that stand out of their span. A key is in one of them only.
   */
  rows(maxRows: number = MAX_ROWS): ExpiryBucket[] {
    const { places } = this;
    const order: number[] = [];
    for (let at = 0; at < places.length; at += STRIDE) if (places[at] !== 0) order.push(at);
    order.sort((a, b) => places[a]! - places[b]!);
    const buckets = order.map((at) => ({
      startMs: EARLIEST_EXPIRY_MS + (places[at]! - 1) * this.widthMs,
      widthMs: this.widthMs,
      keys: places[at + 1]!,
      memoryBytes: places[at + 2]!,
    }));
    return buckets.length <= maxRows ? buckets : widen(buckets, maxRows);
  }

  private sum(index: number, keys: number, memoryBytes: number): void {
    const { places, mask } = this;
    let place = Math.imul(index, 0x9e3779b1) >>> 7;
    for (;;) {
      place &= mask;
      const at = place * STRIDE;
      const held = places[at]!;
      if (held === index) {
        places[at + 1] = places[at + 1]! + keys;
        places[at + 2] = places[at + 2]! + memoryBytes;
        return;
      }
      if (held === 0) {
        places[at] = index;
        places[at + 1] = keys;
        places[at + 2] = memoryBytes;
        if (++this.used * 4 > (mask + 1) * 3) this.makeRoom();
        return;
      }
      place++;
    }
  }

  /** A table twice as large, or wider buckets. */
  private makeRoom(): void {
    const old = this.places;
    let places = this.mask + 1;
    let factor = 1;
    if (places < this.maxPlaces) places *= 2;
    else {
      const widthS = WIDTHS_S[this.widthIndex + 1];
      // The widest buckets are too few to fill a table of the usual size.
      if (widthS === undefined) places *= 2;
      else {
        this.widthIndex++;
        factor = (widthS * 1000) / this.widthMs;
        this.widthMs = widthS * 1000;
      }
    }
    this.places = new Float64Array(places * STRIDE);
    this.mask = places - 1;
    this.used = 0;
    for (let at = 0; at < old.length; at += STRIDE) {
      if (old[at] !== 0) this.sum(Math.floor((old[at]! - 1) / factor) + 1, old[at + 1]!, old[at + 2]!);
    }
  }
}

/** The same keys in fewer buckets. */
function widen(buckets: readonly ExpiryBucket[], maxRows: number): ExpiryBucket[] {
  const widths = WIDTHS_S.map((width) => width * 1000).filter((width) => width > buckets[0]!.widthMs);
  const spansOf = (widthMs: number): Map<number, ExpiryBucket[]> => {
    const spans = new Map<number, ExpiryBucket[]>();
    for (const bucket of buckets) {
      const startMs = spanStart(bucket.startMs, widthMs);
      const held = spans.get(startMs);
      if (held === undefined) spans.set(startMs, [bucket]);
      else held.push(bucket);
    }
    return spans;
  };
  let widthMs = widths[0]!;
  let spans = spansOf(widthMs);
  for (const width of widths.slice(1)) {
    if (spans.size <= maxRows / 2) break;
    widthMs = width;
    spans = spansOf(width);
  }
  // Where very many stand out, only the largest of them are worth a row.
  let least = STANDS_OUT_KEYS;
  let rows = spread(spans, widthMs, least);
  while (rows.length > maxRows && least < 2 ** 53) {
    least *= 2;
    rows = spread(spans, widthMs, least);
  }
  return rows;
}

/** One bucket for each span, and one for each bucket with at least `least` keys that stands out of its span. */
function spread(
  spans: ReadonlyMap<number, readonly ExpiryBucket[]>,
  widthMs: number,
  least: number,
): ExpiryBucket[] {
  const rows: ExpiryBucket[] = [];
  for (const [startMs, buckets] of spans) {
    const usual = buckets.reduce((keys, bucket) => keys + bucket.keys, 0) / (widthMs / buckets[0]!.widthMs);
    const isOrdinary = (bucket: ExpiryBucket): boolean =>
      bucket.keys < least || bucket.keys < usual * STANDS_OUT_FACTOR;
    const ordinary = buckets.filter(isOrdinary);
    if (ordinary.length > 0) {
      const keys = ordinary.reduce((sum, bucket) => sum + bucket.keys, 0);
      const memoryBytes = ordinary.reduce((sum, bucket) => sum + bucket.memoryBytes, 0);
      rows.push({ startMs, widthMs, keys, memoryBytes });
    }
    rows.push(...buckets.filter((bucket) => !isOrdinary(bucket)));
  }
  return rows;
}

function spanStart(startMs: number, widthMs: number): number {
  return EARLIEST_EXPIRY_MS + Math.floor((startMs - EARLIEST_EXPIRY_MS) / widthMs) * widthMs;
}

function latestExpiry(createdAtMs: number): number {
  return createdAtMs + LATEST_EXPIRY_YEARS * YEAR_MS;
}
