import { describe, expect, it } from 'vitest';
import { EXPIRY_LIMITS, ExpiryBuckets } from '../../src/store/expiry-buckets.js';
import { KeyCore } from '../../src/store/key-core.js';
import { seededNumbers } from '../seeded.js';
import { SAVED_AT_MS } from './key-feed.js';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365.25 * 24 * HOUR_MS;

/** @param nearSeconds 0: all go into the table */
function bucketsOf(
  expiries: readonly number[],
  places: number = EXPIRY_LIMITS.places,
  nearSeconds: number = EXPIRY_LIMITS.nearSeconds,
): ExpiryBuckets {
  const buckets = new ExpiryBuckets(new KeyCore({ expiryLimits: { places, nearSeconds } }));
  buckets.startFile(SAVED_AT_MS);
  for (const expiry of expiries) buckets.add(expiry, 10);
  return buckets;
}

function keysIn(rows: readonly { readonly keys: number }[]): number {
  return rows.reduce((sum, row) => sum + row.keys, 0);
}

describe('expiry buckets', () => {
  it('are whole seconds, earliest first', () => {
    const second = SAVED_AT_MS + HOUR_MS;
    const buckets = bucketsOf([second + 999, second, second + 1000, second - 1]);
    expect(buckets.rows()).toEqual([
      { startMs: second - 1000, widthMs: 1000, keys: 1, memoryBytes: 10 },
      { startMs: second, widthMs: 1000, keys: 2, memoryBytes: 20 },
      { startMs: second + 1000, widthMs: 1000, keys: 1, memoryBytes: 10 },
    ]);
  });

  it.each([
    ['zero', 0],
    ['before 1990', Date.UTC(1989, 11, 31, 23, 59, 59)],
    ['seconds taken for milliseconds', SAVED_AT_MS / 1000],
    ['more than a hundred years ahead', SAVED_AT_MS + 101 * YEAR_MS],
    ['the year 52842', 1.6e15],
    ['2^53 + 1', 2 ** 53],
    ['2^63 - 1', 2 ** 63],
    ['-1000 as it stands', -1000],
    ['-1000 as unsigned', 2 ** 64 - 1000],
  ])('leave out and count what is no plausible instant: %s', (_, expiry) => {
    const buckets = bucketsOf([expiry, SAVED_AT_MS]);
    expect(buckets.absurd).toBe(1);
    expect(keysIn(buckets.rows())).toBe(1);
  });

  it('take the edges of what is plausible', () => {
    const buckets = bucketsOf([Date.UTC(1990, 0, 1), SAVED_AT_MS + 99 * YEAR_MS]);
    expect(buckets.absurd).toBe(0);
    expect(keysIn(buckets.rows())).toBe(2);
  });

  it('count the next weeks by the second however many there are, and what lies around them too', () => {
    const week = seededNumbers('near', 30_000, 7 * 24 * 3600).map((s) => SAVED_AT_MS + s * 1000);
    const burst = new Array<number>(500).fill(SAVED_AT_MS + 5 * HOUR_MS);
    const outside = [SAVED_AT_MS - HOUR_MS, SAVED_AT_MS + 0.5 * YEAR_MS];
    const rows = bucketsOf([...week, ...burst, ...outside], 4096).rows();
    expect(keysIn(rows)).toBe(30_502);
    const found = rows.find(({ startMs, widthMs }) => startMs === burst[0] && widthMs === 1000);
    expect(found?.keys).toBeGreaterThanOrEqual(500);
    expect(rows[0]!.startMs).toBeLessThanOrEqual(outside[0]!);
    expect(rows.at(-1)!.startMs).toBeLessThanOrEqual(outside[1]!);
    expect(rows.map(({ startMs }) => startMs)).toEqual(
      rows.map(({ startMs }) => startMs).sort((a, b) => a - b),
    );
  });

  it('widen when there are too many seconds, and lose no key', () => {
    const expiries = seededNumbers('expiries', 20_000, 30 * 24 * 3600).map((s) => SAVED_AT_MS + s * 1000);
    const rows = bucketsOf(expiries, 4096, 0).rows();
    expect(keysIn(rows)).toBe(20_000);
    expect(rows.length).toBeLessThan(4096);
    expect(new Set(rows.map((row) => row.widthMs)).size).toBe(1);
    expect(rows[0]!.widthMs).toBeGreaterThan(1000);
    for (const { startMs, widthMs, keys } of rows) {
      expect(expiries.filter((at) => at >= startMs && at < startMs + widthMs)).toHaveLength(keys);
    }
  });

  it('never run out of room, whatever the instants', () => {
    const expiries = seededNumbers('years', 60_000, 99 * 365).map((day) => SAVED_AT_MS + day * 24 * HOUR_MS);
    expect(keysIn(bucketsOf(expiries, 4096).rows(100_000))).toBe(60_000);
  });
});

describe('rows of many buckets', () => {
  const flow = seededNumbers('flow', 30_000, 7 * 24 * 3600).map((s) => SAVED_AT_MS + s * 1000);
  const burst = Math.floor((SAVED_AT_MS + 50 * HOUR_MS) / 1000) * 1000;
  const rows = bucketsOf([...flow, ...Array(500).fill(burst)]).rows(1000);

  it('are few, and have each key once', () => {
    expect(rows.length).toBeLessThanOrEqual(1000);
    expect(keysIn(rows)).toBe(30_500);
  });

  it('span more than a day where there are years of days, and have each key once', () => {
    const days = Array.from({ length: 99 * 365 }, (_, day) => SAVED_AT_MS + day * 24 * HOUR_MS);
    for (const [places, maxRows] of [
      [4096, 100],
      [2 ** 16, 5000],
    ] as const) {
      const wide = bucketsOf(days, places, 0).rows(maxRows);
      expect(wide.length).toBeLessThanOrEqual(maxRows);
      expect(keysIn(wide)).toBe(days.length);
    }
  });

  it('keep the seconds that stand out', () => {
    const narrow = rows.filter((row) => row.widthMs === 1000);
    expect(narrow).toHaveLength(1);
    expect(narrow[0]!.startMs).toBe(burst);
    expect(narrow[0]!.keys).toBeGreaterThanOrEqual(500);
  });
});
