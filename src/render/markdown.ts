import type { Note, ReportColumn, ReportDocument, ReportSection, Sentence } from '../report/document.js';
import { isNumeric } from './column-layout.js';
import { formatCell, formatPart, visibleText } from './format-cell.js';
import type { Renderer, RenderOptions } from './renderer.js';

/** GitHub-flavoured Markdown for tickets and chats: headings, sentences, tables that hold whatever a key holds. */
export const markdown: Renderer = {
  summary: 'Markdown tables, for tickets and chat messages',
  extension: 'md',
  render: (documents, options) => documents.map((document) => renderDocument(document, options)).join('\n'),
};

function renderDocument(document: ReportDocument, options: RenderOptions): string {
  const { title, notes, sections } = document;
  const blocks = title === '' ? [] : [`## ${escapeText(title)}`];
  blocks.push(...notes.map(renderNote));
  for (const section of sections) {
    if (sections.length > 1 || section.title !== title) blocks.push(`### ${escapeText(section.title)}`);
    blocks.push(...section.notes.map(renderNote), ...renderBody(section));
    if (options.showSql) blocks.push(codeBlock(`${section.sql};`));
  }
  return `${blocks.join('\n\n')}\n`;
}

const NOTE_MARKS = { note: '', good: '', warning: '**Warning:** ', error: '**Error:** ' } as const;

function renderNote({ severity, text }: Note): string {
  return NOTE_MARKS[severity] + renderSentence(text);
}

function renderSentence(sentence: Sentence): string {
  return sentence
    .map((part) => {
      if (typeof part === 'string') return escapeText(part);
      return isCode(part.kind) ? codeSpan(formatPart(part)) : escapeText(formatPart(part));
    })
    .join('');
}

function renderBody(section: ReportSection): string[] {
  const { columns, rows, totalRows, empty } = section;
  if (rows.length === 0) return empty === undefined ? [] : [renderSentence(empty)];
  if (section.layout === 'record') return [renderRecord(section)];
  const blocks = [renderTable(columns, rows)];
  if (totalRows !== undefined && totalRows > rows.length) {
    blocks.push(`${formatCell(rows.length, 'count')} of ${formatCell(totalRows, 'count')} rows.`);
  }
  return blocks;
}

function renderTable(columns: readonly ReportColumn[], rows: ReportSection['rows']): string {
  const lines = [
    tableRow(columns.map((column) => escapeText(column.title))),
    tableRow(columns.map((column) => (isNumeric(column) ? '---:' : '---'))),
    ...rows.map((row) =>
      tableRow(
        columns.map(({ kind }, i) => {
          const text = formatCell(row[i] ?? null, kind);
          return isCode(kind) && row[i] !== null ? codeSpan(text) : escapeText(text);
        }),
      ),
    ),
  ];
  return lines.join('\n');
}

function renderRecord({ columns, rows, remarks }: ReportSection): string {
  const row = rows[0]!;
  const lines = columns.flatMap((column, i) => {
    const cell = row[i] ?? null;
    if (cell === null) return [];
    const remark = remarks[column.name];
    const value = `**${escapeText(formatCell(cell, column.kind))}**`;
    return [tableRow([escapeText(column.title), value, remark === undefined ? '' : renderSentence(remark)])];
  });
  return [tableRow(['', '', '']), tableRow(['---', '---:', '---']), ...lines].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function isCode(kind: ReportColumn['kind']): boolean {
  return kind === 'key' || kind === 'prefix';
}

/** Words as they are: every character that Markdown gives a meaning is escaped (the pipe by the table's row). */
function escapeText(text: string): string {
  return visibleText(text)
    .replace(/[\\`*_[\]<>#~&!]/g, '\\$&')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(\s*)([-+])(?=\s|$)/, '$1\\$2');
}

/**
 * A key as code, so that nothing in it is markup, a mention or a link. The fence is longer than any run of backticks
 * inside. Source: CommonMark 0.31, section 6.1; a pipe is escaped even in code inside a table (GFM 4.10).
 */
function codeSpan(text: string): string {
  if (text === '') return '(empty)';
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padded = /^[` ]|[` ]$/.test(text) && text.trim() !== '' ? ` ${text} ` : text;
  return fence + padded + fence;
}

function codeBlock(text: string): string {
  const safe = text.split('\n').map(visibleText).join('\n');
  const longest = Math.max(2, ...(safe.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}sql\n${safe}\n${fence}`;
}
