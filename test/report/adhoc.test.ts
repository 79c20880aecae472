import { describe, expect, it } from 'vitest';
import { adhocDocument, startQuery } from '../../src/report/adhoc.js';
import { inferColumns } from '../../src/report/column-kinds.js';
import { SnapshotDatabase } from './snapshot-database.js';

const database = new SnapshotDatabase().key('a', { memoryBytes: 7 }).key('b', { memoryBytes: 9 }).build();
const query = (sql: string, parameters: Record<string, string> = {}) => {
  const { names, rows } = startQuery(database, { sql, parameters });
  return { names, rows: [...rows] };
};

describe("a user's statement", () => {
  it('gives its rows', () => {
    expect(query('SELECT key, memory_bytes FROM keys ORDER BY key;')).toEqual({
      names: ['key', 'memory_bytes'],
      rows: [
        ['a', 7],
        ['b', 9],
      ],
    });
    expect(query('-- a comment\nWITH t AS (SELECT 1 AS x) SELECT x FROM t').rows).toEqual([[1]]);
  });

  it('has parameters, numbers as numbers', () => {
    expect(query('SELECT key FROM keys WHERE memory_bytes > :least', { least: '8' }).rows).toEqual([['b']]);
    expect(query('SELECT TYPEOF(:a), TYPEOF(:b), TYPEOF(:c)', { a: '1', b: '1.5', c: 'x' }).rows).toEqual([
      ['integer', 'real', 'text'],
    ]);
    expect(() => query('SELECT :x')).toThrow('the statement uses :x; set it with --param x=...');
    expect(() => query('SELECT 1', { x: '1' })).toThrow('the statement does not use :x');
  });

  it.each([
    'DELETE FROM files',
    "ATTACH 'x.sqlite' AS x",
    'PRAGMA user_version = 5',
    'VACUUM',
    'BEGIN',
    'WITH x AS (SELECT 1) DELETE FROM files',
    "INSERT INTO meta VALUES ('a', 1)",
    'CREATE TEMP TABLE x (a)',
    "DETACH 'x'",
  ])('cannot write, attach or set: %s', (sql) => {
    expect(() => query(sql)).toThrow(expect.objectContaining({ code: 'not-read-only' }));
    expect(database.prepare('SELECT COUNT(*) FROM files').pluck().get()).toBe(1);
  });

  it.each([
    ["SELECT load_extension('x')", 'not authorized'],
    ['SELECT 1; SELECT 2', 'one statement at a time'],
    ['SELECT', 'incomplete input'],
    ['', 'there is no statement: write one'],
    [';', 'there is no statement: write one'],
    [' ; ;\n', 'there is no statement: write one'],
    ['-- nothing', 'there is no statement'],
    ['SELECT * FROM nowhere', 'no such table: nowhere; "rdbscope schema" lists the tables'],
    ['SELECT * FROM prefix', 'no such table: prefix (did you mean prefixes?); "rdbscope schema"'],
    ['SELECT keyy FROM keys', 'no such column: keyy; "rdbscope schema" lists tables and their columns'],
  ])('that is wrong is told: %s', (sql, message) => {
    expect(() => query(sql)).toThrow(message);
  });
});

describe('columns that nobody described', () => {
  it('get their kinds from the names and the values', () => {
    const names = [
      'key',
      'sum_bytes',
      'ttl_ms',
      'expires_at_ms',
      'idle_seconds',
      'memory_share',
      'n',
      'x',
      'word',
      'COUNT(*)',
    ];
    const columns = inferColumns(names, [['k', 1, 2, 3, 4, 0.5, 6, 7, 'w', 8]]);
    expect(columns.map((column) => column.kind)).toEqual([
      'key',
      'bytes',
      'duration_ms',
      'ms',
      'seconds',
      'ratio',
      'count',
      'number',
      'text',
      'count',
    ]);
  });

  it('are told apart when they have one name', () => {
    expect(inferColumns(['n', 'n'], []).map((column) => column.name)).toEqual(['n', 'n_2']);
  });

  it('are text when the values are, whatever the name says', () => {
    expect(inferColumns(['bytes'], [['many']])[0]?.kind).toBe('text');
  });

  it('make a document with the statement written out', () => {
    const document = adhocDocument({ sql: 'SELECT :a;', parameters: { a: '5' } }, [':a'], [[5]]);
    expect(document.sections[0]).toMatchObject({ rows: [[5]], sql: 'SELECT 5' });
  });
});
