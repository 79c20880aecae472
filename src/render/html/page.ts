import { createHash } from 'node:crypto';
import type { Note, ReportDocument, ReportSection } from '../../report/document.js';
import { formatCell, formatSentence, visibleText } from '../format-cell.js';
import type { RenderOptions } from '../renderer.js';
import { renderChart } from './charts.js';
import { escapeHtml } from './escape.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import { renderSentence, renderTable, renderTiles } from './table.js';

/** The largest page, in bytes, whatever the data; tables give up rows for it. */
const LARGEST_PAGE = 2_000_000;
const ROW_LIMITS = [1000, 300, 100, 30, 10] as const;

/** One page that needs nothing else: style, charts and script are inside, and nothing is ever fetched. */
export function renderPage(documents: readonly ReportDocument[], options: RenderOptions): string {
  let page = '';
  for (const rows of ROW_LIMITS) {
    page = buildPage(documents, options, rows);
    if (Buffer.byteLength(page) < LARGEST_PAGE) break;
  }
  return page;
}

function buildPage(documents: readonly ReportDocument[], options: RenderOptions, rowLimit: number): string {
  const [first] = documents;
  const opening = first?.notes.find((note) => note.severity === 'note');
  const title =
    opening === undefined ? 'Snapshot report' : `Snapshot report: ${formatSentence(opening.text)}`;
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${sha256(SCRIPT)}'`;
  const contents = documents
    .map((document) => `<li><a href="#${document.id}">${escapeHtml(visibleText(document.title))}</a></li>`)
    .join('');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Snapshot report</h1>
<nav aria-label="Contents"><ul>${contents}</ul></nav>
</header>
<main>
${documents.map((document) => renderDocument(document, options, rowLimit)).join('\n')}
</main>
<footer><p>Made by ${escapeHtml(options.generator)}. Figures of memory are modelled; the summary says for which server. Times are UTC where nothing else is said.</p></footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function renderDocument(document: ReportDocument, options: RenderOptions, rowLimit: number): string {
  const { id, title, summary, notes, sections } = document;
  const parts = [
    `<section aria-labelledby="${id}">`,
    `<h2 id="${id}">${escapeHtml(visibleText(title))}</h2>`,
    `<p class="quiet">${escapeHtml(visibleText(summary))}</p>`,
    ...notes.map(renderNote),
    ...sections.map((section) => renderSection(section, sections.length > 1, options, rowLimit)),
    '</section>',
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderNote({ severity, text }: Note): string {
  if (severity === 'note') return `<p>${renderSentence(text)}</p>`;
  const mark = severity === 'good' ? '' : `<b>${severity === 'error' ? 'Error' : 'Warning'}:</b> `;
  return `<p class="verdict ${severity}">${mark}${renderSentence(text)}</p>`;
}

function renderSection(
  section: ReportSection,
  isOneOfSeveral: boolean,
  options: RenderOptions,
  rowLimit: number,
): string {
  const { title, notes, rows, empty, layout, charts, sql } = section;
  const parts = [
    isOneOfSeveral ? `<h3>${escapeHtml(visibleText(title))}</h3>` : '',
    ...notes.map(renderNote),
  ];
  if (rows.length === 0) parts.push(empty === undefined ? '' : `<p>${renderSentence(empty)}</p>`);
  else if (layout === 'record') parts.push(renderTiles(section));
  else {
    const shown = rows.slice(0, rowLimit);
    const most = Math.max(section.totalRows ?? 0, rows.length);
    parts.push(...charts.map((chart) => renderChart(section, chart)), renderTable(section, shown));
    if (most > shown.length) {
      parts.push(
        `<p class="quiet">${formatCell(shown.length, 'count')} of ${formatCell(most, 'count')} rows.</p>`,
      );
    }
  }
  if (sql !== '') parts.push(renderSql(sql, options.showSql));
  return parts.filter((part) => part !== '').join('\n');
}

function renderSql(sql: string, open: boolean): string {
  const text = sql.split('\n').map(visibleText).join('\n');
  return `<details${open ? ' open' : ''}><summary>SQL</summary><pre>${escapeHtml(text)};</pre></details>`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
