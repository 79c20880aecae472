import { Command } from 'commander';
import { inspectKey } from '../../inspect/inspect.js';
import { layoutDocument } from '../../inspect/layout-document.js';
import { parsePrintable } from '../../rdb-parser/printable.js';
import type { CliContext } from '../context.js';
import { addFormatOptions, type OutputOptions, parseCount } from '../options.js';
import { printDocuments } from '../output.js';
import { ProgressLine } from '../progress.js';
import { UsageError } from '../usage-error.js';

interface InspectCommandOptions extends OutputOptions {
  readonly db?: number;
  readonly offset?: number;
  readonly top: number;
  readonly serverVersion?: string;
  readonly json?: boolean;
  readonly progress: boolean;
}

export function inspectCommand(context: CliContext): Command {
  const command = new Command('inspect')
    .description(
      "Reads one key of a snapshot again: its layout, nodes, longest elements, fields' expiries, stream groups and consumers.",
    )
    .argument('<snapshot>', 'an RDB file, "-" for standard input, or the database that was loaded from one')
    .argument('[key]', 'the key as it is printed: bytes that are no text as \\xNN')
    .option('--db <number>', 'the database (default: the first that has the key)', parseCount)
    .option('--offset <byte>', 'where the key stands: file_offset of the table keys', parseCount)
    .option('--top <rows>', 'rows per table, at most 1000', parseCount, 10)
    .option('--server-version <version>', 'model memory as this server would: 7.2, valkey-8.1')
    .option('--json', 'the same as --format json')
    .option('--no-progress', 'no progress line');
  return addFormatOptions(command, 'table')
    .addHelpText(
      'after',
      `
Examples:
  rdbscope inspect dump.rdb user:1000
  rdbscope inspect dump.sqlite 'cache:\\x00\\xff'     at once: the database knows where the key stands
  rdbscope inspect dump.rdb --offset 123456 --json`,
    )
    .action(async (input: string, key: string | undefined, options: InspectCommandOptions) => {
      if (key === undefined && options.offset === undefined) throw new UsageError('give a key or --offset');
      const progress = new ProgressLine(context.stderr);
      try {
        const inspection = await inspectKey({
          input,
          key: key === undefined ? undefined : parsePrintable(key),
          db: options.db,
          offset: options.offset,
          top: Math.min(Math.max(options.top, 1), MOST_ROWS),
          serverVersion: options.serverVersion,
          stdin: context.stdin,
          signal: context.signal,
          onProgress: options.progress ? progress.update : undefined,
        });
        await progress.clear();
        const output = options.json === true ? { ...options, format: 'json' as const } : options;
        await printDocuments([layoutDocument(inspection)], output, context);
      } catch (error) {
        await progress.clear();
        throw error;
      }
    });
}

const MOST_ROWS = 1000;
