import { Command, Option } from 'commander';
import type { ModelOptions } from '../../load-protocol.js';
import { ALLOCATOR_NAMES, type AllocatorName } from '../../memory/allocator.js';
import { whatIfDocument } from '../../what-if/what-if-document.js';
import { askWhatIf } from '../ask-what-if.js';
import type { CliContext } from '../context.js';
import {
  addServerOptions,
  addThresholdOptions,
  givenThresholds,
  type ModelCommandOptions,
  parseServerVersion,
  parseWordSize,
  readServerConfig,
  serverOptions,
} from '../model-options.js';
import { addFormatOptions, type OutputOptions, parseCount } from '../options.js';
import { printDocuments } from '../output.js';
import { patternRulesOption, readPatternRules } from '../rules-file.js';

interface WhatIfCommandOptions extends ModelCommandOptions, OutputOptions {
  readonly server?: string;
  readonly toAllocator?: AllocatorName;
  readonly toWordSize?: 32 | 64;
  readonly toCluster?: boolean;
  readonly toConfig?: string;
  readonly separators?: string;
  readonly patternRules?: string;
  readonly top: number;
  readonly progress: boolean;
}

export function whatIfCommand(context: CliContext): Command {
  const command = new Command('what-if')
    .description(
      'Reads a snapshot with two memory models at once, the server as it is and another, and shows the difference: in all, by type, by encoding, by prefix, by key.',
    )
    .argument(
      '<snapshot...>',
      'an RDB file, "-" for standard input, several files of one data set, or a database whose snapshots are still there',
    )
    .option('-o, --output <file>', 'write there instead of standard output')
    .option('--top <rows>', 'rows per table; 0 shows all', parseCount, 10)
    .option('--separators <characters>', 'what parts a key\'s segments (default: ":", or the database\'s)')
    .addOption(patternRulesOption())
    .option('--no-progress', 'no progress line');
  addFormatOptions(command)
    .optionsGroup('What would be another:')
    .addOption(new Option('--server <version>', 'the version: 8.2, valkey-8.1').argParser(parseServerVersion))
    .addOption(new Option('--to-allocator <name>', 'the allocator').choices(ALLOCATOR_NAMES))
    .addOption(new Option('--to-word-size <bits>', '32 or 64').argParser(parseWordSize))
    .option('--to-cluster', 'cluster mode')
    .option('--to-config <file>', 'the limits and cluster mode of this redis.conf');
  addThresholdOptions(command, 'Encoding limits that would be another, named as in redis.conf:');
  return addServerOptions(command, 'The server as it is (default: what the file tells, or the database):')
    .addHelpText(
      'after',
      `
Examples:
  rdbscope what-if dump.rdb --server 8.2
  rdbscope what-if dump.rdb --hash-max-listpack-entries 1024 --hash-max-listpack-value 128
  rdbscope what-if dump.sqlite --server valkey-9.1 --top 30
  rdbscope what-if dump.rdb --server-version 7.0 --allocator jemalloc-q16 --server 8.4 --to-allocator jemalloc`,
    )
    .action(async (inputs: string[], options: WhatIfCommandOptions) => {
      const { patternRules } = options;
      const question = {
        inputs,
        now: serverOptions(options),
        change: changeOf(options),
        separators: options.separators,
        patternRules: patternRules === undefined ? undefined : readPatternRules(patternRules),
        top: options.top,
        progress: options.progress,
      };
      const result = await askWhatIf(question, context);
      await printDocuments([whatIfDocument(result, options.top)], options, context);
      if (result.error !== undefined) throw result.error;
    });
}

function changeOf(options: WhatIfCommandOptions): ModelOptions {
  const config = options.toConfig === undefined ? undefined : readServerConfig(options.toConfig);
  return {
    serverVersion: options.server,
    wordBits: options.toWordSize,
    allocator: options.toAllocator,
    cluster: options.toCluster ?? config?.cluster,
    thresholds: { ...config?.thresholds, ...givenThresholds(options) },
  };
}
