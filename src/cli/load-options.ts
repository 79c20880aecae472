import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { type LoadResult, loadSnapshot } from '../load.js';
import { visibleText } from '../render/format-cell.js';
import type { CliContext } from './context.js';
import { addModelOptions, type ModelCommandOptions, modelOptions } from './model-options.js';
import { ProgressLine } from './progress.js';
import { patternRulesOption, readPatternRules } from './rules-file.js';
import { UsageError } from './usage-error.js';

/** Options of every command that reads snapshots. */
export interface LoadCommandOptions extends ModelCommandOptions {
  readonly output?: string;
  readonly separators?: string;
  readonly patternRules?: string;
  readonly deep?: boolean;
  readonly duplicates: boolean;
  readonly safeInsert?: boolean;
  readonly progress: boolean;
}

export function addLoadOptions(command: Command): Command {
  command
    .option(
      '--separators <characters>',
      'what parts a key\'s segments, e.g. ":./"; "auto" looks at the keys (default: ":")',
    )
    .addOption(patternRulesOption())
    .option('--deep', 'look into packed collections for their longest element (slower)')
    .option('--no-duplicates', 'do not look for keys that stand in the file twice')
    .addOption(new Option('--safe-insert', 'write every row by INSERT (slow; for comparing)').hideHelp())
    .option('--no-progress', 'no progress line');
  return addModelOptions(command);
}

/** How files end that `report -o` writes: a database of such a name is a slip. */
const REPORT_NAME = /\.(html?|md|txt|csv|jsonl?)$/i;

/** Loads with a progress line; warnings about the inputs go to stderr. */
export async function loadWithProgress(
  inputs: readonly string[],
  options: LoadCommandOptions,
  context: CliContext,
): Promise<LoadResult> {
  const { patternRules, output } = options;
  if (output !== undefined && REPORT_NAME.test(output)) {
    throw new UsageError(
      `${output}: -o names the database, and this is a name for a report. Leave it out, then: rdbscope report ${databaseName(inputs)} -o ${output}`,
    );
  }
  const rules = patternRules === undefined ? undefined : readPatternRules(patternRules);
  const progress = new ProgressLine(context.stderr);
  try {
    const result = await loadSnapshot(
      {
        input: inputs,
        output: output ?? databaseName(inputs),
        separators: options.separators,
        patternRules: rules,
        ...modelOptions(options),
        deep: options.deep,
        findDuplicates: options.duplicates,
        safeInsert: options.safeInsert,
        signal: context.signal,
        stdin: context.stdin,
        options: { ...options },
      },
      options.progress ? progress.update : undefined,
    );
    await progress.clear();
    for (const file of result.files) {
      for (const warning of file.warnings) {
        await context.stderr.write(`rdbscope: ${visibleText(file.input)}: ${visibleText(warning)}\n`);
      }
    }
    return result;
  } catch (error) {
    await progress.clear();
    throw error;
  }
}

/** `dumps/dump.rdb.gz` → `dump.sqlite`, in the current folder: backups lie in folders that are read-only. */
export function databaseName(inputs: readonly string[]): string {
  const name = basename(inputs[0] === undefined || inputs[0] === '-' ? 'snapshot' : inputs[0]);
  const stem = name.replace(/(\.(gz|gzip|zst|zstd|lz4|rdb|aof|manifest))+$/i, '');
  return `${stem === '' ? 'snapshot' : stem}.sqlite`;
}
