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
        const records = rows.map((row) => columns.map((column, i) => field(row[i] ?? null, column.kind)));
        const header = columns.map(({ name }: ReportColumn) => name);
        const lines = named
          ? [['report', 'section', ...header], ...records.map((record) => [...place, ...record])]
          : [header, ...records];
        return stringify(lines, {
          escape_formulas: !raw,
          record_delimiter: '\r\n',
          quoted_match: /^\s|\s$|^$/,
        });
      })
      .join('\r\n');
  },
};

/** NULL is an empty field, an empty text a quoted one. Numbers stay numbers, so that a minus is no formula. */
function field(cell: Cell, kind: ColumnKind): string | number | bigint | null {
  if (cell === null || typeof cell === 'number') return cell;
  if (typeof cell === 'string' && /^-?\d+$/.test(cell) && !WORDS.has(kind)) return BigInt(cell);
  return formatCell(cell, WORDS.has(kind) ? kind : 'text');
}

const WORDS: ReadonlySet<ColumnKind> = new Set(['key', 'prefix', 'label', 'text']);
