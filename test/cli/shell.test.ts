import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { complete } from '../../src/cli/shell.js';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const database = join(scratchFolder(), 'shop.sqlite');
beforeAll(async () => {
  expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
});

/** Types lines into the shell and returns what it said. */
async function shell(lines: readonly string[]): Promise<string> {
  let said = '';
  const output = {
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => {
      said += text;
    },
  };
  await main(['sql', database], {
    stdout: output,
    stderr: output,
    stdin: Readable.from(lines.map((line) => `${line}\n`)),
    stdinIsTerminal: true,
    env: {},
    signal: new AbortController().signal,
  });
  return said;
}

describe('the shell', () => {
  it('greets, runs statements of several lines, and tells how long they took', async () => {
    const said = await shell(['SELECT type, COUNT(*) AS n', 'FROM keys GROUP BY type', 'ORDER BY type;']);
    expect(said).toContain('4,181 keys  read-only');
    expect(said).toMatch(/^hash +1,900$/m);
    expect(said).toMatch(/\(\d+ m?s\)/);
  });

  it('goes on after an error', async () => {
    const said = await shell(['SELECT nope;', 'DROP TABLE files;', '.nope', 'SELECT 6 * 7 AS answer;']);
    expect(said).toContain('no such column: nope');
    expect(said).toContain('the database is only read');
    expect(said).toContain('there is no .nope');
    expect(said).toMatch(/^ *42$/m);
  });

  it('takes the words that other shells take', async () => {
    const said = await shell(['help', 'SELECT 1 AS one', ';', 'exit', 'SELECT 2 AS two;']);
    expect(said).toContain('.tables              the tables and views');
    expect(said).toMatch(/^ *one$/m);
    expect(said).not.toContain('two');
  });

  it('knows its dot commands', async () => {
    const said = await shell([
      '.help',
      '.tables',
      '.schema streams',
      '.reports',
      '.report big-keys top=1 by=elements',
      '.format jsonl',
      'SELECT 1 AS one;',
      '.quit',
      'SELECT 2 AS two;',
    ]);
    for (const text of [
      'Ctrl-D',
      'prefix_types',
      'oldest_pending_ms',
      'expiry-clusters',
      'queue:mail',
      '{"one":1}',
    ]) {
      expect(said).toContain(text);
    }
    expect(said).not.toContain('"two"');
  });
});

describe('completion', () => {
  it.each([
    ['.rep', ['.reports', '.report'], '.rep'],
    ['.schema stre', ['streams', 'stream_groups'], 'stre'],
    ['.format js', ['json', 'jsonl'], 'js'],
    ['.report expiry-c', ['expiry-clusters'], 'expiry-c'],
    ['SELECT memory_w', ['memory_without_ttl'], 'memory_w'],
    ['sel', ['SELECT'], 'sel'],
    ['SELECT ', [], ''],
  ] as const)('of %j', (line, offers, word) => {
    expect(complete(line)).toEqual([offers, word]);
  });
});
