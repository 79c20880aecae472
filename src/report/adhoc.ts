import type Database from 'better-sqlite3';
import { type SqliteValue, toCell } from './cell.js';
import { inferColumns } from './column-kinds.js';
import type { ParameterValue } from './definition.js';
import type { Cell, ReportDocument } from './document.js';
import { ReportError } from './errors.js';
import { similarName } from './similar-name.js';
import { firstWord, hasCode, parameterNames, writeOutParameters } from './sql-text.js';

/** A user's own statement. */
export interface AdhocQuery {
  readonly sql: string;
  /** Values of `:name`, as text; what looks like a number is bound as one. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface AdhocRows {
  readonly names: readonly string[];
  readonly rows: Iterable<readonly Cell[]>;
}

/** What may stand first in a statement: all that only reads. ATTACH and PRAGMA count as reading for SQLite, not for us. */
const READING_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES', 'EXPLAIN']);

/**
 * Prepares one reading statement and starts it; rows come one by one, so none is held here.
 * @throws ReportError `bad-sql`, `not-read-only`, `bad-parameter`; while iterating `bad-sql`, `out-of-memory`
 */
export function startQuery(database: Database.Database, query: AdhocQuery): AdhocRows {
  const { sql } = query;
  if (!hasCode(sql) || /^[;\s]*$/.test(sql))
    throw new ReportError('bad-sql', 'there is no statement: write one that starts with SELECT');
  const word = firstWord(sql);
  if (!READING_WORDS.has(word)) {
    throw new ReportError(
      'not-read-only',
      `the database is only read: a statement starts with SELECT, WITH, VALUES or EXPLAIN, not "${word}"`,
    );
  }
  return guarded(() => {
    const statement = prepared(database, sql.trim().replace(/;\s*$/, ''));
    if (!statement.reader || !statement.readonly)
      throw new ReportError('not-read-only', 'the database is only read');
    const bound = boundParameters(sql, query.parameters);
    statement.raw().safeIntegers();
    const names = statement.columns().map((column) => column.name);
    return { names, rows: cells(statement.iterate(bound) as Iterable<SqliteValue[]>) };
  });
}

/** The rows of a query as a document with one table. */
export function adhocDocument(
  query: AdhocQuery,
  names: readonly string[],
  rows: readonly (readonly Cell[])[],
): ReportDocument {
  return {
    id: 'sql',
    title: '',
    summary: 'The rows of a statement.',
    parameters: query.parameters,
    notes: [],
    sections: [
      {
        id: 'rows',
        title: '',
        layout: 'table',
        notes: [],
        empty: ['No rows.'],
        columns: inferColumns(names, rows),
        rows,
        remarks: {},
        charts: [],
        sql: writeOutParameters(query.sql, typedParameters(query.parameters)).trim().replace(/;$/, ''),
      },
    ],
  };
}

function boundParameters(
  sql: string,
  parameters: Readonly<Record<string, string>>,
): Record<string, ParameterValue> {
  const typed = typedParameters(parameters);
  const used = parameterNames(sql);
  for (const name of used) {
    if (!typed.has(name))
      throw new ReportError('bad-parameter', `the statement uses :${name}; set it with --param ${name}=...`);
  }
  for (const name of typed.keys()) {
    if (!used.has(name)) throw new ReportError('bad-parameter', `the statement does not use :${name}`);
  }
  return Object.fromEntries(typed);
}

function typedParameters(parameters: Readonly<Record<string, string>>): Map<string, ParameterValue> {
  return new Map(Object.entries(parameters).map(([name, text]) => [name, typedValue(text)]));
}

function typedValue(text: string): ParameterValue {
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text);
  return /^-?\d+\.\d+$/.test(text) ? Number(text) : text;
}

function* cells(rows: Iterable<SqliteValue[]>): Generator<Cell[]> {
  const iterator = rows[Symbol.iterator]();
  try {
    for (;;) {
      const next = guarded(() => iterator.next());
      if (next.done === true) return;
      yield next.value.map(toCell);
    }
  } finally {
    iterator.return?.();
  }
}

/** @throws SQLite's own error, for a table that is not there with what may be meant and where to look */
function prepared(database: Database.Database, sql: string): Database.Statement {
  try {
    return database.prepare(sql);
  } catch (error) {
    const [, kind = '', name = ''] = /^no such (table|column): (.+)$/.exec((error as Error).message) ?? [];
    if (kind === '') throw error;
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name`)
      .pluck()
      .all() as string[];
    const meant = kind === 'table' ? similarName(name, tables) : undefined;
    const question = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    const what = kind === 'table' ? 'the tables' : 'tables and their columns';
    throw new ReportError('bad-sql', `no such ${kind}: ${name}${question}; "rdbscope schema" lists ${what}`, {
      cause: error,
    });
  }
}

/** SQLite's own errors as ours. */
function guarded<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ReportError) throw error;
    const { message } = error as Error;
    if ('code' in (error as Error) && (error as { code: unknown }).code === 'SQLITE_NOMEM') {
      throw new ReportError(
        'out-of-memory',
        'the query needs more memory than is allowed: narrow it, or sort and group less',
        {
          cause: error,
        },
      );
    }
    const only = message.includes('more than one statement') ? 'one statement at a time' : message;
    throw new ReportError('bad-sql', only, { cause: error });
  }
}
