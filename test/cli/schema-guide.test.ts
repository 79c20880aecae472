import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { EXAMPLE_QUERIES, FUNCTION_GUIDE, SCHEMA_GUIDE } from '../../src/cli/schema-guide.js';
import { registerFunctions, SCHEMA } from '../../src/store/index.js';

const database = new Database(':memory:');
database.exec(SCHEMA);
registerFunctions(database);

const tables = database
  .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
  .pluck()
  .all() as string[];

describe('the schema guide', () => {
  it('has every table and view, and no other', () => {
    expect(Object.keys(SCHEMA_GUIDE).sort()).toEqual([...tables].sort());
  });

  it.each(tables.filter((table) => table !== 'key_rows'))('has every column of %s, in order', (table) => {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(
      (column) => column.name,
    );
    expect(Object.keys(SCHEMA_GUIDE[table]!.columns).sort()).toEqual(columns.sort());
  });

  it('has examples and functions that run', () => {
    for (const [, sql] of EXAMPLE_QUERIES) expect(() => database.prepare(sql).all()).not.toThrow();
    for (const [call] of FUNCTION_GUIDE) {
      expect(() =>
        database.prepare(`SELECT ${call} FROM (SELECT 'a:b' AS key, 5 AS bytes)`).all(),
      ).not.toThrow();
    }
  });
});
