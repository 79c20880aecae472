import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const folder = scratchFolder();
const rules = join(folder, 'names.rules');
const database = join(folder, 'shop.sqlite');
const plain = join(folder, 'plain.sqlite');

beforeAll(async () => {
  writeFileSync(rules, '# pages of the catalogue\n\ncache:page:{path} = /catalog/[a-z]+/\\d+\n');
  expect((await rdbscope(['load', SHOP, '-o', database, '--pattern-rules', rules])).exitCode).toBe(0);
  expect((await rdbscope(['load', SHOP, '-o', plain])).exitCode).toBe(0);
});

async function rows(path: string, ...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await rdbscope(['sql', path, '--format', 'jsonl', ...args]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('load --pattern-rules', () => {
  it('sums what matches under the placeholder, and the whole stays the same', async () => {
    const { stdout } = await rdbscope([
      'report',
      database,
      'prefixes',
      '--prefix',
      'cache:page:{path}',
      '--format',
      'markdown',
    ]);
    expect(stdout).toMatch(/cache:page:\{path\}`: 800 keys/);
    expect(stdout).toContain("Named by the load's own rules: {path}");
    expect(stdout).toContain('cache:page:/catalog/chair/1035');
    const total = 'SELECT keys, memory_bytes, elements FROM prefixes WHERE depth < 3 AND prefix IN (:a, :b)';
    const which = ['-p', 'a=cache', '-p', 'b=cache:page'];
    expect(await rows(database, total, ...which)).toEqual(await rows(plain, total, ...which));
  });

  it('does not depend on how records are read and rows are written', async () => {
    // Plain records are taken straight from the window, unless rows are inserted one by one.
    const everywhere = join(folder, 'all.rules');
    writeFileSync(everywhere, '{word} = [a-z]+\nproduct:{n}:{field} = t.*|stock\n{page} = /.*\n');
    const prefixesOf = async (name: string, ...options: string[]) => {
      const path = join(folder, name);
      const args = ['load', SHOP, '-o', path, '--pattern-rules', everywhere, ...options];
      expect((await rdbscope(args)).exitCode).toBe(0);
      return rows(path, '--max-rows', '0', 'SELECT * FROM prefixes ORDER BY prefix');
    };
    const loaded = await prefixesOf('pages.sqlite');
    expect(JSON.stringify(loaded)).toContain('{word}:{n}:{word}');
    const inserted = await prefixesOf('inserts.sqlite', '--safe-insert');
    const sums = (all: Record<string, unknown>[]) => all.map(({ id: _, parent_id: __, ...rest }) => rest);
    expect(sums(loaded)).toEqual(sums(inserted));
  });

  it('what-if goes by the rules of the database, or by those that are given', async () => {
    const asReport = await rdbscope(['report', database, 'what-if', '-p', 'server=8.2', '--format', 'json']);
    expect(asReport.stdout).toContain('cache:page:{path}');
    const given = await rdbscope([
      'what-if',
      SHOP,
      '--server',
      '8.2',
      '--pattern-rules',
      rules,
      '-f',
      'json',
    ]);
    expect(given.stdout).toContain('cache:page:{path}');
    const without = await rdbscope(['what-if', SHOP, '--server', '8.2', '--format', 'json']);
    expect(without.stdout).not.toContain('{path}');
  });

  it('findings and redacted reports know the placeholder', async () => {
    const { stdout, exitCode } = await rdbscope(['findings', database, '--format', 'json']);
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('cache:page:/catalog/chair/{n}');
    const redacted = await rdbscope(['report', database, 'prefixes', '--redact']);
    expect(redacted.stdout).toContain('cache:page:{path}');
  });
});

describe('a rules file that cannot be used', () => {
  it.each([
    ['bad.rules', '{a} = a\n{b = b', /bad\.rules:2: a rule is a placeholder, = and a regular expression/],
    ['worse.rules', '{a} = [', /worse\.rules:1: Invalid regular expression/],
    ['huge.rules', '{a} = (?:(?:a|b)*a(?:a|b){30})', /huge\.rules:1: the expression is too large/],
    ['other.rules', 'a/{b} = b', /other\.rules:1: "a\/" must end with what parts segments \(:\)/],
    ['empty.rules', '', /empty\.rules: has no rule in it/],
    ['steering.rules', '{\x1b[31m} = x', /steering\.rules:1: \{\\x1b\[31m\} is no name/],
    ['long.rules', '#'.repeat(2 ** 20 + 1), /long\.rules: is too long for a rules file/],
  ])('%s', async (name, text, message) => {
    const file = join(folder, name);
    const output = join(folder, 'not-made.sqlite');
    writeFileSync(file, text);
    const { exitCode, stderr } = await rdbscope(['load', SHOP, '-o', output, '--pattern-rules', file]);
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    expect(existsSync(output)).toBe(false);
  });

  it('is not there, or is a folder', async () => {
    mkdirSync(join(folder, 'dir.rules'));
    for (const [name, said] of [
      ['none.rules', 'there is no such rules file'],
      ['dir.rules', 'is a folder'],
    ] as const) {
      const { exitCode, stderr } = await rdbscope(['load', SHOP, '--pattern-rules', join(folder, name)]);
      expect(stderr).toContain(said);
      expect(exitCode).toBe(2);
    }
  });
});
