import { parse as parseCsv } from 'csv-parse/sync';
import { marked, type Token, type Tokens } from 'marked';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePrintable } from '../../src/rdb-parser/printable.js';
import { renderers } from '../../src/render/index.js';
import { textWidth } from '../../src/render/text-width.js';
import { loadCatalog } from '../../src/report/catalog.js';
import type { Cell, ReportColumn, ReportDocument } from '../../src/report/document.js';
import { runReport } from '../../src/report/run.js';
import { HOSTILE_KEYS, hostileSnapshot } from '../report/hostile-snapshot.js';
import { PLAIN } from './render-options.js';

const definitions = [...loadCatalog().values()];
let documents: ReportDocument[] = [];
let database: ReturnType<typeof hostileSnapshot>;
beforeAll(() => {
  database = hostileSnapshot();
  documents = definitions.map((definition) => {
    const hasTop = definition.parameters.some((parameter) => parameter.name === 'top');
    return runReport(database, definition, hasTop ? { top: '0' } : {});
  });
});
afterAll(() => database.close());

const tables = () =>
  documents.flatMap((document) => document.sections.map((section) => ({ document, section })));

/** Everything that could steer a terminal, hide text or turn it round; a line feed is how lines end. */
const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

/** A key's bytes, whatever form it is in. */
const bytesOf = (cell: Cell | undefined): string => {
  if (cell === null || cell === undefined) return 'none';
  return typeof cell === 'object' ? cell.hex : Buffer.from(String(cell)).toString('hex');
};
const printedBytes = (text: string): string => Buffer.from(parsePrintable(text)).toString('hex');
const names = (columns: readonly ReportColumn[]) => columns.map((column) => column.name);

describe('every hostile key is in the reports', () => {
  it('as the bytes that it is', () => {
    const keys = documents.find((document) => document.id === 'big-keys')!.sections[0]!;
    const at = names(keys.columns).indexOf('key');
    const shown = new Set(keys.rows.map((row) => bytesOf(row[at])));
    for (const key of HOSTILE_KEYS) expect(shown).toContain(Buffer.from(key).toString('hex'));
  });
});

describe.each(Object.keys(renderers))('format %s', (format) => {
  it('holds nothing that could steer a terminal', async () => {
    const renderer = renderers[format as keyof typeof renderers];
    const text = await renderer.render(documents, PLAIN);
    const found = STEERING.exec(format === 'csv' ? text.replaceAll('\r\n', '\n') : text);
    expect(
      found === null ? '' : JSON.stringify(text.slice(Math.max(0, found.index - 40), found.index + 20)),
    ).toBe('');
  });
});

describe('terminal', () => {
  it.each([40, 60, 80, 100, 160, 240])('keeps within %i columns', (width) => {
    const text = String(renderers.table.render(documents, { ...PLAIN, width }));
    const wide = text.split('\n').filter((line) => textWidth(line) > width);
    expect(wide).toEqual([]);
  });

  it('colours only when told, and never as the only sign', () => {
    const plain = String(renderers.table.render(documents, PLAIN));
    const colored = String(renderers.table.render(documents, { ...PLAIN, color: true }));
    const stripped = colored.replace(/\u001b\[[0-9;]*m/g, '');
    expect(colored).not.toBe(stripped);
    expect(stripped).toBe(plain);
  });
});

describe('csv, read by a strict parser', () => {
  /** Tables are parted by an empty line. */
  const readTables = (text: string) =>
    text.split(/\r\n\r\n/).map((table) => parseCsv(table, { relax_column_count: false }) as string[][]);

  it('has each table with the columns of its header, and each key back', () => {
    const read = readTables(String(renderers.csv.render(documents, { ...PLAIN, raw: true })));
    expect(read).toHaveLength(tables().length);
    for (const [i, { document, section }] of tables().entries()) {
      const [header, ...rows] = read[i]!;
      expect(header).toEqual(['report', 'section', ...names(section.columns)]);
      expect(rows).toHaveLength(section.rows.length);
      for (const [r, row] of rows.entries()) {
        expect(row.slice(0, 2)).toEqual([document.id, section.id]);
        checkCells(section.columns, section.rows[r]!, row.slice(2));
      }
    }
  });

  function checkCells(
    columns: readonly ReportColumn[],
    cells: readonly Cell[],
    fields: readonly string[],
  ): void {
    for (const [c, column] of columns.entries()) {
      const cell = cells[c] ?? null;
      if (cell === null) expect(fields[c]).toBe('');
      else if (column.kind === 'key') expect(printedBytes(fields[c]!)).toBe(bytesOf(cell));
      else if (typeof cell === 'number') expect(Number(fields[c])).toBe(cell);
    }
  }

  it('guards against formulas, unless raw', () => {
    const guarded = readTables(String(renderers.csv.render(documents, PLAIN)));
    for (const table of guarded) {
      for (const row of table.slice(1)) {
        for (const field of row) expect(field).toMatch(/^(?![=+@\t\r])(?!-(?!\d+(\.\d+)?(e[+-]?\d+)?$))/);
      }
    }
    const flat = guarded.flat(2);
    for (const key of ['=1+1', '+1', '@SUM(A1)']) expect(flat).toContain(`'${key}`);
    const raw = readTables(String(renderers.csv.render(documents, { ...PLAIN, raw: true }))).flat(2);
    for (const key of ['=1+1', '+1', '@SUM(A1)']) expect(raw).toContain(key);
  });
});

describe('json', () => {
  it('has each table with its columns, rows by name, values exact', () => {
    const read = JSON.parse(String(renderers.json.render(documents, PLAIN)));
    expect(read).toMatchObject({ schema_version: 1, generator: 'rdbscope test' });
    const sections = read.reports.flatMap((report: { sections: unknown[] }) => report.sections);
    expect(sections).toHaveLength(tables().length);
    for (const [i, { section }] of tables().entries()) {
      expect(sections[i].columns.map((column: { name: string }) => column.name)).toEqual(
        names(section.columns),
      );
      for (const [r, row] of section.rows.entries()) {
        expect(Object.keys(sections[i].rows[r])).toEqual(names(section.columns));
        expect(Object.values(sections[i].rows[r])).toEqual(row);
      }
    }
  });

  it('lines: one object per row, each says whose it is', () => {
    const lines = String(renderers.jsonl.render(documents, PLAIN)).trimEnd().split('\n');
    const rows = tables().flatMap(({ document, section }) =>
      section.rows.map((row) => ({ document, section, row })),
    );
    expect(lines).toHaveLength(rows.length);
    for (const [i, { document, section, row }] of rows.entries()) {
      const read = JSON.parse(lines[i]!);
      expect(Object.keys(read)).toEqual(['report', 'section', ...names(section.columns)]);
      expect(Object.values(read)).toEqual([document.id, section.id, ...row]);
    }
  });
});

describe('markdown, read by a GitHub-flavoured parser', () => {
  const tokensOf = () => marked.lexer(String(renderers.markdown.render(documents, PLAIN)));

  it('has each table with its titles and each key back', () => {
    const found = tokensOf().filter((token): token is Tokens.Table => token.type === 'table');
    const wanted = tables().filter(({ section }) => section.rows.length > 0);
    expect(found).toHaveLength(wanted.length);
    for (const [i, { section }] of wanted.entries()) {
      if (section.layout === 'record') continue;
      const table = found[i]!;
      expect(table.header.map((cell) => plain(cell.tokens))).toEqual(
        section.columns.map((column) => column.title),
      );
      expect(table.rows).toHaveLength(section.rows.length);
      for (const [r, row] of table.rows.entries()) {
        for (const [c, column] of section.columns.entries()) {
          const cell = section.rows[r]![c] ?? null;
          if (column.kind !== 'key' || cell === null) continue;
          const text = plain(row[c]!.tokens);
          if (bytesOf(cell) === '') expect(text).toBe('(empty)');
          else expect(printedBytes(text)).toBe(bytesOf(cell));
        }
      }
    }
  });

  it('holds no markup of its own making, links or HTML', () => {
    const kinds = new Set<string>();
    marked.walkTokens(tokensOf(), (token) => void kinds.add(token.type));
    for (const kind of ['html', 'link', 'image', 'del', 'em', 'blockquote', 'list', 'br']) {
      expect(kinds).not.toContain(kind);
    }
  });

  function plain(tokens: readonly Token[]): string {
    return tokens
      .map((token) => {
        if ('tokens' in token && token.tokens !== undefined) return plain(token.tokens);
        return 'text' in token ? String(token.text) : token.raw;
      })
      .join('');
  }
});
