import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { Command } from 'commander';
import type { LoadResult } from '../../load.js';
import { formatBytes, formatCell, formatDuration, visibleText } from '../../render/format-cell.js';
import type { CliContext } from '../context.js';
import { addLoadOptions, type LoadCommandOptions, loadWithProgress } from '../load-options.js';
import { throwOnFault } from '../snapshot-fault.js';

export function loadCommand(context: CliContext): Command {
  const command = new Command('load')
    .description(
      'Writes one row per key, and sums over prefixes, types and expiry times, into a SQLite database.',
    )
    .argument('<snapshot...>', 'an RDB file, "-" for standard input, or several files of one data set')
    .option(
      '-o, --output <file>',
      "the database (default: the snapshot's name with .sqlite, in the current folder)",
    );
  return addLoadOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  rdbscope load dump.rdb                          writes dump.sqlite
  rdbscope load -o /var/tmp/night.sqlite dump.rdb.gz
  ssh backup cat dump.rdb.zst | rdbscope load -   writes snapshot.sqlite
  rdbscope load shard-1.rdb shard-2.rdb -o cluster.sqlite`,
    )
    .action(async (inputs: string[], options: LoadCommandOptions) => {
      const result = await loadWithProgress(inputs, options, context);
      const keys = result.files.reduce((sum, file) => sum + file.facts.keysRead, 0);
      await context.stderr.write(
        `${formatCell(keys, 'count')} key${keys === 1 ? '' : 's'} written to ${describeDatabase(result)}.\n`,
      );
      throwOnFault(result.files, result.databasePath);
    });
}

/** "dump.sqlite (4.80 GB) in 36 s". */
export function describeDatabase({ databasePath, elapsedMs }: LoadResult): string {
  const { size } = statSync(databasePath);
  return `${visibleText(shownPath(databasePath))} (${formatBytes(size)}) in ${formatDuration(elapsedMs)}`;
}

/** The path from the current folder, when that is shorter. */
export function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere !== '' && fromHere.length < path.length ? fromHere : path;
}
