import { createWriteStream } from 'node:fs';
import { Command } from 'commander';
import { formatCell } from '../../render/format-cell.js';
import { type RowStream, renderers } from '../../render/index.js';
import { type AdhocQuery, adhocDocument } from '../../report/adhoc.js';
import type { Cell, ReportDocument } from '../../report/document.js';
import { type CliContext, type CliOutput, streamOutput } from '../context.js';
import { readNamedFile } from '../named-file.js';
import { openDatabase } from '../open-database.js';
import {
  addFormatOptions,
  chooseFormat,
  type OutputOptions,
  paramOption,
  parseCount,
  renderOptions,
} from '../options.js';
import { printDocuments } from '../output.js';
import { refuseOverwriting } from '../output-file.js';
import { type QueryLimits, RunningQuery } from '../query-runner.js';
import { addRedactOptions, isRedacting, makeRedactor, type RedactOptions } from '../redact-option.js';
import { runShell } from '../shell.js';
import { HISTORY_LINES } from '../shell-history.js';
import { UsageError } from '../usage-error.js';

export interface SqlOptions extends OutputOptions, RedactOptions {
  readonly file?: string;
  readonly param?: Readonly<Record<string, string>>;
  readonly maxRows: number;
  readonly timeout: number;
  readonly history: boolean;
}

/** Rows that are held at once for a format that needs to see all of them. */
const HELD_ROWS = 100_000;

export function sqlCommand(context: CliContext): Command {
  const command = new Command('sql')
    .description(
      'Runs one reading statement. Without one it is read from --file or standard input; at a terminal a shell starts.',
    )
    .argument('<database>', 'the .sqlite file that "load" or "analyze" wrote')
    .argument('[statement]', 'one SELECT; "rdbscope schema" shows what there is')
    .option('--file <file>', 'read the statement from a file')
    .addOption(paramOption())
    .option('-o, --output <file>', 'write there instead of standard output')
    .option('--max-rows <number>', 'stop after so many rows; 0 for no limit', parseCount, 1000)
    .option('--timeout <seconds>', 'stop a query that runs longer; 0 for no limit', parseCount, 300)
    .option('--no-history', 'neither read nor keep what is typed into the shell');
  return addRedactOptions(addFormatOptions(command))
    .addHelpText(
      'after',
      `
Examples:
  rdbscope sql dump.sqlite "SELECT key, memory_bytes FROM keys ORDER BY memory_bytes DESC LIMIT 5"
  rdbscope sql dump.sqlite "SELECT * FROM keys WHERE type = :type" -p type=hash --format csv --max-rows 0 > hashes.csv
  rdbscope sql dump.sqlite --file question.sql --format json
  rdbscope sql dump.sqlite                        a shell

The shell keeps its last ${HISTORY_LINES} lines in $XDG_STATE_HOME/rdbscope/sql-history (else below ~/.local/state), for you alone;
RDBSCOPE_HISTORY names another file, and "off" or nothing keeps none.`,
    )
    .action(async (path: string, statement: string | undefined, options: SqlOptions) => {
      openDatabase(path).close(); // A wrong file is told here, in our words.
      const text = await readStatement(statement, options, context);
      if (text === undefined) await runShell(path, options, context);
      else await runStatement(path, text, options, context);
    });
}

/** The statement, or undefined when somebody sits there to type one. */
async function readStatement(
  statement: string | undefined,
  options: SqlOptions,
  context: CliContext,
): Promise<string | undefined> {
  if (statement !== undefined && options.file !== undefined)
    throw new UsageError('give a statement or --file, not both');
  if (statement !== undefined) return statement;
  if (options.file !== undefined) return readNamedFile(options.file);
  if (context.stdinIsTerminal) return undefined;
  let text = '';
  context.stdin.setEncoding('utf8');
  for await (const chunk of context.stdin) text += String(chunk);
  return text;
}

/** Runs one statement and prints its rows; says so when the row limit cut them. */
export async function runStatement(
  path: string,
  sql: string,
  options: SqlOptions,
  context: CliContext,
): Promise<void> {
  const query: AdhocQuery = { sql, parameters: options.param ?? {} };
  const limits: QueryLimits = { timeoutMs: options.timeout * 1000, signal: context.signal };
  const renderer = renderers[chooseFormat(options)];
  const document = documentMaker(path, query, options);
  const running = await RunningQuery.start(path, query, limits);
  try {
    if (renderer.stream === undefined) await printHeld(running, document, options, context);
    else await printStreamed(running, document, options, context, renderer.stream);
  } finally {
    running.end();
  }
}

type DocumentMaker = (names: readonly string[], rows: readonly (readonly Cell[])[]) => ReportDocument;

/** Rows as a document; redacted, where it was asked for, with one secret for all of them. */
function documentMaker(path: string, query: AdhocQuery, options: SqlOptions): DocumentMaker {
  if (!isRedacting(options)) return (names, rows) => adhocDocument(query, names, rows);
  const database = openDatabase(path);
  try {
    const redactor = makeRedactor(options, database);
    return (names, rows) => redactor.document(withTextAsKeys(adhocDocument(query, names, rows)));
  } finally {
    database.close();
  }
}

/** Any text of a user's own statement may be a piece of a key. */
function withTextAsKeys(document: ReportDocument): ReportDocument {
  const sections = document.sections.map((section) => ({
    ...section,
    columns: section.columns.map((column) =>
      column.kind === 'text' ? { ...column, kind: 'key' as const } : column,
    ),
  }));
  return { ...document, sections };
}

/** For formats that need all rows, for the widths of a table for instance. */
async function printHeld(
  running: RunningQuery,
  document: DocumentMaker,
  options: SqlOptions,
  context: CliContext,
): Promise<void> {
  const limit = options.maxRows === 0 ? HELD_ROWS : Math.min(options.maxRows, HELD_ROWS);
  const rows: (readonly Cell[])[] = [];
  let cut = false;
  for await (const batch of running.batches()) {
    for (const row of batch) {
      if (rows.length === limit) cut = true;
      else rows.push(row);
    }
    if (cut) break;
  }
  await printDocuments([document(running.names, rows)], options, context);
  if (cut) await context.stderr.write(cutNotice(limit, limit === HELD_ROWS));
}

/** For formats that go row by row: any number of them passes through. */
async function printStreamed(
  running: RunningQuery,
  document: DocumentMaker,
  options: SqlOptions,
  context: CliContext,
  stream: RowStream,
): Promise<void> {
  const output = options.output === undefined ? context.stdout : fileOutput(options.output);
  const render = renderOptions(options, context);
  let left = options.maxRows === 0 ? Number.POSITIVE_INFINITY : options.maxRows;
  let first = true;
  let cut = false;
  for await (const batch of running.batches()) {
    const rows = batch.length <= left ? batch : batch.slice(0, left);
    cut = rows.length < batch.length;
    left -= rows.length;
    const { columns, rows: shown } = document(running.names, rows).sections[0]!;
    await output.write((first ? stream.head(columns, render) : '') + stream.rows(columns, shown, render));
    first = false;
    if (cut) break;
  }
  if (first) await output.write(stream.head(document(running.names, []).sections[0]!.columns, render));
  if (cut) await context.stderr.write(cutNotice(options.maxRows, false));
}

function fileOutput(path: string): CliOutput {
  refuseOverwriting(path);
  return streamOutput(createWriteStream(path));
}

function cutNotice(limit: number, isHeldLimit: boolean): string {
  const more = isHeldLimit ? 'csv and jsonl have no such limit' : '--max-rows allows more, 0 all';
  return `rdbscope: stopped after ${formatCell(limit, 'count')} rows; ${more}\n`;
}
