import type { Cell, ReportDocument, ReportSection } from '../report/document.js';
import { formatCell } from './format-cell.js';
import { safeJson } from './machine-text.js';
import type { Renderer } from './renderer.js';

/**
 * Findings for code-scanning views. Documents without findings give no results.
 * Source: SARIF 2.1.0 (OASIS standard), sections 3.14 (run), 3.27 (result), 3.49 (reportingDescriptor).
 */
export const sarif: Renderer = {
  summary: 'findings for code-scanning views (SARIF 2.1.0)',
  extension: 'sarif',
  render: (documents, { generator }) => {
    const [name = generator, version] = generator.split(' ');
    const run = runOf(documents.filter((document) => document.id === 'findings'));
    const log = {
      $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: { driver: { name, ...(version !== undefined && { version }), rules: run.rules } },
          columnKind: 'utf16CodeUnits',
          results: run.results,
        },
      ],
    };
    return `${safeJson(log, 2)}\n`;
  },
};

type Row = Readonly<Record<string, Cell>>;

function runOf(documents: readonly ReportDocument[]): { rules: object[]; results: object[] } {
  const rows = (id: string): Row[] =>
    documents.flatMap(({ sections }) => sections.filter((section) => section.id === id).flatMap(rowsOf));
  const advice = new Map(rows('advice').map((row) => [text(row.rule), row]));
  const rules = rows('rules');
  const indexOf = new Map(rules.map((row, index) => [text(row.rule), index]));
  return {
    rules: rules.map((row) => ruleOf(row, advice.get(text(row.rule)))),
    results: rows('findings').map((row) => resultOf(row, indexOf.get(text(row.rule)) ?? -1)),
  };
}

function ruleOf(row: Row, advice: Row | undefined): object {
  return {
    id: text(row.rule),
    name: text(row.rule),
    shortDescription: { text: text(row.title) },
    ...(advice !== undefined && {
      fullDescription: { text: text(advice.reason) },
      help: { text: text(advice.remedy) },
    }),
    defaultConfiguration: { level: level(row.severity) },
    properties: { tags: [text(row.topic)] },
  };
}

function resultOf(row: Row, ruleIndex: number): object {
  const detail = text(row.detail);
  const size = `${formatCell(row.keys ?? null, 'count')} keys, ${formatCell(row.memory_bytes ?? null, 'bytes')}`;
  const message = `${text(row.title)}: ${text(row.subject)} (${detail === '' ? size : `${size}; ${detail}`})`;
  return {
    ruleId: text(row.rule),
    ruleIndex,
    level: level(row.severity),
    message: { text: message },
    locations: [
      {
        // Views show a line of a file; a snapshot has none, so it is always the first.
        physicalLocation: { artifactLocation: { uri: uriOf(text(row.path)) }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: text(row.subject), kind: text(row.subject_kind) }],
      },
    ],
    partialFingerprints: { 'rdbscopeFinding/v1': text(row.finding) },
    properties: {
      keys: row.keys ?? null,
      memory_bytes: row.memory_bytes ?? null,
      saving_bytes: row.saving_bytes ?? null,
      ...(row.example_key != null && { example_key: row.example_key }),
    },
  };
}

function rowsOf({ columns, rows }: ReportSection): Row[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i] ?? null])));
}

function text(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? cell.hex : String(cell);
}

function level(severity: Cell | undefined): 'error' | 'warning' | 'note' {
  return severity === 'error' || severity === 'warning' ? severity : 'note';
}

/** A path as a relative reference; a pipe has the name "-". */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
