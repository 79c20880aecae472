import { stringify } from 'csv-stringify/sync';
import type { Cell, ColumnKind, ReportColumn } from '../report/document.js';
import { formatCell } from './format-cell.js';
import type { Renderer } from './renderer.js';

/**
 * RFC 4180, one header line per table; several tables are parted by an empty line and say in their first two columns
 * which report and section they are of. Numbers are raw; keys are in their printed form, so a row is always one line.
 */
export const csv: Renderer = {
  summary:
    'CSV with a header line, raw numbers; text that a spreadsheet would run is made inert (--raw: not)',
  extension: 'csv',
  render: (documents, { raw }) => {
    const tables = documents.flatMap((document) =>
      document.sections.map((section) => ({ place: [document.id, section.id], section })),
    );
    const named = tables.length > 1;
    return tables
      .map(({ place, section: { columns, rows } }) => {
        const records = rows.map((row) => record(columns, row));
        const header = columns.map((column) => column.name);
        if (!named) return lines([header, ...records], raw);
        return lines(
          [['report', 'section', ...header], ...records.map((fields) => [...place, ...fields])],
          raw,
        );
      })
      .join('\r\n');
  },
  stream: {
    head: (columns, { raw }) => lines([columns.map((column) => column.name)], raw),
    rows: (columns, rows, { raw }) =>
      lines(
        rows.map((row) => record(columns, row)),
        raw,
      ),
  },
};

type Field = string | number | bigint | null;

function lines(records: readonly (readonly Field[])[], raw: boolean): string {
  return stringify([...records], {
    escape_formulas: !raw,
    record_delimiter: '\r\n',
    quoted_match: /^\s|\s$|^$/,
  });
}

function record(columns: readonly ReportColumn[], row: readonly Cell[]): Field[] {
  return columns.map((column, i) => field(row[i] ?? null, column.kind));
}

/** NULL is an empty field, an empty text a quoted one. Numbers stay numbers, so that a minus is no formula. */
function field(cell: Cell, kind: ColumnKind): Field {
  if (cell === null || typeof cell === 'number') return cell;
  if (typeof cell === 'string' && /^-?\d+$/.test(cell) && !WORDS.has(kind)) return BigInt(cell);
  return formatCell(cell, WORDS.has(kind) ? kind : 'text');
}

const WORDS: ReadonlySet<ColumnKind> = new Set(['key', 'prefix', 'label', 'text']);
