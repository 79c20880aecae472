import { afterAll, describe, expect, it } from 'vitest';
import { formatSentence } from '../../src/render/format-cell.js';
import { findReport, loadCatalog } from '../../src/report/catalog.js';
import type { ReportDocument } from '../../src/report/document.js';
import { runReport } from '../../src/report/run.js';
import { type FileFacts, SAVED_AT_MS, SnapshotDatabase } from './snapshot-database.js';

const catalog = loadCatalog();
const HOUR = 3_600_000;

const shop = () =>
  new SnapshotDatabase()
    .keys(
      10,
      (i) => `user:${i}:session`,
      (i) => ({ type: 'hash', encoding: 'listpack', elements: 4, memoryBytes: 100 + i }),
    )
    .keys(
      5,
      (i) => `user:${i}`,
      () => ({ type: 'hash', encoding: 'hashtable', elements: 9, memoryBytes: 500, idleSeconds: 86_400 }),
    )
    .keys(
      20,
      (i) => `cart:${i}`,
      (i) => ({ memoryBytes: 50, expiresAtMs: SAVED_AT_MS + (i - 4) * HOUR }),
    )
    .key('rank', { type: 'zset', encoding: 'skiplist', elements: 6000, memoryBytes: 900_000, db: 1 })
    .key('blob', { memoryBytes: 20_000_000, payloadBytes: 19_000_000 })
    .build();
const database = shop();
afterAll(() => database.close());

function run(id: string, settings: Record<string, string> = {}, over = database): ReportDocument {
  return runReport(over, findReport(catalog, id), settings);
}

function rowsOf(document: ReportDocument, section: string): Record<string, unknown>[] {
  const found = document.sections.find((one) => one.id === section);
  if (found === undefined) return [];
  return found.rows.map((row) => Object.fromEntries(found.columns.map((column, i) => [column.name, row[i]])));
}

function notesOf(document: ReportDocument): string[] {
  return document.notes.map((note) => `${note.severity}: ${formatSentence(note.text)}`);
}

describe('summary', () => {
  it('counts each key once in every table', () => {
    const document = run('summary');
    for (const section of ['types', 'encodings', 'databases']) {
      const rows = rowsOf(document, section);
      expect(rows.reduce((sum, row) => sum + Number(row.keys), 0)).toBe(37);
    }
    expect(rowsOf(document, 'overview')).toMatchObject([{ keys: 37, biggest_key_bytes: 20_000_000 }]);
    const remark = document.sections[0]!.remarks.biggest_key_bytes!;
    expect(formatSentence(remark)).toBe('string blob, no TTL');
    expect(formatSentence(document.sections[0]!.remarks.keys!)).toBe(
      'in 2 databases, 1 of them outside db 0',
    );
  });

  it('reconciles the model with what the server used', () => {
    const rows = rowsOf(run('summary'), 'memory');
    const bytes = Object.fromEntries(rows.map((row) => [row.part, Number(row.memory_bytes)]));
    expect(bytes.keys! + bytes['key tables']! + bytes['not explained']!).toBe(
      bytes['used-mem, as the server said'],
    );
  });

  const verdict = (facts: FileFacts) =>
    notesOf(run('summary', {}, new SnapshotDatabase(facts).key('a').build()));

  it('says that a file is sound, and why', () => {
    expect(verdict({})[1]).toBe(
      'good: Sound: checksum ok, 1 key read of 1 announced, no duplicates, nothing after the end.',
    );
    expect(verdict({ keys_announced: null, checksum: 'absent' })[1]).toBe(
      'good: Sound: this version has no checksum, 1 key read (the file announces no number), no duplicates, nothing after the end.',
    );
  });

  it.each([
    [{ complete: 0, incomplete_reason: 'cut at byte 5' }, 'error: Incomplete: cut at byte 5.'],
    [{ checksum: 'mismatch' }, 'error: The checksum is wrong (1 file)'],
    [{ duplicate_keys: 2 }, 'error: More than once in the file: 2 keys;'],
    [{ keys_announced: 9 }, 'warning: The file announces 9 keys; read: 1.'],
    [
      { trailing_bytes: 12, trailing_kind: 'aof' },
      'warning: 12 B follow the end of the snapshot: commands of',
    ],
    [
      { trailing_bytes: 40, trailing_kind: 'replication-mark' },
      'good: Sound: checksum ok, 1 key read of 1 announced, no duplicates, only the mark of a replication',
    ],
    [{ created_at_ms: null }, 'warning: 1 file without the time of saving'],
    [{ records_skipped: 3 }, 'warning: Passed over: 3 records of other products'],
    [{ empty_keys: 1 }, 'warning: With an empty collection, which a server would drop: 1 key.'],
  ] as const)('says what is wrong: %j', (facts, message) => {
    expect(verdict(facts).some((note) => note.startsWith(message))).toBe(true);
  });

  it('does not call a file sound that is not', () => {
    for (const facts of [
      { complete: 0 },
      { checksum: 'mismatch' },
      { duplicate_keys: 1 },
      { keys_announced: 2 },
    ]) {
      expect(verdict(facts).filter((note) => note.startsWith('good'))).toEqual([]);
    }
  });
});

describe('big-keys', () => {
  it('ranks by memory, elements, and says which limits are passed', () => {
    expect(rowsOf(run('big-keys', { top: '2' }), 'keys')).toMatchObject([
      { key: 'blob', memory_bytes: 20_000_000, verdict: 'critical' },
      { key: 'rank', memory_bytes: 900_000, verdict: 'over', elements: 6000 },
    ]);
    expect(rowsOf(run('big-keys', { top: '1', by: 'elements' }), 'keys')).toMatchObject([{ key: 'rank' }]);
  });

  it('filters by type, database, size, glob and prefix', () => {
    const keys = (settings: Record<string, string>) =>
      rowsOf(run('big-keys', { top: '0', ...settings }), 'keys').map((row) => row.key);
    expect(keys({ db: '1' })).toEqual(['rank']);
    expect(keys({ type: 'zset' })).toEqual(['rank']);
    expect(keys({ min_bytes: '1MB' })).toEqual(['blob']);
    expect(keys({ match: 'cart:1?' })).toHaveLength(10);
    expect(keys({ prefix: 'user:{n}:session' })).toHaveLength(10);
    expect(keys({ prefix: 'user' })).toHaveLength(15);
    expect(keys({ prefix: 'nothing' })).toEqual([]);
  });

  it('shows all with top 0, ordered totally', () => {
    const rows = rowsOf(run('big-keys', { top: '0' }), 'keys');
    expect(rows).toHaveLength(37);
    const memory = rows.map((row) => Number(row.memory_bytes));
    expect(memory).toEqual([...memory].sort((a, b) => b - a));
  });

  it('counts what is past the limits, or says that nothing is', () => {
    expect(rowsOf(run('big-keys'), 'limits')).toMatchObject([
      { type: 'string', over_keys: 0, critical_keys: 1 },
      { type: 'zset', over_keys: 1, critical_keys: 0 },
    ]);
    const small = run('big-keys', {}, new SnapshotDatabase().key('a').build());
    const limits = small.sections.find((section) => section.id === 'limits')!;
    expect(formatSentence(limits.empty!)).toBe(
      'No key is past its design limit (strings 10.0 KB, collections 5,000 elements).',
    );
  });

  it('finds the same keys through the histograms as without them', () => {
    const snapshot = new SnapshotDatabase().keys(
      200,
      (i) => `k${i}`,
      (i) => ({ memoryBytes: (i * 7919) % 5000 }),
    );
    for (let bucket = 0; bucket < 13; bucket++) {
      const keys = Array.from({ length: 200 }, (_, i) => (i * 7919) % 5000).filter(
        (bytes) => bytes >= 2 ** bucket && bytes < 2 ** (bucket + 1),
      ).length;
      snapshot.row('size_buckets', { type: 'string', measure: 'memory_bytes', bucket, keys, total: 0 });
    }
    const over = snapshot.build();
    const quick = rowsOf(run('big-keys', { top: '10' }, over), 'keys').map((row) => row.key);
    const full = rowsOf(run('big-keys', { top: '10', match: '*' }, over), 'keys').map((row) => row.key);
    expect(quick).toEqual(full);
    expect(quick).toHaveLength(10);
  });
});

describe('no-ttl', () => {
  it('agrees with itself: totals, prefixes, types', () => {
    const document = run('no-ttl', { top: '0' });
    expect(notesOf(document)).toEqual([
      'note: 17 keys with no TTL: 45.9 % of keys, 20.9 MB, >99.9 % of memory.',
    ]);
    const sum = (section: string) =>
      rowsOf(document, section).reduce((total, row) => total + Number(row.keys_without_ttl), 0);
    expect(sum('prefixes')).toBe(17);
    expect(sum('types')).toBe(17);
    expect(rowsOf(document, 'keys')).toHaveLength(17);
  });

  it('has idle times where the file has them', () => {
    const rows = rowsOf(run('no-ttl', { prefix: 'user', top: '0' }), 'keys');
    expect(rows.find((row) => row.key === 'user:0')).toMatchObject({ idle_seconds: 86_400 });
    expect(rows.find((row) => row.key === 'user:0:session')).toMatchObject({ idle_seconds: null });
  });
});

describe('prefixes', () => {
  it('counts each key in one pattern, and the tree sums up', () => {
    const document = run('prefixes', { top: '0' });
    const patterns = rowsOf(document, 'patterns');
    expect(patterns.reduce((sum, row) => sum + Number(row.keys), 0)).toBe(37);
    expect(patterns.find((row) => row.prefix === 'user:{n}')).toMatchObject({
      keys: 5,
      memory_bytes: 2500,
      no_ttl_share: 1,
    });
    const tree = rowsOf(document, 'tree');
    expect(tree.reduce((sum, row) => sum + Number(row.keys), 0)).toBe(37);
    expect(tree.find((row) => row.prefix === 'user')).toMatchObject({
      keys: 15,
      own_keys: 0,
      memory_bytes: 3545,
    });
  });

  it('drills down, to any depth, with the biggest keys there', () => {
    const document = run('prefixes', { prefix: 'user', depth: '1' });
    expect(rowsOf(document, 'tree')).toMatchObject([{ prefix: 'user:{n}', keys: 15, own_keys: 5 }]);
    expect(rowsOf(run('prefixes', { prefix: 'user', depth: '2' }), 'tree')).toMatchObject([
      { prefix: 'user:{n}:session', keys: 10 },
    ]);
    expect(rowsOf(document, 'keys')[0]).toMatchObject({ key: 'user:0', memory_bytes: 500 });
    expect(notesOf(document)[0]).toContain('user: 15 keys');
  });

  it('says when there is no such prefix', () => {
    expect(notesOf(run('prefixes', { prefix: 'usr' }))[0]).toContain('There is no prefix usr.');
  });
});

describe('expiry-timeline', () => {
  it('puts each key into one band', () => {
    const rows = rowsOf(run('expiry-timeline'), 'time-left');
    expect(Object.fromEntries(rows.map((row) => [row.time_left, row.keys]))).toEqual({
      'expired already': 4,
      'under 1 minute': 1,
      '1 hour to 1 day': 15,
      'never (no TTL)': 17,
    });
  });

  it('keeps absurd times apart', () => {
    const over = new SnapshotDatabase()
      .key('a', { expiresAtMs: 5 })
      .key('b', { expiresAtMs: 2n ** 62n })
      .build();
    const rows = rowsOf(run('expiry-timeline', {}, over), 'time-left');
    expect(rows.reduce((sum, row) => sum + Number(row.keys), 0)).toBe(2);
  });

  it('lists hours and days that are to come', () => {
    const document = run('expiry-timeline', { hours: '3' });
    expect(rowsOf(document, 'hours')).toHaveLength(3);
    expect(document.sections.find((section) => section.id === 'hours')?.totalRows).toBe(16);
    expect(rowsOf(document, 'days').reduce((sum, row) => sum + Number(row.keys), 0)).toBe(16);
  });
});
