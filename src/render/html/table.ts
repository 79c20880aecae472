import type { Cell, ColumnKind, ReportColumn, ReportSection, Sentence } from '../../report/document.js';
import { isFlexible, isNumeric } from '../column-layout.js';
import { formatCell, formatPart } from '../format-cell.js';
import { cutMiddle } from '../text-width.js';
import { escapeHtml } from './escape.js';

/** Characters of one cell; the machine formats have all of them. */
const CELL_CHARACTERS = 400;

/** A section's rows as a table that the script makes sortable. */
export function renderTable(section: ReportSection, rows: ReportSection['rows']): string {
  const { columns } = section;
  const head = columns
    .map((column) => `<th scope="col"${classOf(column)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const body = rows
    .map((row) => `<tr>${columns.map((column, i) => renderCell(row[i] ?? null, column)).join('')}</tr>`)
    .join('\n');
  const name = escapeHtml(section.title);
  return (
    `<div class="scroll" role="region" tabindex="0" aria-label="${name}"><table class="sortable">` +
    `<thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
  );
}

/** Title, value and remark of each column as a tile. */
export function renderTiles({ columns, rows, remarks }: ReportSection): string {
  const row = rows[0] ?? [];
  const tiles = columns.flatMap((column, i) => {
    const cell = row[i] ?? null;
    if (cell === null) return [];
    const remark = remarks[column.name];
    const said = remark === undefined ? '' : `<div class="remark">${renderSentence(remark)}</div>`;
    const value = `<div class="${isNumeric(column) ? 'value' : 'words'}">${renderValue(cell, column)}</div>`;
    return [`<div class="tile"><dt>${escapeHtml(column.title)}</dt><dd>${value}${said}</dd></div>`];
  });
  return `<dl class="tiles">${tiles.join('')}</dl>`;
}

/** Kinds whose text has blanks or hyphens, where a line should not end. */
const UNBROKEN: ReadonlySet<ColumnKind> = new Set(['ms', 'local_ms', 'duration_ms', 'bytes', 'binary_bytes']);

export function renderSentence(sentence: Sentence): string {
  return sentence
    .map((part) => {
      if (typeof part === 'string') return escapeHtml(part);
      const text = cutMiddle(formatPart(part), CELL_CHARACTERS);
      if (part.kind === 'key' || part.kind === 'prefix') return `<code><bdi>${escapeHtml(text)}</bdi></code>`;
      return UNBROKEN.has(part.kind) ? `<span class="v">${escapeHtml(text)}</span>` : escapeHtml(text);
    })
    .join('');
}

function renderCell(cell: Cell, column: ReportColumn): string {
  const raw =
    isNumeric(column) && cell !== null && typeof cell !== 'object'
      ? ` data-v="${escapeHtml(String(cell))}"`
      : '';
  if (column.kind === 'ratio' && typeof cell === 'number') {
    const part = Math.min(100, Math.max(0, cell * 100)).toFixed(1);
    return `<td class="n share"${raw} style="--part:${part}%">${renderValue(cell, column)}</td>`;
  }
  return `<td${classOf(column)}${raw}>${renderValue(cell, column)}</td>`;
}

function renderValue(cell: Cell, { kind }: ReportColumn): string {
  const text = escapeHtml(cutMiddle(formatCell(cell, kind), CELL_CHARACTERS));
  if (cell === null || (kind !== 'key' && kind !== 'prefix')) return text;
  return text === '' ? '<span class="quiet">(empty)</span>' : `<code><bdi>${text}</bdi></code>`;
}

function classOf(column: ReportColumn): string {
  if (isNumeric(column)) return ' class="n"';
  return isFlexible(column) ? ' class="k"' : '';
}
