import { createInterface, type Interface } from 'node:readline';
import { formatCell, formatDuration, visibleText } from '../render/format-cell.js';
import { type Format, renderers } from '../render/index.js';
import { findReport, loadCatalog } from '../report/catalog.js';
import { runReport } from '../report/run.js';
import { endsStatement, hasCode } from '../report/sql-text.js';
import { listDocument } from './commands/reports.js';
import { schemaDocument, tablesDocument } from './commands/schema.js';
import { runStatement, type SqlOptions } from './commands/sql.js';
import type { CliContext } from './context.js';
import { describeFailure, printableMessage } from './failure.js';
import { openDatabase } from './open-database.js';
import { printDocuments } from './output.js';
import { SCHEMA_GUIDE } from './schema-guide.js';
import { HISTORY_LINES, historyPath, ShellHistory } from './shell-history.js';
import { toolVersion } from './version.js';

const PROMPT = 'sql> ';
const CONTINUED = '...> ';

/** What other shells are left with, and what is tried first: no statement starts so. */
const BARE_WORD = /^(exit|quit|help);?$/;

const HELP = `  a statement ends with a semicolon and may have several lines
  .tables              the tables and views
  .schema TABLE        the columns of one
  .reports             the reports; .report ID [NAME=VALUE...] runs one
  .format FORMAT       ${Object.keys(renderers).join(', ')}
  .quit                leave (or Ctrl-D); Ctrl-C stops a query
`;

/** Reads statements from a terminal until its end; history, several lines, completion, dot commands. */
export async function runShell(path: string, options: SqlOptions, context: CliContext): Promise<void> {
  await context.stdout.write(await greeting(path));
  await new Shell(path, options, context).run();
}

async function greeting(path: string): Promise<string> {
  const database = openDatabase(path);
  try {
    const keys = database.prepare('SELECT COALESCE(SUM(keys_read), 0) FROM files').pluck().get();
    const shown = formatCell(Number(keys), 'count');
    return `rdbscope ${toolVersion()}  ${visibleText(path)}  ${shown} keys  read-only\n.help  .tables  .reports  .quit\n`;
  } finally {
    database.close();
  }
}

class Shell {
  readonly #path: string;
  readonly #context: CliContext;
  #options: SqlOptions;
  #pending = '';
  #running: AbortController | undefined;

  constructor(path: string, options: SqlOptions, context: CliContext) {
    this.#path = path;
    this.#options = options;
    this.#context = context;
  }

  async run(): Promise<void> {
    const { stdin, stdout, stdinIsTerminal, env } = this.#context;
    const terminal = stdout.isTerminal && stdinIsTerminal;
    const history = new ShellHistory(terminal && this.#options.history ? historyPath(env) : undefined);
    const lines = createInterface({
      input: stdin,
      // Echo and prompt go to standard output only when somebody looks at it.
      ...(stdout.isTerminal && { output: process.stdout }),
      terminal,
      completer: (line: string) => complete(line),
      history: [...history.lines],
      historySize: HISTORY_LINES,
      removeHistoryDuplicates: true,
    });
    lines.on('SIGINT', () => this.#interrupt(lines));
    // Ctrl-D may come while a statement runs; a prompt after it would have the process wait for input for ever.
    let ended = false;
    lines.once('close', () => {
      ended = true;
    });
    lines.setPrompt(PROMPT);
    lines.prompt();
    try {
      for await (const line of lines) {
        history.add(line);
        if (!(await this.#line(line))) return;
        if (ended) continue;
        lines.setPrompt(this.#pending === '' ? PROMPT : CONTINUED);
        lines.prompt();
      }
      await this.#context.stdout.write('\n');
    } finally {
      lines.close();
    }
  }

  /** Stops a query, else forgets the lines typed so far. */
  #interrupt(lines: Interface): void {
    if (this.#running !== undefined) {
      this.#running.abort(new Error('stopped'));
      return;
    }
    this.#pending = '';
    lines.write(null, { ctrl: true, name: 'u' });
    lines.setPrompt(PROMPT);
    process.stdout.write('\n');
    lines.prompt();
  }

  /** False: leave. */
  async #line(line: string): Promise<boolean> {
    const text = line.trim().replace(BARE_WORD, '.$1');
    if (this.#pending === '' && text.startsWith('.')) {
      const [word = '', ...rest] = text.split(/\s+/);
      if (word === '.quit' || word === '.exit') return false;
      await this.#guarded(() => this.#command(word, rest));
      return true;
    }
    this.#pending += `${line}\n`;
    if (!hasCode(this.#pending)) this.#pending = '';
    if (!endsStatement(this.#pending)) return true;
    const statement = this.#pending;
    this.#pending = '';
    await this.#guarded(() => this.#statement(statement));
    return true;
  }

  async #statement(sql: string): Promise<void> {
    const started = performance.now();
    this.#running = new AbortController();
    try {
      await runStatement(this.#path, sql, this.#options, { ...this.#context, signal: this.#running.signal });
    } finally {
      this.#running = undefined;
    }
    await this.#context.stderr.write(`(${formatDuration(performance.now() - started)})\n`);
  }

  async #command(word: string, rest: readonly string[]): Promise<void> {
    const { stdout } = this.#context;
    switch (word) {
      case '.help':
        return stdout.write(HELP);
      case '.tables':
        return printDocuments([tablesDocument()], this.#options, this.#context);
      case '.schema':
        return printDocuments([schemaDocument(rest, false)], this.#options, this.#context);
      case '.reports':
        return printDocuments([listDocument([...loadCatalog().values()])], this.#options, this.#context);
      case '.report':
        return this.#report(rest);
      case '.format':
        if (rest[0] === undefined || !Object.hasOwn(renderers, rest[0])) {
          throw new Error(`there are ${Object.keys(renderers).join(', ')}`);
        }
        this.#options = { ...this.#options, format: rest[0] as Format };
        return;
      default:
        throw new Error(`there is no ${word}; .help tells what there is`);
    }
  }

  async #report([id = '', ...settings]: readonly string[]): Promise<void> {
    const definition = findReport(loadCatalog(), id);
    const parameters = settings.map((setting) => setting.split(/=(.*)/s, 2) as [string, string]);
    const database = openDatabase(this.#path);
    try {
      const document = runReport(database, definition, Object.fromEntries(parameters));
      await printDocuments([document], this.#options, this.#context);
    } finally {
      database.close();
    }
  }

  /** Tells an error and goes on. */
  async #guarded(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const known = describeFailure(error);
      const text = known.exitCode === 1 && error instanceof Error ? error.message : known.text;
      await this.#context.stderr.write(`${printableMessage(text)}\n`);
    }
  }
}

const KEYWORDS = [
  'SELECT',
  'FROM',
  'WHERE',
  'GROUP BY',
  'ORDER BY',
  'HAVING',
  'LIMIT',
  'DESC',
  'COUNT(*)',
  'SUM(',
  'AVG(',
  'MAX(',
  'MIN(',
  'BETWEEN',
  'LIKE',
  'GLOB',
  'IS NULL',
  'IS NOT NULL',
  'DISTINCT',
  'JOIN',
  'WITH',
  'key_prefix(',
  'hash_slot(',
  'hash_tag(',
  'size_bucket(',
  'printable(',
];
const DOT_COMMANDS = ['.help', '.tables', '.schema', '.reports', '.report', '.format', '.quit'];

/** Words that complete the last one of the line: tables, columns, keywords, dot commands and what follows them. */
export function complete(line: string): [string[], string] {
  const word = /[\w.]*$/.exec(line)![0];
  if (line.startsWith('.')) {
    const [command] = line.split(/\s+/, 1);
    const offer = !/\s/.test(line)
      ? DOT_COMMANDS
      : command === '.schema'
        ? Object.keys(SCHEMA_GUIDE)
        : command === '.format'
          ? Object.keys(renderers)
          : command === '.report'
            ? [...loadCatalog().keys()]
            : [];
    const last = /\S*$/.exec(line)![0];
    return [offer.filter((one) => one.startsWith(last)), last];
  }
  if (word === '') return [[], word];
  const columns = Object.values(SCHEMA_GUIDE).flatMap((guide) => Object.keys(guide.columns));
  const words = [...new Set([...Object.keys(SCHEMA_GUIDE), ...columns, ...KEYWORDS])].sort();
  return [words.filter((one) => one.toLowerCase().startsWith(word.toLowerCase())), word];
}
