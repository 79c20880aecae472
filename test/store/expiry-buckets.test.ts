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

/** Plausible seconds since 1990 that a table without a seed, hashed by a well-known factor, would keep in so many places. */
function aimedSeconds(homes: number): number[] {
  const inverse = 0x0e8b2f51; // of 0x9e3779b1, modulo 2^32
  const from = (SAVED_AT_MS - Date.UTC(1990, 0, 1)) / 1000;
  const seconds: number[] = [];
  for (let home = 0; home < homes; home++) {
    for (let rest = 0; rest < 2 ** 13; rest++) {
      const hashed = ((rest >> 7) << 26) | (home << 7) | (rest & 127);
      const second = (Math.imul(hashed, inverse) >>> 0) - 1;
      if (second >= from && second < from + 99 * 365 * 86_400) seconds.push(second);
    }
  }
  return seconds;
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

  it.each([
    ['a hundred years', SAVED_AT_MS],
    ['a clock far ahead', 2 ** 52],
  ])('become wider rows, not fewer keys, on more days than there are rows: %s', (_, clock) => {
    const buckets = new ExpiryBuckets(new KeyCore({ expiryLimits: { places: 2 ** 18, nearSeconds: 4096 } }));
    buckets.startFile(clock);
    const step = Math.floor((buckets.latestMs - SAVED_AT_MS) / 150_000);
    for (let at = 0; at < 150_000; at++) buckets.add(SAVED_AT_MS + at * step, 10);
    const rows = buckets.rows();
    expect(keysIn(rows)).toBe(150_000);
    expect(rows.length).toBeLessThanOrEqual(20_001);
  });

  it('are no slower when instants are aimed at a few places of the table', () => {
    const expiries = aimedSeconds(40).map((second) => Date.UTC(1990, 0, 1) + second * 1000);
    expect(expiries.length).toBeGreaterThan(150_000);
    const rows = bucketsOf(expiries, EXPIRY_LIMITS.places, 0).rows();
    expect(keysIn(rows)).toBe(expiries.length);
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
