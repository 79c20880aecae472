import type { Database, Statement } from 'better-sqlite3';
import { sql } from './sql.js';

type Value = string | number | bigint | Buffer | null | undefined;
/** Values by column name. */
export type TableRow = Readonly<Record<string, Value>>;

/** Rows of one statement of `insertRows`: a call into SQLite costs more than a row. */
const ROWS_PER_INSERT = 50;

/** Inserts rows given as column names and values; every row of one inserter has the columns of the first. */
export function inserter(database: Database, table: string): (row: TableRow) => void {
  let names: readonly string[] = [];
  let insert: Statement | undefined;
  const values: Value[] = [];
  return (row) => {
    if (insert === undefined) {
      names = Object.keys(row);
      insert = prepare(database, table, names, 1);
    }
    for (let i = 0; i < names.length; i++) values[i] = row[names[i]!] ?? null;
    insert.run(values);
  };
}

/** The same for many rows at once. */
export function insertRows(database: Database, table: string, rows: Iterable<TableRow>): void {
  let names: readonly string[] = [];
  let insertMany: Statement | undefined;
  let values: Value[] = [];
  for (const row of rows) {
    if (insertMany === undefined) {
      names = Object.keys(row);
      insertMany = prepare(database, table, names, ROWS_PER_INSERT);
    }
    for (let i = 0; i < names.length; i++) values.push(row[names[i]!] ?? null);
    if (values.length === ROWS_PER_INSERT * names.length) {
      insertMany.run(values);
      values = [];
    }
  }
  if (values.length > 0) prepare(database, table, names, values.length / names.length).run(values);
}

function prepare(database: Database, table: string, names: readonly string[], rows: number): Statement {
  const parameters = `(${names.map(() => '?').join(', ')})`;
  const list = Array.from({ length: rows }, () => parameters).join(', ');
  return database.prepare(sql`INSERT INTO ${table} (${names.join(', ')}) VALUES ${list}`);
}
