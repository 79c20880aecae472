import type { Database, Statement } from 'better-sqlite3';
import { sql } from './sql.js';

export type Value = string | number | bigint | Buffer | null | undefined;
/** Values by column name. */
type TableRow = Readonly<Record<string, Value>>;

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

/**
 * Inserts many rows at once.
 * @param put adds the values of a row to those that are there, in the columns' order
 */
export function insertRows<Row>(
  database: Database,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  put: (row: Row, values: Value[]) => void,
): void {
  const values: Value[] = [];
  let statement: Statement | undefined;
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const count = Math.min(ROWS_PER_INSERT, rows.length - from);
    if (statement === undefined || count < ROWS_PER_INSERT)
      statement = prepare(database, table, columns, count);
    for (let row = from; row < from + count; row++) put(rows[row]!, values);
    statement.run(values);
    values.length = 0;
  }
}

function prepare(database: Database, table: string, names: readonly string[], rows: number): Statement {
  const parameters = `(${names.map(() => '?').join(', ')})`;
  const list = Array.from({ length: rows }, () => parameters).join(', ');
  return database.prepare(sql`INSERT INTO ${table} (${names.join(', ')}) VALUES ${list}`);
}
