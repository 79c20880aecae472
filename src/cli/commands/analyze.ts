import { Command } from 'commander';
import { visibleText } from '../../render/format-cell.js';
import { findReport, loadCatalog } from '../../report/catalog.js';
import type { ReportDefinition } from '../../report/definition.js';
import type { ReportDocument } from '../../report/document.js';
import { runReport } from '../../report/run.js';
import type { CliContext } from '../context.js';
import { addLoadOptions, type LoadCommandOptions, loadWithProgress } from '../load-options.js';
import { openDatabase } from '../open-database.js';
import { addFormatOptions, type OutputOptions } from '../options.js';
import { printDocuments } from '../output.js';
import { addRedactOptions, type RedactOptions, redacted } from '../redact-option.js';
import { throwOnFault } from '../snapshot-fault.js';
import { describeDatabase, shownPath } from './load.js';

/** What a first look shows, in this order: reports and their tables; all of them where none is named. */
const FIRST_LOOK: readonly (readonly [report: string, sections?: readonly string[]])[] = [
  ['summary', ['overview', 'types', 'databases', 'problems', 'files']],
  ['prefixes', ['patterns']],
  ['big-keys', ['keys', 'limits']],
  ['no-ttl', ['prefixes', 'keys']],
  ['expiry-timeline', ['time-left']],
  ['expiry-clusters'],
];

interface AnalyzeOptions extends LoadCommandOptions, RedactOptions, Omit<OutputOptions, 'output'> {
  readonly top: string;
}

export function analyzeCommand(context: CliContext): Command {
  const command = new Command('analyze')
    .description('Loads a snapshot into a SQLite database, then prints the summary and the core reports.')
    .argument('<snapshot...>', 'an RDB file, "-" for standard input, or several files of one data set')
    .option(
      '-o, --output <file>',
      "the database (default: the snapshot's name with .sqlite, in the current folder)",
    )
    .option('--top <rows>', 'rows per table; 0 shows all', '10');
  return addRedactOptions(addLoadOptions(addFormatOptions(command, 'table')))
    .addHelpText(
      'after',
      `
Examples:
  rdbscope analyze dump.rdb
  rdbscope analyze /backup/dump.rdb.gz -o /var/tmp/dump.sqlite --top 20
  redis-cli --rdb - | rdbscope analyze -
  rdbscope analyze dump.rdb --format markdown > ticket.md`,
    )
    .action(async (inputs: string[], options: AnalyzeOptions) => {
      const reports = FIRST_LOOK.map(([id]) => id);
      const catalog = loadCatalog([], reports);
      const result = await loadWithProgress(inputs, options, context);
      const database = openDatabase(result.databasePath);
      let prefix: string | undefined;
      try {
        const documents = FIRST_LOOK.map(([id, sections]) => {
          const definition = findReport(catalog, id);
          const hasTop = definition.parameters.some((parameter) => parameter.name === 'top');
          const shown = sections === undefined ? definition : withSections(definition, sections);
          return runReport(database, shown, hasTop ? { top: options.top } : {});
        });
        const { output: _, ...output } = options;
        const shown = redacted(documents, options, database);
        prefix = firstPrefix(shown);
        await printDocuments(shown, output, context);
      } finally {
        database.close();
      }
      await context.stderr.write(nextSteps(shownPath(result.databasePath), describeDatabase(result), prefix));
      throwOnFault(result.files, result.databasePath);
    });
}

function withSections(definition: ReportDefinition, ids: readonly string[]): ReportDefinition {
  return { ...definition, sections: definition.sections.filter((section) => ids.includes(section.id)) };
}

/** The first pattern of several keys, else the first, as an example that is there. */
function firstPrefix(documents: readonly ReportDocument[]): string | undefined {
  const rows = documents.find((document) => document.id === 'prefixes')?.sections[0]?.rows ?? [];
  const cell = (rows.find(([, keys]) => Number(keys) > 1) ?? rows[0])?.[0];
  return typeof cell === 'string' && cell !== '' ? cell : undefined;
}

function nextSteps(path: string, written: string, prefix: string | undefined): string {
  const name = shellWord(path);
  const drill =
    prefix === undefined ? '' : `       rdbscope report ${name} prefixes --prefix ${shellWord(prefix)}\n`;
  return `
Written to ${written}.
Next:  rdbscope findings ${name}
       rdbscope report ${name} -o report.html
       rdbscope report ${name} big-keys --top 50
${drill}       rdbscope sql ${name} "SELECT type, COUNT(*) AS keys FROM keys GROUP BY type"
       (rdbscope reports lists the reports, rdbscope schema the tables)
`;
}

/** Text as one word of a shell. */
function shellWord(text: string): string {
  const safe = visibleText(text);
  return /^[\w./:-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
