import { Command } from 'commander';
import { findReport, loadCatalog } from '../../report/catalog.js';
import type { ParameterDefinition, ReportDefinition } from '../../report/definition.js';
import type { ReportDocument } from '../../report/document.js';
import { NO_LIMIT } from '../../report/parameter.js';
import { parameterCell } from '../../report/template.js';
import { computedReports } from '../computed-reports.js';
import type { CliContext } from '../context.js';
import { addOutputOptions, type OutputOptions, reportsOption } from '../options.js';
import { printDocuments } from '../output.js';

interface ReportsOptions extends OutputOptions {
  readonly reports?: readonly string[];
}

export function reportsCommand(context: CliContext): Command {
  const command = new Command('reports')
    .description('Lists the reports that there are; with a name, its tables and parameters.')
    .argument('[report...]', 'tell about these');
  return addOutputOptions(command)
    .addOption(reportsOption())
    .addHelpText(
      'after',
      `
Examples:
  rdbscope reports
  rdbscope reports big-keys
  rdbscope reports --reports ./our-reports`,
    )
    .action(async (ids: string[], options: ReportsOptions) => {
      const catalog = loadCatalog(options.reports);
      const documents =
        ids.length === 0
          ? [
              listDocument([
                ...catalog.values(),
                ...[...computedReports.values()].map(({ definition }) => definition),
              ]),
            ]
          : ids.map((id) =>
              describeDocument(
                computedReports.get(id)?.definition ?? findReport(catalog, id, computedReports.keys()),
              ),
            );
      await printDocuments(documents, options, context);
    });
}

/** The reports that there are, with what each answers. */
export function listDocument(definitions: readonly ReportDefinition[]): ReportDocument {
  return {
    id: 'reports',
    title: '',
    summary: 'The reports that there are.',
    parameters: {},
    notes: [],
    sections: [
      {
        id: 'reports',
        title: '',
        layout: 'table',
        notes: [],
        columns: [
          { name: 'id', title: 'Report', kind: 'label' },
          { name: 'summary', title: 'Answers', kind: 'text' },
        ],
        rows: definitions.map(({ id, summary }) => [id, summary]),
        remarks: {},
        charts: [],
        sql: '',
      },
    ],
  };
}

/** A report's tables and parameters. */
export function describeDocument(definition: ReportDefinition): ReportDocument {
  const { id, title, summary, parameters, sections } = definition;
  return {
    id,
    title: `${title} (${id})`,
    summary,
    parameters: {},
    notes: [{ severity: 'note', text: [summary] }],
    sections: [
      {
        id: 'parameters',
        title: 'Parameters',
        layout: 'table',
        notes: [],
        empty: ['It has no parameters.'],
        columns: [
          { name: 'name', title: 'Name', kind: 'label' },
          { name: 'kind', title: 'Kind', kind: 'label' },
          { name: 'default', title: 'Default', kind: 'label' },
          { name: 'description', title: 'Meaning', kind: 'text' },
        ],
        rows: parameters.map((parameter) => [
          parameter.name,
          parameter.kind,
          defaultText(parameter),
          parameter.description,
        ]),
        remarks: {},
        charts: [],
        sql: '',
      },
      ...sections.map((section) => ({
        id: section.id,
        title: `Table ${section.id}`,
        layout: 'table' as const,
        notes: [],
        columns: [
          { name: 'column', title: 'Column', kind: 'label' as const },
          { name: 'kind', title: 'Kind', kind: 'label' as const },
          { name: 'title', title: 'Title', kind: 'text' as const },
        ],
        rows: section.columns.map((column) => [column.name, column.kind, column.title]),
        remarks: {},
        charts: [],
        sql: section.statement.sql,
      })),
    ],
  };
}

function defaultText({ default: value }: ParameterDefinition): string | null {
  if (value === null) return null;
  return value === NO_LIMIT ? '0' : String(parameterCell(value));
}
