import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startQuery } from '../../src/report/adhoc.js';
import { loadCatalog } from '../../src/report/catalog.js';
import { parseDefinition } from '../../src/report/parse-definition.js';
import { runReport } from '../../src/report/run.js';
import { openStore } from '../../src/store/index.js';
import { rdbscope, SHOP } from '../cli/cli-run.js';
import { END_OF_GENERATED, reportPage } from './report-page.js';

const docs = new URL('../../docs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'rdbscope-docs-'));
const database = join(folder, 'shop.sqlite');
let store: ReturnType<typeof openStore>;
beforeAll(async () => {
  expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
  store = openStore(database);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const sqlBlocks = (name: string): string[] =>
  [...readFileSync(join(docs, name), 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1]!);

/** Half-expiring prefixes, big keys with a TTL, hashes over a listpack's limit, idle times: the shop has none. */
const NOT_IN_THE_DEMO: ReadonlySet<number> = new Set([10, 16, 17, 22]);

describe('the cookbook', () => {
  const questions = sqlBlocks('sql-cookbook.md');

  it('answers at least 25 questions', () => {
    expect(questions.length).toBeGreaterThanOrEqual(25);
  });

  it.each(questions.map((sql, i) => [i + 1, sql] as const))('question %i runs', (number, sql) => {
    const { names, rows } = startQuery(store, { sql, parameters: {} });
    expect(names.length).toBeGreaterThan(0);
    const found = [...rows].length;
    if (!NOT_IN_THE_DEMO.has(number)) expect(found).toBeGreaterThan(0);
  });
});

describe('the guide to writing reports', () => {
  it('has an example that is a report', () => {
    const [example] = sqlBlocks('writing-reports.md');
    const definition = parseDefinition('fat-sessions.sql', 'fat-sessions', example!);
    expect(runReport(store, definition).sections[0]?.empty).toBeDefined();
    const [section] = runReport(store, definition, { least: '10', top: '3' }).sections;
    expect(section?.rows).toHaveLength(3);
    expect(section?.totalRows).toBe(800);
  });
});

describe('the pages of the reports', () => {
  const catalog = loadCatalog();

  it('are there for every report, and for no other', () => {
    const pages = readdirSync(join(docs, 'reports')).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual([...catalog.keys()].map((id) => `${id}.md`).sort());
  });

  it.each([...catalog.values()].map((definition) => [definition.id, definition] as const))(
    '%s: the generated part is up to date (vitest -u writes it), and a reading follows',
    async (id, definition) => {
      const path = join(docs, 'reports', `${id}.md`);
      const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
      const reading = before.split(END_OF_GENERATED)[1] ?? '';
      await expect(reportPage(definition) + reading).toMatchFileSnapshot(path);
      expect(reading.trim().length).toBeGreaterThan(100);
    },
  );

  it('are listed', async () => {
    const lines = [...catalog.values()].map(({ id, summary }) => `| [${id}](${id}.md) | ${summary} |`);
    const head =
      '# Reports\n\nOne page each. `rdbscope reports` prints the same list.\n\n| report | answers |\n|---|---|\n';
    await expect(`${head}${lines.join('\n')}\n`).toMatchFileSnapshot(join(docs, 'reports', 'README.md'));
  });
});
