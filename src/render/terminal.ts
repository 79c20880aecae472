import Table from 'cli-table3';
import type { Note, ReportColumn, ReportDocument, ReportSection, Sentence } from '../report/document.js';
import { type ColumnLayout, GAP, isNumeric, layColumns } from './column-layout.js';
import { formatCell, formatSentence, visibleText } from './format-cell.js';
import { type Paint, paint } from './paint.js';
import type { Renderer, RenderOptions } from './renderer.js';
import { bar, cutMiddle, textWidth, wrapWords } from './text-width.js';

/** Tables for people at a terminal, fitted to its width. */
export const terminal: Renderer = {
  summary: 'tables for the terminal (default)',
  extension: 'txt',
  render: (documents, options) => documents.map((document) => renderDocument(document, options)).join('\n'),
};

function renderDocument(document: ReportDocument, options: RenderOptions): string {
  const paints = paint(options.color);
  const { title, notes, sections } = document;
  const rule = '─'.repeat(Math.max(3, Math.min(options.width, 80) - textWidth(title) - 4));
  const blocks = title === '' ? [] : [`── ${paints.heading(visibleText(title))} ${paints.quiet(rule)}`];
  if (notes.length > 0) blocks.push(renderNotes(notes, options.width, paints));
  for (const section of sections) {
    const lines: string[] = [];
    if (sections.length > 1 || section.title !== title)
      lines.push(...wrapWords(visibleText(section.title), options.width).map(paints.heading));
    if (section.notes.length > 0) lines.push(renderNotes(section.notes, options.width, paints));
    lines.push(renderBody(section, options, paints));
    blocks.push(lines.filter((line) => line !== '').join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

const NOTE_MARKS = { note: '', good: '', warning: '! ', error: '!! ' } as const;

function renderNotes(notes: readonly Note[], width: number, paints: Paint): string {
  return notes
    .flatMap(({ severity, text }) => {
      const mark = NOTE_MARKS[severity];
      const color = severity === 'note' ? (line: string) => line : paints[severity];
      return wrapWords(formatSentence(text), Math.min(width, 110) - mark.length).map((line, i) =>
        color((i === 0 ? mark : ' '.repeat(mark.length)) + line),
      );
    })
    .join('\n');
}

function renderBody(section: ReportSection, options: RenderOptions, paints: Paint): string {
  const sql = options.showSql
    ? `\n${paints.quiet(section.sql.split('\n').map(visibleText).join('\n'))};`
    : '';
  if (section.rows.length === 0) {
    return (
      (section.empty === undefined
        ? ''
        : wrapWords(formatSentence(section.empty), options.width).join('\n')) + sql
    );
  }
  // A statement's columns are named as it was written, line breaks and all.
  const columns = section.columns.map((column) => ({
    ...column,
    title: visibleText(column.title.replaceAll(/\s+/g, ' ')),
  }));
  const readable = { ...section, columns };
  if (section.layout === 'record') return renderRecord(readable, options.width, paints) + sql;
  return renderTable(readable, options.width, paints) + sql;
}

/** One row read down: title, value, remark. */
function renderRecord(section: ReportSection, width: number, paints: Paint): string {
  const row = section.rows[0]!;
  const lines = section.columns.flatMap((column, i) =>
    row[i] === null ? [] : [{ column, value: formatCell(row[i] ?? null, column.kind) }],
  );
  const titleWidth = Math.max(...lines.map((line) => textWidth(line.column.title)));
  const numbers = lines.filter((line) => isNumeric(line.column));
  const valueWidth = Math.max(0, ...numbers.map((line) => textWidth(line.value)));
  const indent = titleWidth + valueWidth + 2 * GAP;
  return lines
    .map(({ column, value }) => {
      const title = column.title + ' '.repeat(titleWidth - textWidth(column.title) + GAP);
      const remark = section.remarks[column.name];
      if (!isNumeric(column))
        return (
          title +
          wrapWords(value, Math.max(10, width - titleWidth - GAP)).join(`\n${' '.repeat(titleWidth + GAP)}`)
        );
      const start = title + ' '.repeat(valueWidth - textWidth(value)) + paints.heading(value);
      if (remark === undefined) return start;
      const words = wrapRemark(remark, Math.max(10, width - indent));
      return start + ' '.repeat(GAP) + words.join(`\n${' '.repeat(indent)}`);
    })
    .join('\n');
}

/** Keys in a remark are cut, so that a long one does not push the words away. */
function wrapRemark(remark: Sentence, width: number): string[] {
  const shortened = remark.map((part) =>
    typeof part !== 'string' && part.kind === 'key' ? cutMiddle(formatCell(part.value, 'key'), 40) : part,
  );
  return wrapWords(formatSentence(shortened), width);
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

const BAR_WIDTH = 10;

function renderTable(section: ReportSection, width: number, paints: Paint): string {
  const { columns, rows } = section;
  const cells = rows.map((row) => columns.map((column, i) => formatCell(row[i] ?? null, column.kind)));
  const layout = layWithBar(section, cells, width);
  const barAfter = barColumn(section, layout);
  const laid: TableRow[] = [
    layout.columns.flatMap(({ index, heading }) => {
      const hAlign = isNumeric(columns[index]!) ? ('right' as const) : ('left' as const);
      const content = heading.map(paints.quiet).join('\n');
      const cell = { content, hAlign, vAlign: 'bottom' as const };
      return index === barAfter ? [cell, { content: '', hAlign }] : [cell];
    }),
  ];
  for (const [r, row] of cells.entries()) {
    laid.push(
      layout.columns.flatMap(({ index, width: columnWidth }) => {
        const hAlign = isNumeric(columns[index]!) ? ('right' as const) : ('left' as const);
        const content = fitCell(row[index]!, columns[index]!, columnWidth);
        const cell = { content, hAlign };
        if (index !== barAfter) return [cell];
        const ratio = rows[r]![index];
        return [
          cell,
          { content: typeof ratio === 'number' ? paints.quiet(bar(ratio, BAR_WIDTH)) : '', hAlign },
        ];
      }),
    );
  }
  const text = inBlocks(laid).replace(/[ \t]+$/gm, '');
  const tail = [cutNotice(section), omittedNotice(layout)].filter((line) => line !== '');
  const lines = wrapWords(tail.join('; '), width);
  return [text, ...lines.map(paints.quiet)].join('\n');
}

interface TableCell {
  readonly content: string;
  readonly hAlign: 'left' | 'right';
  readonly vAlign?: 'bottom';
}
type TableRow = TableCell[];

/** The table library compares every row with every other: a long table is laid out block by block. */
const BLOCK_ROWS = 200;

/** All rows in columns of the same widths, the widest cell's. */
function inBlocks(rows: readonly TableRow[]): string {
  const colWidths = rows[0]!.map((_, i) =>
    rows.reduce((widest, row) => Math.max(widest, cellWidth(row[i]!)), 1),
  );
  const blocks: string[] = [];
  for (let from = 0; from < rows.length; from += BLOCK_ROWS) {
    const table = new Table({
      chars: NO_LINES,
      style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
      colWidths,
    });
    table.push(...rows.slice(from, from + BLOCK_ROWS));
    blocks.push(table.toString());
  }
  return blocks.join('\n');
}

function cellWidth({ content }: TableCell): number {
  return Math.max(1, ...content.split('\n').map(textWidth));
}

/** A bar says more than an optional column: it gets its place first, unless the needed columns leave none. */
function layWithBar(
  section: ReportSection,
  cells: readonly (readonly string[])[],
  width: number,
): ColumnLayout {
  const layout = layColumns(section.columns, cells, width);
  if (section.charts.length === 0 || barColumn(section, layout) !== undefined) return layout;
  const withRoom = layColumns(section.columns, cells, width - BAR_WIDTH - GAP);
  const cuts = withRoom.columns.some(
    ({ index, width: columnWidth }) =>
      columnWidth < LEAST_BESIDE_BAR && cells.some((row) => textWidth(row[index]!) > columnWidth),
  );
  return cuts || withRoom.omitted.some((column) => column.optional === undefined)
    ? layout
    : { ...withRoom, spare: withRoom.spare + BAR_WIDTH + GAP };
}

const LEAST_BESIDE_BAR = 24;

/** Prose is wrapped, a name cut in the middle. */
function fitCell(text: string, { kind }: ReportColumn, width: number): string {
  return kind === 'text' ? wrapWords(text, width).join('\n') : cutMiddle(text, width);
}

/** The first share of a table with a chart gets a bar, when there is room. */
function barColumn(section: ReportSection, layout: ColumnLayout): number | undefined {
  if (section.charts.length === 0 || layout.spare < BAR_WIDTH + GAP) return undefined;
  const shares = layout.columns.filter(({ index }) => section.columns[index]!.kind === 'ratio');
  const charted = shares.find(({ index }) => section.columns[index]!.name === 'memory_share');
  return (charted ?? shares[0])?.index;
}

/** "20 of 4,113; --top 0 shows all". */
function cutNotice({ rows, totalRows }: ReportSection): string {
  if (totalRows === undefined || totalRows <= rows.length) return '';
  return `${formatCell(rows.length, 'count')} of ${formatCell(totalRows, 'count')}; --top 0 shows all`;
}

function omittedNotice({ omitted }: ColumnLayout): string {
  const needed = omitted.filter((column) => column.optional === undefined);
  if (needed.length === 0) return '';
  return `not shown, the terminal is too narrow: ${needed.map((column) => column.title).join(', ')}`;
}
