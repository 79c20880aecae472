import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  findingsDocument,
  loadRules,
  type RuleCatalog,
  runRules,
  TOPICS,
  type Topic,
} from '../../findings/index.js';
import { type Format, renderers } from '../../render/index.js';
import { sarif } from '../../render/sarif.js';
import { loadCatalog } from '../../report/catalog.js';
import type { ReportDocument } from '../../report/document.js';
import type { CliContext } from '../context.js';
import { openDatabase } from '../open-database.js';
import { type OutputOptions, paramOption, parseCount, renderOptions } from '../options.js';
import { printDocuments } from '../output.js';
import { addRedactOptions, type RedactOptions, redacted } from '../redact-option.js';
import { ruleListDocument } from '../rule-list.js';
import { UsageError } from '../usage-error.js';

interface FindingsOptions extends Omit<OutputOptions, 'format'>, RedactOptions {
  readonly format?: Format | 'sarif';
  readonly top: number;
  readonly topic?: Topic;
  readonly rule?: readonly string[];
  readonly severity?: FindingSeverity;
  readonly param?: Readonly<Record<string, string>>;
  readonly rules?: true;
  readonly ruleFolder?: readonly string[];
}

export function findingsCommand(context: CliContext): Command {
  const command = new Command('findings')
    .description(
      'Runs every design rule and prints one ranked list of what breaks them, with what to do about it.',
    )
    .argument('[database]', 'the .sqlite file that "load" or "analyze" wrote')
    .option('--top <number>', 'findings shown; 0 shows all', parseCount, 50)
    .addOption(new Option('--topic <topic>', 'only rules of this topic').choices(TOPICS))
    .addOption(severalOption('--rule <id>', 'only this rule; may be given several times'))
    .addOption(
      new Option('--severity <severity>', 'only findings at least this bad').choices(FINDING_SEVERITIES),
    )
    .addOption(paramOption())
    .option('--rules', 'list the rules and their parameters instead')
    .addOption(
      severalOption('--rule-folder <folder>', 'add a folder of your own rules; may be given several times'),
    )
    .option('-o, --output <file>', 'write there instead of standard output')
    .addOption(
      new Option(
        '-f, --format <format>',
        "output format (default: table, or by the output file's name); sarif is for code-scanning views",
      ).choices([...Object.keys(renderers), 'sarif']),
    )
    .option('--raw', 'CSV without the guard against spreadsheet formulas')
    .option('--no-color', 'no colours, even at a terminal');
  return addRedactOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  rdbscope findings dump.sqlite
  rdbscope findings dump.sqlite --topic naming --top 0 --format csv -o naming.csv
  rdbscope findings dump.sqlite --severity warning --format sarif -o findings.sarif
  rdbscope findings dump.sqlite -p big-string.limit=100KB -p mixed-ttl.min-keys=1000
  rdbscope findings --rules`,
    )
    .action(async (path: string | undefined, options: FindingsOptions) => {
      const all = loadRules(options.ruleFolder);
      if (options.rules === true) {
        await printFindings(ruleListDocument(chosenRules(all, options)), options, context);
        return;
      }
      if (path === undefined) throw new UsageError('name a database, or list the rules with --rules');
      const database = openDatabase(path);
      try {
        const rules = chosenRules(all, options);
        const findings = runRules(database, rules, {
          settings: settingsOf(options.param),
          reports: loadCatalog(),
        }).filter(({ severity }) => isAtLeast(severity, options.severity));
        const document = findingsDocument(database, findings, rules, { top: options.top, database: path });
        const [shown] = redacted([document], options, database);
        await printFindings(shown!, options, context);
      } finally {
        database.close();
      }
    });
}

async function printFindings(
  document: ReportDocument,
  options: FindingsOptions,
  context: CliContext,
): Promise<void> {
  const { format, output, ...others } = options;
  const file = output === undefined ? {} : { output };
  if (format !== 'sarif' && (format !== undefined || output?.endsWith('.sarif') !== true)) {
    const known = format === undefined ? {} : { format };
    await printDocuments([document], { ...others, ...file, ...known }, context);
    return;
  }
  const text = await sarif.render([document], renderOptions({ ...others, ...file }, context));
  if (output === undefined) await context.stdout.write(text);
  else await writeFile(output, text);
}

/** @throws UsageError for a rule that there is not */
function chosenRules(all: RuleCatalog, { topic, rule: ids }: FindingsOptions): RuleCatalog {
  for (const id of ids ?? []) {
    if (!all.has(id)) throw new UsageError(`there is no rule "${id}"; rdbscope findings --rules lists them`);
  }
  return new Map(
    [...all].filter(
      ([id, rule]) =>
        (topic === undefined || rule.topic === topic) && (ids === undefined || ids.includes(id)),
    ),
  );
}

function severalOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text: string, before: readonly string[] | undefined) => [
    ...(before ?? []),
    text,
  ]);
}

/** `-p big-string.min-keys=5` arrives with underscores in the rule's name too. */
export function settingsOf(param: Readonly<Record<string, string>> | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(param ?? {}).map(([name, value]) => {
      const [rule, parameter] = name.split('.');
      return [parameter === undefined ? name : `${rule!.replaceAll('_', '-')}.${parameter}`, value];
    }),
  );
}

function isAtLeast(severity: FindingSeverity, least: FindingSeverity | undefined): boolean {
  return least === undefined || FINDING_SEVERITIES.indexOf(severity) <= FINDING_SEVERITIES.indexOf(least);
}
