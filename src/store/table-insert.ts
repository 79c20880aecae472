import type { Database, Statement } from 'better-sqlite3';
import { sql } from './sql.js';

type Value = string | number | bigint | Buffer | null | undefined;

/** Inserts rows given as column names and values; columns that are left out are NULL. One statement per set of names. */
export function inserter(database: Database, table: string): (row: Readonly<Record<string, Value>>) => void {
  let statement: Statement | undefined;
  let shape = '';
  return (row) => {
    const names = Object.keys(row);
    if (statement === undefined || names.join() !== shape) {
      shape = names.join();
      const parameters = names.map(() => '?').join(', ');
      statement = database.prepare(sql`INSERT INTO ${table} (${names.join(', ')}) VALUES (${parameters})`);
    }
    statement.run(names.map((name) => row[name] ?? null));
  };
}
