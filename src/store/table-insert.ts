import type { Database } from 'better-sqlite3';
import { sql } from './sql.js';

type Value = string | number | bigint | Buffer | null | undefined;

/** Inserts rows given as column names and values; every row of one inserter has the columns of the first. */
export function inserter(database: Database, table: string): (row: Readonly<Record<string, Value>>) => void {
  let insert: ((row: Readonly<Record<string, Value>>) => void) | undefined;
  return (row) => {
    insert ??= prepare(database, table, Object.keys(row));
    insert(row);
  };
}

function prepare(
  database: Database,
  table: string,
  names: readonly string[],
): (row: Readonly<Record<string, Value>>) => void {
  const parameters = names.map(() => '?').join(', ');
  const statement = database.prepare(sql`INSERT INTO ${table} (${names.join(', ')}) VALUES (${parameters})`);
  const values: Value[] = [];
  return (row) => {
    for (let i = 0; i < names.length; i++) values[i] = row[names[i]!] ?? null;
    statement.run(values);
  };
}
