import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSnapshot } from '../../src/load.js';
import { formatSentence } from '../../src/render/format-cell.js';
import { findReport, loadCatalog, type ReportDocument, runReport } from '../../src/report/index.js';
import { openStore } from '../../src/store/index.js';
import { type FileFacts, SnapshotDatabase } from './snapshot-database.js';

const summary = findReport(loadCatalog(), 'summary');

function summaryOf(file: FileFacts): ReportDocument {
  const database = new SnapshotDatabase(file).keys(10, (i) => `k${i}`).build();
  try {
    return runReport(database, summary, {});
  } finally {
    database.close();
  }
}

/** Keys that are modelled at 100 MB, their tables at 10 MB. */
const modelled = (used: number | null): FileFacts => ({
  used_memory_bytes: used,
  modelled_bytes: 100e6,
  keyspace_overhead_bytes: 10e6,
  unexplained_bytes: used === null ? null : used - 110e6,
});

const section = (document: ReportDocument, id: string) => document.sections.find((found) => found.id === id)!;
const notesOf = (document: ReportDocument): string =>
  section(document, 'memory')
    .notes.map(({ text }) => formatSentence(text))
    .join('\n');
const partsOf = (document: ReportDocument): Record<string, unknown> =>
  Object.fromEntries(section(document, 'memory').rows.map(([part, bytes]) => [part, bytes]));

describe('memory against used-mem', () => {
  it('keys, tables and remainder add up to it', () => {
    const parts = partsOf(summaryOf(modelled(160e6)));
    expect(parts).toEqual({
      keys: 100e6,
      'key tables': 10e6,
      'not explained': 50e6,
      'used-mem, as the server said': 160e6,
    });
  });

  it.each([
    [160e6, '31.3 % of what was used'],
    [112e6, 'The rest, 2.00 MB, is about what a server takes for itself and its clients'],
    [90e6, 'add up to 20.0 MB more than the server used'],
    [null, '1 file without used-mem'],
  ])('used-mem %d: "%s"', (used, words) => {
    expect(notesOf(summaryOf(modelled(used)))).toContain(words);
  });

  it('a cluster node takes more for itself', () => {
    const file = { ...modelled(114e6), memory_profile: 'redis 7.4, 64-bit, jemalloc, cluster' };
    expect(notesOf(summaryOf(file))).toContain('The rest, 4.00 MB, is about what a server takes');
  });

  it('keys of modules stand apart, and are told of', () => {
    const document = summaryOf({ ...modelled(160e6), approximate_keys: 17, approximate_bytes: 2e6 });
    expect(partsOf(document)).toMatchObject({ keys: 98e6, 'keys of modules, by their size on disk': 2e6 });
    expect(document.notes.map(({ text }) => formatSentence(text)).join('\n')).toContain(
      'Counted by size on disk: 17 keys (2.00 MB)',
    );
  });
});

describe('snapshots of a thousand keys', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'reconcile-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  const UNKNOWN_USE = 'without used-mem';
  const OWN_USE = 'about what a server takes for itself';

  it.each([
    ['redis-2.8-small', UNKNOWN_USE],
    ['redis-4.0-small', OWN_USE],
    ['redis-7.0-small-cluster', OWN_USE],
    ['redis-7.2-small-modules', OWN_USE],
    ['redis-8.8dev-small-cluster', OWN_USE],
    ['valkey-9.1dev-small', OWN_USE],
    // written by servers that packed far more than the defaults, which the file does not tell
    ['redis-6.2-small-wide', 'the server packs more than its defaults say'],
  ])('%s: "%s"', async (name, words) => {
    const input = new URL(`../../fixtures/truth/${name}/dump.rdb`, import.meta.url).pathname;
    const cluster = name.endsWith('-cluster') ? true : undefined;
    const { databasePath } = await loadSnapshot({ input, output: join(scratch, 'x.sqlite'), cluster });
    const database = openStore(databasePath);
    try {
      const file = database
        .prepare(
          `SELECT used_memory_bytes AS used, modelled_bytes AS keys, keyspace_overhead_bytes AS tables,
                  unexplained_bytes AS rest FROM files`,
        )
        .get() as { used: number | null; keys: number; tables: number; rest: number | null };
      expect(file.rest).toBe(file.used === null ? null : file.used - file.keys - file.tables);
      expect(notesOf(runReport(database, summary, {}))).toContain(words);
    } finally {
      database.close();
    }
  });
});
