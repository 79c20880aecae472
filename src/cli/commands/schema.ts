import { Command } from 'commander';
import type { ReportDocument, ReportSection } from '../../report/document.js';
import { similarName } from '../../report/similar-name.js';
import type { CliContext } from '../context.js';
import { addFormatOptions, type OutputOptions } from '../options.js';
import { printDocuments } from '../output.js';
import { EXAMPLE_QUERIES, FUNCTION_GUIDE, SCHEMA_GUIDE } from '../schema-guide.js';
import { UsageError } from '../usage-error.js';

interface SchemaOptions extends OutputOptions {
  readonly all?: boolean;
}

export function schemaCommand(context: CliContext): Command {
  const command = new Command('schema')
    .description(
      'Shows what a database holds: tables and views, their columns with units, functions, examples.',
    )
    .argument('[table...]', 'only these tables')
    .option('--all', 'also the tables that views are made of')
    .option('-o, --output <file>', 'write there instead of standard output');
  return addFormatOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  rdbscope schema
  rdbscope schema keys prefixes
  rdbscope schema --format markdown -o schema.md`,
    )
    .action(async (tables: string[], options: SchemaOptions) => {
      await printDocuments([schemaDocument(tables, options.all ?? false)], options, context);
    });
}

/** @throws UsageError for a table that there is not */
export function schemaDocument(tables: readonly string[], all: boolean): ReportDocument {
  const unknown = tables.find((table) => !Object.hasOwn(SCHEMA_GUIDE, table));
  if (unknown !== undefined) {
    const names = Object.keys(SCHEMA_GUIDE);
    const meant = similarName(unknown, names);
    const question = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    throw new UsageError(`there is no table "${unknown}"${question}; there are ${names.join(', ')}`);
  }
  const shown = Object.entries(SCHEMA_GUIDE).filter(([name, guide]) =>
    tables.length > 0 ? tables.includes(name) : all || guide.internal !== true,
  );
  const sections = shown.map(([name, guide]) =>
    pairs(name.replaceAll('_', '-'), name, guide.about, ['column', 'meaning'], Object.entries(guide.columns)),
  );
  if (tables.length === 0) {
    sections.push(
      pairs('functions-sql', 'Functions', 'Besides the ones of SQLite.', ['call', 'gives'], FUNCTION_GUIDE),
      pairs(
        'examples',
        'Examples',
        'For rdbscope sql, or any SQLite shell.',
        ['question', 'query'],
        EXAMPLE_QUERIES,
      ),
    );
  }
  return {
    id: 'schema',
    title: 'Tables, columns, functions',
    summary: 'What a database of rdbscope holds.',
    parameters: {},
    notes: [],
    sections,
  };
}

/** The tables and views, a line each. */
export function tablesDocument(): ReportDocument {
  const shown = Object.entries(SCHEMA_GUIDE).filter(([, guide]) => guide.internal !== true);
  const rows = shown.map(([name, guide]) => [name, guide.about] as const);
  return {
    id: 'tables',
    title: '',
    summary: 'The tables and views of a database.',
    parameters: {},
    notes: [],
    sections: [{ ...pairs('tables', '', '', ['table', 'holds'], rows), notes: [] }],
  };
}

function pairs(
  id: string,
  title: string,
  about: string,
  [left, right]: readonly [string, string],
  rows: readonly (readonly [string, string])[],
): ReportSection {
  return {
    id,
    title,
    layout: 'table',
    notes: [{ severity: 'note', text: [about] }],
    columns: [
      { name: left, title: capital(left), kind: 'label' },
      { name: right, title: capital(right), kind: 'text' },
    ],
    rows,
    remarks: {},
    charts: [],
    sql: '',
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
