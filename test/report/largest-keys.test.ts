import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { DataType } from '../../src/rdb-parser/records.js';
import { findReport, loadCatalog } from '../../src/report/catalog.js';
import { runReport } from '../../src/report/run.js';
import { registerFunctions } from '../../src/store/index.js';
import { seededRandom } from '../seeded.js';
import { type FedKey, loadKeys } from '../store/key-feed.js';

const random = seededRandom('reports on the largest keys');
const below = (end: number): number => Math.floor(random() * end);

/** More keys than the loader keeps lists of; hashes and sets are rare, many keys are level. */
const keys = Array.from({ length: 6000 }, (_, at): FedKey => {
  const dataType: DataType = at % 50 === 0 ? 'hash' : at % 997 === 0 ? 'set' : 'string';
  return {
    key: `${at % 3 === 0 ? 'user' : 'item'}:${at}`,
    db: at % 11 === 0 ? 1 : 0,
    dataType,
    encoding: dataType === 'string' ? 'raw' : 'hashtable',
    memoryBytes: 56 + 16 * below(at % 10 === 0 ? 100_000 : 20),
    serializedBytes: 10 + below(300),
    elementCount: dataType === 'string' ? 1 : below(20_000),
    longestElementBytes: below(1000),
    ...(at % 4 === 0 ? { hasExpiry: true, expiresAtMs: Date.UTC(2027, 0, 1) + at } : {}),
  };
});

const listed = loadKeys(keys);
const unlisted = new Database(listed.serialize());
registerFunctions(unlisted);
unlisted.exec('DELETE FROM largest_keys');
afterAll(() => {
  listed.close();
  unlisted.close();
});

const reports = loadCatalog();

const QUESTIONS: readonly (readonly [report: string, settings: Readonly<Record<string, string>>])[] = [
  ['big-keys', {}],
  ['big-keys', { top: '0' }],
  ['big-keys', { top: '1000' }],
  ['big-keys', { top: '1001', by: 'longest' }],
  ['big-keys', { by: 'elements' }],
  ['big-keys', { by: 'serialized', top: '40' }],
  ['big-keys', { by: 'longest', type: 'hash' }],
  ['big-keys', { type: 'set', top: '5' }],
  ['big-keys', { db: '1' }],
  ['big-keys', { match: 'user:1*' }],
  ['big-keys', { prefix: 'item:{n}', min_bytes: '1KB' }],
  ['big-keys', { min_bytes: '1599000' }],
  ['big-keys', { string_limit: '200' }],
  ['big-keys', { string_limit: '1500KB', elements_limit: '19000', elements_critical: '19500' }],
  ['big-keys', { hash_members: '10', hash_memory: '50KB', db: '1' }],
  ['no-ttl', {}],
  ['no-ttl', { top: '1200' }],
  ['no-ttl', { type: 'set' }],
  ['no-ttl', { type: 'set', min_bytes: '300' }],
  ['no-ttl', { db: '1', match: '*9' }],
  ['no-ttl', { prefix: 'user:{n}' }],
  ['keystats', {}],
  ['keystats', { top: '2000' }],
];

describe('the lists of the largest keys', () => {
  it.each(QUESTIONS)('leave the answers of %s %j as they are', (id, settings) => {
    const definition = findReport(reports, id);
    const { sections } = runReport(listed, definition, settings);
    expect(sections).toEqual(runReport(unlisted, definition, settings).sections);
    expect(sections.some(({ rows }) => rows.length > 0)).toBe(true);
  });

  it('do not hide keys below the first when these are too small for the filter', () => {
    const measures = {
      elements: 'elementCount',
      serialized: 'serializedBytes',
      longest: 'longestElementBytes',
    } as const;
    for (const [by, measure] of Object.entries(measures)) {
      // More than the lists hold, so that all rows are looked through; most of the first have little memory.
      const settings = { by, top: '1000', min_bytes: '1000' };
      const rows = runReport(listed, findReport(reports, 'big-keys'), settings).sections[0]?.rows ?? [];
      const wanted = keys
        .map((key, at) => ({ ...key, at }))
        .filter(({ memoryBytes = 0 }) => memoryBytes >= 1000)
        .sort((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0) || a.at - b.at);
      expect(wanted.length).toBeLessThan(1000);
      expect(rows.map(([key]) => key)).toEqual(wanted.map(({ key }) => key));
    }
  });

  it('spare the reports a pass over all keys', () => {
    // Without the other rows the answers stay the same: nothing of them was needed.
    const only = new Database(listed.serialize());
    registerFunctions(only);
    only.exec('DELETE FROM key_rows WHERE id NOT IN (SELECT key_id FROM largest_keys)');
    const settings = { string_limit: '1500KB' };
    for (const id of ['big-keys', 'no-ttl', 'keystats']) {
      const definition = findReport(reports, id);
      const known = id === 'big-keys' ? settings : {};
      expect(runReport(only, definition, known)).toEqual(runReport(listed, definition, known));
    }
    only.close();
  });
});
