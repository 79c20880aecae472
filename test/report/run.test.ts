import { describe, expect, it } from 'vitest';
import { parseDefinition } from '../../src/report/parse-definition.js';
import { runReport } from '../../src/report/run.js';
import { SnapshotDatabase } from './snapshot-database.js';

const HEAD = '-- @title  X\n-- @summary  What X is.\n';
const define = (text: string) => parseDefinition('x.sql', 'x', HEAD + text);
const database = new SnapshotDatabase()
  .key('a', { memoryBytes: 300 })
  .key('b', { memoryBytes: 200, expiresAtMs: 9_223_372_036_854_775_807n })
  .key(Uint8Array.of(0xff, 0), { memoryBytes: 100 })
  .build();

describe('running a report', () => {
  it('gives exact values: large integers as text, bytes as hex, no NaN', () => {
    const definition = define(
      '-- @column  key  key\n-- @column  expires_at_ms  ms\n-- @column  odd  number\n' +
        'SELECT key, expires_at_ms, 9e999 AS odd FROM keys ORDER BY id;',
    );
    expect(runReport(database, definition).sections[0]?.rows).toEqual([
      ['a', null, null],
      ['b', '9223372036854775807', null],
      [{ hex: 'ff00' }, null, null],
    ]);
  });

  it('binds whole numbers as integers and puts them into sentences and SQL', () => {
    const definition = define(
      '-- @param  least  bytes  150  At least.\n-- @facts\nSELECT COUNT(*) AS total_rows, NULL AS unknown FROM keys;\n' +
        '-- @note  {total_rows:count key}, least {least:bytes}.\n-- @note  Never said: {unknown:count}.\n' +
        '-- @column  half  count\nSELECT :least / 2 AS half;',
    );
    const document = runReport(database, definition, { least: '1KB' });
    expect(document.parameters).toEqual({ least: 1000 });
    expect(document.notes).toEqual([
      {
        severity: 'note',
        text: [{ kind: 'count', value: 3, noun: 'key' }, ', least ', { kind: 'bytes', value: 1000 }, '.'],
      },
    ]);
    expect(document.sections[0]).toMatchObject({
      rows: [[500]],
      totalRows: 3,
      sql: 'SELECT 1000 / 2 AS half',
    });
  });

  it('takes the number of all rows from the last column when it is called total_rows', () => {
    const definition = define(
      '-- @column  key  key\nSELECT key, COUNT(*) OVER () AS total_rows FROM keys ORDER BY id LIMIT 1;',
    );
    expect(runReport(database, definition).sections[0]).toMatchObject({ rows: [['a']], totalRows: 3 });
  });

  it('leaves out an empty table that has nothing to say', () => {
    const silent = define('-- @column  key  key\nSELECT key FROM keys WHERE 0;');
    expect(runReport(database, silent).sections).toEqual([]);
    const saying = define('-- @empty  None.\n-- @column  key  key\nSELECT key FROM keys WHERE 0;');
    expect(runReport(database, saying).sections).toMatchObject([{ rows: [], empty: ['None.'] }]);
  });

  it('says nothing on how to read a table that is not there, but what was found', () => {
    const note =
      '-- @section  s  S\n-- @facts\nSELECT 7 AS found;\n-- @note  How to read it.\n-- @note  Found {found:count}.\n';
    const table = (where: string) =>
      define(`${note}-- @column  key  key\nSELECT key FROM keys WHERE ${where};`);
    const sectionOf = (where: string) => runReport(database, table(where)).sections[0];
    expect(sectionOf('1')?.notes).toHaveLength(2);
    expect(sectionOf('0')?.notes).toMatchObject([{ text: ['Found ', { value: 7 }, '.'] }]);
  });

  it('takes the first remark that can be said', () => {
    const definition = define(
      '-- @record\n-- @facts\nSELECT NULL AS a, 2 AS b;\n-- @remark  n  with {a}\n-- @remark  n  with {b}\n' +
        '-- @column  n  count\nSELECT 1 AS n;',
    );
    expect(runReport(database, definition).sections[0]?.remarks).toEqual({
      n: ['with ', { kind: 'label', value: 2 }],
    });
  });

  it.each([
    ['-- @column  a  count\nSELECT 1 AS b;', 'x.sql:4: the statement gives (b), the header declares (a)'],
    ['-- @column  a  count\nSELECT nope AS a;', 'x.sql:4: no such column: nope'],
    ['-- @column  a  count\nDELETE FROM files RETURNING id AS a;', 'x.sql:4: a report only reads'],
    ['-- @note  {zzz:count}\n-- @column  a  count\nSELECT 1 AS a;', 'nothing is called "zzz"'],
  ])('says where %j fails', (text, message) => {
    expect(() => runReport(database, define(text))).toThrow(message);
  });

  it('refuses a setting that it does not know', () => {
    const definition = define('-- @param  top  limit  1  T.\n-- @column  a  count\nSELECT :top AS a;');
    expect(() => runReport(database, definition, { tpo: '5' })).toThrow(
      'report x has no parameter "tpo"; it has top',
    );
    expect(() => runReport(database, definition, { top: 'x' })).toThrow(
      'top is a number of rows, 0 for all, not "x"',
    );
  });
});
