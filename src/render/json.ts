import { type Cell, type Note, REPORT_SCHEMA_VERSION, type ReportDocument } from '../report/document.js';
import { formatSentence } from './format-cell.js';
import { safeJson } from './machine-text.js';
import type { Renderer } from './renderer.js';

/** Everything a document holds, values raw, rows as objects by column name. */
export const json: Renderer = {
  summary: 'one JSON object: raw values, rows by column name',
  extension: 'json',
  render: (documents, { generator }) =>
    `${safeJson({ schema_version: REPORT_SCHEMA_VERSION, generator, reports: documents.map(documentJson) }, 2)}\n`,
};

/** One JSON object per row; with several tables each says which report and section it is of. */
export const jsonl: Renderer = {
  summary: 'one JSON object per row',
  extension: 'jsonl',
  render: (documents) => {
    const tables = documents.flatMap((document) =>
      document.sections.map((section) => ({ document, section })),
    );
    const named = tables.length > 1;
    const lines = tables.flatMap(({ document, section }) =>
      section.rows.map((row) => {
        const place = named ? { report: document.id, section: section.id } : {};
        return safeJson({ ...place, ...rowObject(section.columns, row) });
      }),
    );
    return lines.map((line) => `${line}\n`).join('');
  },
  stream: {
    head: () => '',
    rows: (columns, rows) => rows.map((row) => `${safeJson(rowObject(columns, row))}\n`).join(''),
  },
};

function documentJson(document: ReportDocument): unknown {
  return {
    id: document.id,
    title: document.title,
    summary: document.summary,
    parameters: document.parameters,
    notes: document.notes.map(noteJson),
    sections: document.sections.map((section) => ({
      id: section.id,
      title: section.title,
      notes: section.notes.map(noteJson),
      columns: section.columns.map(({ name, title, kind }) => ({ name, title, kind })),
      rows: section.rows.map((row) => rowObject(section.columns, row)),
      ...(section.totalRows !== undefined && { total_rows: section.totalRows }),
      sql: section.sql,
    })),
  };
}

function noteJson({ severity, text }: Note): unknown {
  return { severity, text: formatSentence(text) };
}

/** A Map keeps a column named `__proto__` a column. */
function rowObject(
  columns: readonly { readonly name: string }[],
  row: readonly Cell[],
): Record<string, Cell> {
  return Object.fromEntries(columns.map((column, i) => [column.name, row[i] ?? null]));
}
