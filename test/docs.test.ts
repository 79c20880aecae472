import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../src/cli/commands/index.js';
import { computedReports } from '../src/cli/computed-reports.js';
import { processContext } from '../src/cli/context.js';
import { EXIT } from '../src/cli/exit-codes.js';
import { buildProgram } from '../src/cli/main.js';
import { renderers } from '../src/render/index.js';
import { loadCatalog } from '../src/report/index.js';

const path = fileURLToPath(new URL('../README.md', import.meta.url));
const readme = readFileSync(path, 'utf8');

/** What stands between `<!-- name -->` and `<!-- /name -->`; `UPDATE_README=1` writes the expected text there. */
function partOf(name: string, expected: string): string {
  const part = new RegExp(`(<!-- ${name} -->)([\\s\\S]*?)(<!-- /${name} -->)`);
  if (process.env.UPDATE_README === '1') {
    const text = readFileSync(path, 'utf8').replace(part, (_, start, __, end) => start + expected + end);
    writeFileSync(path, text);
    return expected;
  }
  return part.exec(readme)?.[2] ?? '';
}

/** Table cells as Biome's formatter leaves them, whatever their padding. */
const cellsOf = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/^-+$/, '-')));

const program = buildProgram(processContext(), await loadCommands());

describe('the README', () => {
  it('lists every report with its summary', () => {
    const reports = loadCatalog();
    const computed = [...computedReports.values()].map(({ definition }) => definition);
    const rows = [...reports.values(), ...computed].map(({ id, summary }) => `| \`${id}\` | ${summary} |`);
    const table = ['', '', '| report | answers |', '| --- | --- |', ...rows, '', ''].join('\n');
    expect(cellsOf(partOf('reports', table))).toEqual(cellsOf(table));
  });

  it('lists every output format', () => {
    const formats = Object.keys(renderers)
      .map((format) => `\`${format}\``)
      .join(', ');
    expect(partOf('formats', formats)).toBe(formats);
  });

  it.each(program.commands.map((command) => command.name()))('shows the command %s', (name) => {
    expect(readme).toMatch(new RegExp(`^ {4}rdbscope ${name}( |$)`, 'm'));
  });

  it.each(Object.entries(EXIT))('names the exit code for "%s"', (_, code) => {
    expect(readme).toMatch(new RegExp(`^\\| ${code} +\\|`, 'm'));
  });
});

it('decisions are numbered one by one, in their headings too', () => {
  const folder = fileURLToPath(new URL('../docs/decisions/', import.meta.url));
  const names = readdirSync(folder).sort();
  const numbers = names.map((_, i) => String(i + 1).padStart(4, '0'));
  expect(names.map((name) => name.slice(0, 5))).toEqual(numbers.map((number) => `${number}-`));
  const headings = names.map((name) => readFileSync(folder + name, 'utf8').slice(0, 8));
  expect(headings).toEqual(numbers.map((number) => `# ${number}: `));
});
