import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DATA_TYPES } from '../rdb-parser/records.js';
import { type Format, type RenderOptions, renderers } from '../render/index.js';
import type { CliContext } from './context.js';
import { UsageError } from './usage-error.js';
import { toolVersion } from './version.js';

/** Options of every command that prints documents. */
export interface OutputOptions {
  readonly format?: Format;
  readonly output?: string;
  readonly color: boolean;
  readonly showSql?: boolean;
  readonly raw?: boolean;
  readonly force?: boolean;
}

/** Options that become parameters of the reports that have them. */
export interface FilterOptions {
  readonly top?: string;
  readonly minBytes?: string;
  readonly db?: string;
  readonly type?: string;
  readonly match?: string;
  readonly prefix?: string;
  readonly param?: Readonly<Record<string, string>>;
}

export function addOutputOptions(command: Command): Command {
  return addFormatOptions(command)
    .option('-o, --output <file>', 'write there instead of standard output')
    .option('--show-sql', "print each table's SQL, ready to paste");
}

/** @param usual what the format is when none is given */
export function addFormatOptions(command: Command, usual = "table, or by the output file's name"): Command {
  const formats = Object.keys(renderers);
  return command
    .addOption(new Option('-f, --format <format>', `output format (default: ${usual})`).choices(formats))
    .option('--raw', 'CSV without the guard against spreadsheet formulas')
    .option('--no-color', 'no colours, even at a terminal');
}

export function addFilterOptions(command: Command): Command {
  return command
    .option('--top <rows>', 'rows per table; 0 shows all')
    .option('--min-bytes <size>', 'only what takes at least this much memory: 10KB, 1.5GB')
    .option('--db <number>', 'only this database')
    .addOption(typeOption('only this type: string, list, set, zset, hash, stream, ...'))
    .option('--match <glob>', "only keys that match: 'user:*'")
    .option('--prefix <prefix>', "only below this prefix: 'user:{n}'")
    .addOption(paramOption());
}

export function paramOption(): Option {
  return new Option('-p, --param <name=value>', 'set a parameter; may be given several times').argParser(
    (text: string, before: Readonly<Record<string, string>> | undefined) => {
      const at = text.indexOf('=');
      if (at <= 0) throw new InvalidArgumentError('Give it as name=value.');
      return { ...before, [text.slice(0, at).replaceAll('-', '_')]: text.slice(at + 1) };
    },
  );
}

/** A slip in a type's name would else give an empty report. */
export function typeOption(description: string): Option {
  return new Option('--type <type>', description).argParser((text: string) => {
    if (DATA_TYPES.some((type) => type === text)) return text;
    throw new InvalidArgumentError(`There are ${DATA_TYPES.join(', ')}.`);
  });
}

export function reportsOption(): Option {
  return new Option(
    '--reports <folder>',
    'add a folder of your own reports; may be given several times',
  ).argParser((folder: string, before: readonly string[] | undefined) => [...(before ?? []), folder]);
}

/** A count from the command line. */
export function parseCount(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** The filters that were given, under the names that reports call them by. */
export function filterSettings(options: FilterOptions): Record<string, string> {
  const { top, minBytes, db, type, match, prefix } = options;
  const given = { top, min_bytes: minBytes, db, type, match, prefix };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/** @throws UsageError when the output file's name tells no format and none is given */
export function chooseFormat({ format, output }: OutputOptions): Format {
  if (format !== undefined) return format;
  if (output === undefined) return 'table';
  const extension = extname(output).slice(1).toLowerCase();
  const found = Object.entries(renderers).find(([, renderer]) => renderer.extension === extension);
  if (found !== undefined) return found[0] as Format;
  if (extension === 'htm') return 'html';
  throw new UsageError(`--format is needed: the name "${output}" ends in none of the known ways`);
}

export function renderOptions(options: OutputOptions, context: CliContext): RenderOptions {
  const { stdout, env } = context;
  const toTerminal = stdout.isTerminal && options.output === undefined;
  return {
    width: toTerminal ? terminalWidth(stdout.columns, env) : UNKNOWN_WIDTH,
    color: toTerminal && options.color && !isSet(env.NO_COLOR) && env.TERM !== 'dumb',
    showSql: options.showSql ?? false,
    raw: options.raw ?? false,
    generator: `rdbscope ${toolVersion()}`,
  };
}

const UNKNOWN_WIDTH = 80;
const LEAST_WIDTH = 40;

function terminalWidth(columns: number | undefined, env: CliContext['env']): number {
  const width = columns ?? Number(env.COLUMNS ?? UNKNOWN_WIDTH);
  return Number.isInteger(width) && width >= LEAST_WIDTH
    ? width
    : width > 0 && width < LEAST_WIDTH
      ? LEAST_WIDTH
      : UNKNOWN_WIDTH;
}

/** Source: no-color.org: set and not empty. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
