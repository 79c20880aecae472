import { describe, expect, it } from 'vitest';
import { findReport, loadCatalog } from '../../src/report/catalog.js';
import type { ReportDocument } from '../../src/report/document.js';
import { runReport } from '../../src/report/run.js';
import { SAVED_AT_MS, SnapshotDatabase } from './snapshot-database.js';

const definition = findReport(loadCatalog(), 'expiry-clusters');
const HOUR = 3_600_000;

/** A steady flow: `perSecond` keys in each of `seconds` seconds. */
function steady(
  snapshot: SnapshotDatabase,
  fromMs: number,
  seconds: number,
  perSecond: number,
): SnapshotDatabase {
  for (let second = 0; second < seconds; second++) {
    snapshot.row('expiry_buckets', {
      start_ms: fromMs + second * 1000,
      width_ms: 1000,
      keys: perSecond,
      memory_bytes: perSecond * 100,
    });
  }
  return snapshot;
}

function rowsOf(document: ReportDocument, section: string): Record<string, unknown>[] {
  const found = document.sections.find((one) => one.id === section);
  return (found?.rows ?? []).map((row) =>
    Object.fromEntries(found!.columns.map((column, i) => [column.name, row[i]])),
  );
}

describe('expiry clusters', () => {
  it('a steady 1,000 keys a second are none, at no edge of it', () => {
    const snapshot = steady(new SnapshotDatabase(), SAVED_AT_MS - 12_000 + HOUR, 1795, 1000);
    const document = runReport(snapshot.build(), definition);
    expect(rowsOf(document, 'clusters')).toEqual([]);
    expect(document.sections.map((section) => section.id)).toEqual(['clusters']);
  });

  it('20,000 keys in one second of that flow are one', () => {
    const flow = SAVED_AT_MS - 12_000 + HOUR;
    const snapshot = steady(new SnapshotDatabase(), flow, 1800, 1000);
    const at = flow + 900_000;
    snapshot.row('expiry_buckets', { start_ms: at, width_ms: 1000, keys: 20_000, memory_bytes: 5 });
    const [cluster, ...others] = rowsOf(runReport(snapshot.build(), definition), 'clusters');
    expect(others).toEqual([]);
    expect(cluster).toMatchObject({
      starts_at_ms: at,
      keys: 20_000,
      span_ms: 1000,
      peak_per_second: 20_000,
      memory_bytes: 5,
      time_left_ms: at - SAVED_AT_MS,
    });
    expect(Number(cluster?.usual_per_second)).toBeCloseTo(1000, -2);
    // Spread over twice the usual rate.
    expect(cluster?.jitter_seconds).toBeGreaterThanOrEqual(19);
    expect(cluster?.jitter_seconds).toBeLessThanOrEqual(21);
  });

  it('a lone burst is to be spread so that the peak stays under the limit', () => {
    const snapshot = new SnapshotDatabase();
    snapshot.row('expiry_buckets', {
      start_ms: SAVED_AT_MS + HOUR,
      width_ms: 1000,
      keys: 20_000,
      memory_bytes: 5,
    });
    const document = runReport(snapshot.build(), definition, { max_per_second: '100' });
    expect(rowsOf(document, 'clusters')).toMatchObject([{ keys: 20_000, jitter_seconds: 201 }]);
  });

  it('names the prefix that causes it, with different times, big keys and bytes', () => {
    const snapshot = new SnapshotDatabase()
      .keys(
        400,
        (i) => `cache:page:${i % 40}x:${i}`,
        (i) => ({ expiresAtMs: SAVED_AT_MS + HOUR + (i % 4) * 10, memoryBytes: i === 0 ? 2_000_000 : 100 }),
      )
      .keys(
        50,
        (i) => `user:${i}`,
        (i) => ({ expiresAtMs: SAVED_AT_MS + HOUR + 20_000 * (i + 1) }),
      );
    const document = runReport(snapshot.build(), definition);
    expect(rowsOf(document, 'clusters')).toMatchObject([
      { keys: 400, memory_bytes: 2_039_900, jitter_seconds: null },
    ]);
    expect(rowsOf(document, 'causes')).toMatchObject([
      {
        prefix: 'cache:page',
        keys: 400,
        cluster_share: 1,
        expiry_times: 4,
        big_keys: 1,
        largest_key_bytes: 2_000_000,
      },
    ]);
  });

  it('sees a minute that no second gives away', () => {
    const snapshot = steady(new SnapshotDatabase(), SAVED_AT_MS - 12_000 + 10 * HOUR, 60, 90);
    steady(snapshot, SAVED_AT_MS - 12_000 + HOUR, 1, 50);
    const clusters = rowsOf(runReport(snapshot.build(), definition), 'clusters');
    expect(clusters).toMatchObject([
      { starts_at_ms: SAVED_AT_MS - 12_000 + 10 * HOUR, keys: 5400, span_ms: 60_000 },
    ]);
  });

  it('joins bursts that touch into one cluster', () => {
    const snapshot = steady(new SnapshotDatabase(), SAVED_AT_MS + HOUR, 5, 4000);
    expect(rowsOf(runReport(snapshot.build(), definition), 'clusters')).toMatchObject([
      { keys: 20_000, span_ms: 5000 },
    ]);
  });

  it('reads buckets of mixed width: wide ones are what is usual, narrow ones stand out', () => {
    const snapshot = new SnapshotDatabase();
    const start = Math.ceil((SAVED_AT_MS + HOUR) / 600_000) * 600_000;
    for (let i = 0; i < 500; i++) {
      snapshot.row('expiry_buckets', {
        start_ms: start + i * 600_000,
        width_ms: 600_000,
        keys: 3000,
        memory_bytes: 9,
      });
    }
    snapshot.row('expiry_buckets', {
      start_ms: start + 123_000,
      width_ms: 1000,
      keys: 9000,
      memory_bytes: 9,
    });
    const clusters = rowsOf(runReport(snapshot.build(), definition), 'clusters');
    expect(clusters).toMatchObject([{ starts_at_ms: start + 123_000, keys: 9000, span_ms: 1000 }]);
    expect(Number(clusters[0]?.usual_per_second)).toBeCloseTo(5, 0);
  });

  it('tells the second even where seconds were counted together', () => {
    const start = Math.ceil((SAVED_AT_MS + HOUR) / 600_000) * 600_000;
    const snapshot = new SnapshotDatabase()
      .keys(
        900,
        (i) => `cache:${i}`,
        () => ({ expiresAtMs: start + 127_000 }),
      )
      .keys(
        100,
        (i) => `page:${i}`,
        () => ({ expiresAtMs: start + 128_500 }),
      )
      .keys(
        3,
        (i) => `lone:${i}`,
        (i) => ({ expiresAtMs: start + 121_000 + i * 1000 }),
      );
    const database = snapshot.build();
    database.exec(`DELETE FROM expiry_buckets; INSERT INTO expiry_buckets VALUES
      (${start}, 600000, 50, 1), (${start + 120_000}, 10000, 1003, 9), (${start + 600_000}, 600000, 50, 1)`);
    const document = runReport(database, definition, { max_per_second: '100' });
    expect(rowsOf(document, 'clusters')).toMatchObject([
      { starts_at_ms: start + 127_000, keys: 1003, span_ms: 2000, peak_per_second: 900 },
    ]);
    expect(rowsOf(document, 'causes')).toMatchObject([
      { starts_at_ms: start + 127_000, prefix: 'cache:{n}', keys: 900 },
    ]);
  });

  it('keeps keys apart that were expired already', () => {
    const snapshot = new SnapshotDatabase().keys(
      500,
      (i) => `old:${i}`,
      () => ({ expiresAtMs: SAVED_AT_MS - HOUR }),
    );
    const document = runReport(snapshot.build(), definition);
    expect(rowsOf(document, 'clusters')).toEqual([]);
    expect(document.notes[0]?.text[0]).toMatchObject({ value: 500, noun: 'key' });
  });

  it('names absurd expiries for what they look like, exactly', () => {
    const snapshot = new SnapshotDatabase()
      .key('seconds', { expiresAtMs: Math.floor(SAVED_AT_MS / 1000) + 86_400 })
      .key('milliseconds', { expiresAtMs: (SAVED_AT_MS + HOUR) * 1000 })
      .key('zero', { expiresAtMs: 0 })
      .key('negative', { expiresAtMs: -1000n })
      .key('endless', { expiresAtMs: 9_223_372_036_854_775_807n })
      .key('early', { expiresAtMs: 1000 })
      .key('sane', { expiresAtMs: SAVED_AT_MS + HOUR });
    const rows = rowsOf(runReport(snapshot.build(), definition), 'absurd');
    expect(Object.fromEntries(rows.map((row) => [row.verdict, [row.keys, row.example_key]]))).toEqual({
      'seconds given as milliseconds': [1, 'seconds'],
      'milliseconds given as seconds': [1, 'milliseconds'],
      'zero or negative': [2, 'zero'],
      'over 100 years ahead': [1, 'endless'],
      'before 1990': [1, 'early'],
    });
    const endless = rows.find((row) => row.example_key === 'endless');
    expect(endless?.example_expiry_ms).toBe('9223372036854775807');
  });

  it('has the same common tables in both of its statements', () => {
    const [clusters, causes] = definition.sections.map((section) => section.statement.sql);
    const common = clusters!.slice(clusters!.indexOf('now AS'), clusters!.indexOf(', chosen AS ('));
    expect(causes).toContain(common.trimEnd());
  });
});
