import type {
  ParameterDefinition,
  ReportDefinition,
  SectionDefinition,
} from '../../src/report/definition.js';
import { NO_LIMIT } from '../../src/report/parameter.js';

/** What stands above is made from the report's header; below it people write. */
export const END_OF_GENERATED = '<!-- above: from the header of the .sql file; below: written -->\n';

/** The generated part of a report's page. */
export function reportPage(definition: ReportDefinition): string {
  const { id, title, summary, parameters, sections } = definition;
  const blocks = [
    `# ${title}`,
    summary,
    `    rdbscope report dump.sqlite ${id}`,
    ...(parameters.length === 0 ? [] : [parameterTable(parameters)]),
    ...sections.map((section) => sectionBlock(section, title)),
    `The SQL is in [reports/${id}.sql](../../reports/${id}.sql); \`--show-sql\` prints it with its parameters filled in.`,
  ];
  return `${blocks.join('\n\n')}\n\n${END_OF_GENERATED}`;
}

function parameterTable(parameters: readonly ParameterDefinition[]): string {
  const rows = parameters.map(
    ({ name, kind, choices, default: value, description }) =>
      `| \`${name}\` | ${choices.length > 0 ? choices.join(', ') : kind} | ${defaultText(value)} | ${escapeCell(description)} |`,
  );
  return ['| parameter | kind | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function defaultText(value: ParameterDefinition['default']): string {
  if (value === null) return '';
  return value === NO_LIMIT ? '0' : String(value);
}

function sectionBlock({ id, title, columns, layout }: SectionDefinition, reportTitle: string): string {
  const words = title.map((part) => (typeof part === 'string' ? part : `<${part.name}>`)).join('');
  const heading = `## ${words === reportTitle ? 'The table' : words.replace('<', '\\<')} (\`${id}\`)`;
  const rows = columns.map(
    ({ name, kind, title: shown }) => `| \`${name}\` | ${kind} | ${escapeCell(shown)} |`,
  );
  const form = layout === 'record' ? 'One row.\n\n' : '';
  return `${heading}\n\n${form}${['| column | kind | shown as |', '|---|---|---|', ...rows].join('\n')}`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*');
}
