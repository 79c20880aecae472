import type { Database } from 'better-sqlite3';
import { Command } from 'commander';
import { findReport, loadCatalog } from '../../report/catalog.js';
import type { ReportDefinition } from '../../report/definition.js';
import type { ReportDocument } from '../../report/document.js';
import { runReport } from '../../report/run.js';
import { computedReports } from '../computed-reports.js';
import type { CliContext } from '../context.js';
import { openDatabase } from '../open-database.js';
import {
  addFilterOptions,
  addOutputOptions,
  chooseFormat,
  type FilterOptions,
  filterSettings,
  type OutputOptions,
  reportsOption,
} from '../options.js';
import { printDocuments } from '../output.js';
import { addRedactOptions, type RedactOptions, redacted } from '../redact-option.js';
import { UsageError } from '../usage-error.js';

interface ReportOptions extends OutputOptions, FilterOptions, RedactOptions {
  readonly reports?: readonly string[];
  readonly section?: string;
}

export function reportCommand(context: CliContext): Command {
  const command = new Command('report')
    .description('Prints one or more reports, all of them when none is named, in any format.')
    .argument('<database>', 'the .sqlite file that "load" or "analyze" wrote')
    .argument('[report...]', 'which reports; "rdbscope reports" lists them');
  return addRedactOptions(addFilterOptions(addOutputOptions(command)))
    .option('--section <id>', 'only this table of the report')
    .addOption(reportsOption())
    .addHelpText(
      'after',
      `
Examples:
  rdbscope report dump.sqlite big-keys --top 50
  rdbscope report dump.sqlite big-keys --type hash --param by=elements
  rdbscope report dump.sqlite prefixes --prefix 'user:{n}'
  rdbscope report dump.sqlite no-ttl --section keys --top 0 --format csv -o no-ttl.csv
  rdbscope report dump.sqlite what-if --param server=8.2
  rdbscope report dump.sqlite --redact -o report.html
  rdbscope report dump.sqlite --format markdown -o report.md`,
    )
    .action(async (path: string, ids: string[], options: ReportOptions) => {
      if (ids.some((id) => computedReports.has(id))) {
        await printComputed(path, ids, options, context);
        return;
      }
      const catalog = loadCatalog(options.reports, ids.length === 0 ? undefined : ids);
      const definitions =
        ids.length === 0
          ? [...catalog.values()]
          : ids.map((id) => findReport(catalog, id, computedReports.keys()));
      const settings = { ...wantedRows(definitions, options), ...filterSettings(options), ...options.param };
      const { ignored, perReport } = distributeSettings(definitions, settings, ids.length > 0);
      for (const { id, names } of ignored) {
        await context.stderr.write(
          `rdbscope: report ${id} does not know ${names.join(', ')}; it is shown in full\n`,
        );
      }
      const database = openDatabase(path);
      try {
        const documents = definitions.map((definition) =>
          runReport(database, definition, perReport.get(definition.id) ?? {}),
        );
        // A page of everything tells what breaks the design rules, too.
        const isWhole = ids.length === 0 && options.section === undefined && chooseFormat(options) === 'html';
        const all = isWhole ? [...documents, await allFindings(database, path)] : documents;
        const shown = redacted(onlySection(all, options.section), options, database);
        await printDocuments(shown, options, context);
      } finally {
        database.close();
      }
    });
}

async function allFindings(database: Database, path: string): Promise<ReportDocument> {
  const { findingsDocument, loadRules, runRules } = await import('../../findings/index.js');
  const rules = loadRules();
  return findingsDocument(database, runRules(database, rules), rules, {
    top: Number(PAGE_ROWS.top),
    database: path,
  });
}

/** A report that reads the snapshots again: it takes its time and has parameters that no other knows. */
async function printComputed(
  path: string,
  ids: readonly string[],
  options: ReportOptions,
  context: CliContext,
): Promise<void> {
  const [id = ''] = ids;
  const report = computedReports.get(id);
  if (ids.length > 1 || report === undefined) {
    throw new UsageError(`${ids.find((name) => computedReports.has(name))} is to be asked for alone`);
  }
  openDatabase(path).close(); // A wrong file is told here, in our words.
  const { document, error } = await report.run(
    path,
    { ...filterSettings(options), ...options.param },
    context,
  );
  await printDocuments(onlySection([document], options.section), options, context);
  if (error !== undefined) throw error;
}

/** A page has room for more rows than a terminal. */
const PAGE_ROWS: Readonly<Record<string, string>> = { top: '50', hours: '72', days: '60' };

function wantedRows(
  definitions: readonly ReportDefinition[],
  options: OutputOptions,
): Record<string, string> {
  if (chooseFormat(options) !== 'html') return {};
  const known = new Set(
    definitions.flatMap(({ parameters }) => parameters.map((parameter) => parameter.name)),
  );
  return Object.fromEntries(Object.entries(PAGE_ROWS).filter(([name]) => known.has(name)));
}

interface Distribution {
  readonly perReport: ReadonlyMap<string, Record<string, string>>;
  /** Reports that narrow nothing by a setting that was given. */
  readonly ignored: readonly { readonly id: string; readonly names: readonly string[] }[];
}

/**
 * Gives each report the settings that it knows.
 * @throws UsageError when a report that was asked for by name lacks one: its answer would not be what was asked
 */
export function distributeSettings(
  definitions: readonly ReportDefinition[],
  settings: Readonly<Record<string, string>>,
  named: boolean,
): Distribution {
  const perReport = new Map<string, Record<string, string>>();
  const ignored: { id: string; names: string[] }[] = [];
  for (const { id, parameters } of definitions) {
    const known = new Set(parameters.map((parameter) => parameter.name));
    const own = Object.entries(settings).filter(([name]) => known.has(name));
    perReport.set(id, Object.fromEntries(own));
    // How many rows is a wish, not a condition.
    const names = Object.keys(settings).filter((name) => !known.has(name) && !Object.hasOwn(PAGE_ROWS, name));
    if (names.length > 0) ignored.push({ id, names });
  }
  for (const name of Object.keys(settings)) {
    const nobody = definitions.every(({ parameters }) =>
      parameters.every((parameter) => parameter.name !== name),
    );
    if (nobody && name !== 'top')
      throw new UsageError(`no report here has a parameter "${name}"; rdbscope reports lists them`);
  }
  if (named && ignored.length > 0) {
    const [{ id, names }] = ignored as [{ id: string; names: string[] }];
    const known = definitions
      .find((definition) => definition.id === id)!
      .parameters.map((parameter) => parameter.name);
    const offer = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw new UsageError(
      `report ${id} has no parameter ${names.map((name) => `"${name}"`).join(', ')}; ${offer}`,
    );
  }
  return { perReport, ignored };
}

function onlySection(
  documents: readonly ReportDocument[],
  id: string | undefined,
): readonly ReportDocument[] {
  if (id === undefined) return documents;
  const narrowed = documents.flatMap((document) => {
    const sections = document.sections.filter((section) => section.id === id);
    return sections.length === 0 ? [] : [{ ...document, sections }];
  });
  if (narrowed.length > 0) return narrowed;
  const known = documents.flatMap((document) => document.sections.map((section) => section.id));
  throw new UsageError(`no report here has a section "${id}"; there are ${[...new Set(known)].join(', ')}`);
}
