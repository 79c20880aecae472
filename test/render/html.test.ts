import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePrintable } from '../../src/rdb-parser/printable.js';
import { renderers } from '../../src/render/index.js';
import { loadCatalog } from '../../src/report/catalog.js';
import type { Cell, ReportDocument } from '../../src/report/document.js';
import { runReport } from '../../src/report/run.js';
import { hostileSnapshot } from '../report/hostile-snapshot.js';
import { SnapshotDatabase } from '../report/snapshot-database.js';
import { hasBrowser, visit } from './browser.js';
import { PLAIN } from './render-options.js';

const definitions = [...loadCatalog().values()];
let documents: ReportDocument[] = [];
let page = '';
let database: ReturnType<typeof hostileSnapshot>;
beforeAll(async () => {
  database = hostileSnapshot();
  documents = definitions.map((definition) => {
    const hasTop = definition.parameters.some((parameter) => parameter.name === 'top');
    return runReport(database, definition, hasTop ? { top: '0' } : {});
  });
  page = await renderers.html.render(documents, PLAIN);
});
afterAll(() => database.close());

const sections = () => documents.flatMap((document) => document.sections);
const bytesOf = (cell: Cell): string =>
  typeof cell === 'object' && cell !== null ? cell.hex : Buffer.from(String(cell)).toString('hex');

describe('the page', () => {
  it('refers to nothing outside of itself', () => {
    const outside = [...page.matchAll(/(?:src|href|action|data|poster)\s*=\s*["']([^"']*)/g)].map(
      (match) => match[1]!,
    );
    expect(outside.filter((target) => !target.startsWith('#'))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(|<link|<iframe|<img/i);
    expect(page).toContain("default-src 'none'");
  });

  it('keeps under 2 MB however much there is to show', async () => {
    const snapshot = new SnapshotDatabase().keys(
      1200,
      (i) => `<&"'>:${'<'.repeat(600)}:${i}`,
      () => ({}),
    );
    const large = snapshot.build();
    const many = ['big-keys', 'no-ttl', 'prefixes'].map((id) =>
      runReport(large, definitions.find((definition) => definition.id === id)!, { top: '0' }),
    );
    const text = await renderers.html.render(many, PLAIN);
    expect(Buffer.byteLength(text)).toBeLessThan(2_000_000);
    expect(text).toMatch(/[\d,]+ of 1,200 rows\./);
    large.close();
  });

  it('has no chart that only one thing is on', async () => {
    const one = new SnapshotDatabase().key('a').build();
    const document = runReport(one, definitions.find((definition) => definition.id === 'summary')!);
    expect(await renderers.html.render([document], PLAIN)).not.toContain('<figure>');
    one.close();
  });
});

describe(hasBrowser ? 'the page in a browser' : 'no browser is here: the page was not opened', () => {
  const opened = (test: () => void | Promise<void>) => async () => {
    if (hasBrowser) await test();
    else expect(hasBrowser).toBe(false);
  };

  it(
    'has each table with the titles of its header, and each key back',
    opened(() => {
      const { result, console } = visit(
        page,
        `return [...document.querySelectorAll('table')].map((table) => ({
          heads: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
          rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => [cell.dataset.v ?? null, cell.textContent])),
        }));`,
      );
      expect(console).toBe('');
      const read = result as { heads: string[]; rows: [string | null, string][][] }[];
      const wanted = sections().filter((section) => section.rows.length > 0 && section.layout === 'table');
      expect(read.map((table) => table.heads)).toEqual(
        wanted.map((section) => section.columns.map((column) => column.title)),
      );
      for (const [t, section] of wanted.entries()) {
        expect(read[t]!.rows).toHaveLength(section.rows.length);
        for (const [r, row] of section.rows.entries()) {
          for (const [c, column] of section.columns.entries()) {
            const cell = row[c] ?? null;
            const [value, text] = read[t]!.rows[r]![c]!;
            if (column.kind === 'key' && cell !== null && !text.includes('…')) {
              const shown = text === '(empty)' ? '' : text;
              expect(Buffer.from(parsePrintable(shown)).toString('hex')).toBe(bytesOf(cell));
            }
            if (column.kind === 'bytes' && cell !== null) expect(value).toBe(String(cell));
          }
        }
      }
    }),
  );

  it(
    'leaves hostile keys inert: no element of theirs, no script of theirs',
    opened(() => {
      const { result } = visit(
        page,
        `return { scripts: document.scripts.length, bold: document.querySelectorAll('main b').length,
          odd: [...document.querySelectorAll('main *')].map((one) => one.localName).filter((name) => !/^(section|h2|h3|p|b|dl|dt|dd|div|table|thead|tbody|tr|th|td|code|bdi|span|details|summary|pre|figure|svg|g|path|text|rect|line|polyline|style|defs|clippath|lineargradient|stop|button|label|input|tspan)$/i.test(name)) };`,
      );
      const verdicts = documents
        .flatMap((document) => [...document.notes, ...document.sections.flatMap((section) => section.notes)])
        .filter((note) => note.severity === 'warning' || note.severity === 'error').length;
      expect(result).toEqual({ scripts: 2, bold: verdicts, odd: [] });
    }),
  );

  it(
    'sorts and filters its tables',
    opened(() => {
      const { result } = visit(
        page,
        `const table = [...document.querySelectorAll('table')].find((one) => one.tBodies[0].rows.length > 20 && /Memory/.test(one.tHead.textContent));
         const at = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === 'Memory');
         const values = () => [...table.tBodies[0].rows].map((row) => Number(row.cells[at].dataset.v));
         const button = table.tHead.rows[0].cells[at].querySelector('button');
         button.click(); const down = values(); button.click(); const up = values();
         const input = table.parentNode.previousElementSibling.querySelector('input');
         input.value = 'pipe'; input.dispatchEvent(new Event('input'));
         const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden).length;
         const status = table.parentNode.previousElementSibling.querySelector('[role=status]').textContent;
         return { down, up, shown, status, sort: table.tHead.rows[0].cells[at].getAttribute('aria-sort') };`,
      );
      const { down, up, shown, status, sort } = result as Record<string, never> & {
        down: number[];
        up: number[];
      };
      expect(down).toEqual([...down].sort((a, b) => b - a));
      expect(up).toEqual([...up].sort((a, b) => a - b));
      expect(sort).toBe('ascending');
      expect(shown).toBe(1);
      expect(status).toMatch(/^1 of \d+ rows$/);
    }),
  );

  it(
    'has no serious fault that axe-core knows, in either theme',
    opened(async () => {
      // A few rows of everything: the rules look at kinds of elements, not at how many there are.
      const small = definitions.map((definition) => {
        const short = definition.parameters.filter((parameter) => parameter.kind === 'limit');
        return runReport(
          database,
          definition,
          Object.fromEntries(short.map((parameter) => [parameter.name, '3'])),
        );
      });
      const text = await renderers.html.render(small, PLAIN);
      const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
      for (const dark of [false, true]) {
        const themed = dark ? text.replace('@media (prefers-color-scheme:dark){', '@media all{') : text;
        const { result } = visit(
          themed,
          `const { violations } = await axe.run(document, { resultTypes: ['violations'] });
           return violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
             .map((one) => [one.id, one.nodes[0].html.slice(0, 200), one.nodes[0].failureSummary]);`,
          [axe],
        );
        expect(result).toEqual([]);
      }
    }),
  );
});
