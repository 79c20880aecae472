import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const folder = scratchFolder();
const database = join(folder, 'shop.sqlite');

describe('analyze', () => {
  let result: Awaited<ReturnType<typeof rdbscope>>;
  beforeAll(async () => {
    result = await rdbscope(['analyze', SHOP, '-o', database]);
  });

  it('prints the verdict, the summary and the core reports', () => {
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain('Sound: checksum ok');
    for (const title of [
      'Summary',
      'Prefixes',
      'Big keys',
      'Keys with no TTL',
      'Expiry timeline',
      'Expiry clusters',
    ]) {
      expect(result.stdout).toContain(`── ${title} `);
    }
    expect(result.stdout).toMatch(/^zset .*rank:global|^rank:global +zset/m);
    expect(result.stdout).toMatch(/cache:page +800 +100.0 %/);
  });

  it('says on stderr where the database is and what to try next', () => {
    expect(result.stderr).toMatch(/Written to .*shop\.sqlite \([\d.]+ KB\) in /);
    expect(result.stderr).toContain('rdbscope report ');
    expect(result.stderr).toContain('rdbscope findings ');
    expect(result.stderr).toContain("--prefix 'session:{uuid}'");
    expect(result.stderr).not.toContain('\u001b');
  });

  it('leaves one file: the database, which a stock SQLite reads', () => {
    expect(readdirSync(folder)).toEqual(['shop.sqlite']);
    const stock = new Database(database, { readonly: true });
    expect(stock.prepare('SELECT COUNT(*) FROM keys').pluck().get()).toBe(4181);
    stock.close();
  });

  it('gives the same in another format on stdout alone', async () => {
    const { stdout } = await rdbscope(['analyze', SHOP, '-o', database, '--format', 'json', '--top', '3']);
    const { reports } = JSON.parse(stdout);
    expect(reports.map((report: { id: string }) => report.id)).toEqual([
      'summary',
      'prefixes',
      'big-keys',
      'no-ttl',
      'expiry-timeline',
      'expiry-clusters',
    ]);
    expect(reports[2].sections[0].rows).toHaveLength(3);
  });

  it('reads standard input', async () => {
    const output = join(folder, 'piped.sqlite');
    const { exitCode, stdout } = await rdbscope(['analyze', '-', '-o', output], {
      stdin: readFileSync(SHOP),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('4,181 keys read of 4,181 announced');
  });
});

describe('analyze, of what is no sound snapshot', () => {
  const write = (name: string, bytes: Uint8Array | string): string => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const output = join(folder, 'bad.sqlite');

  it.each([
    ['nothing at all', () => join(folder, 'missing.rdb'), 2, /does not exist/],
    ['a folder', () => folder, 2, /folder|directory/],
    ['an empty file', () => write('empty.rdb', ''), 3, /is empty/],
    ['a text', () => write('text.rdb', 'hello, this is text\n'.repeat(20)), 3, /text\.rdb .*not/],
    ['a 7-Zip archive', () => write('x.7z', Buffer.from('377abcaf271c0004', 'hex')), 3, /7-?[zZ]ip/],
  ] as const)('%s: one paragraph, no stack, no database', async (_, make, exitCode, message) => {
    const result = await rdbscope(['analyze', make(), '-o', output]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toMatch(message);
    expect(result.stderr).toMatch(/^rdbscope: /);
    expect(result.stderr).not.toMatch(/\n {4}at /);
    expect(result.stdout).toBe('');
    expect(existsSync(output)).toBe(false);
  });

  it('a cut snapshot: what was read is kept, shown, and marked; exit code 3', async () => {
    const path = join(folder, 'cut.rdb');
    copyFileSync(SHOP, path);
    truncateSync(path, 200_000);
    const result = await rdbscope(['analyze', path, '-o', output]);
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toContain('!! Incomplete: ');
    expect(result.stderr).toMatch(/cut\.rdb is damaged at byte [\d,]+ \([\d.>]+ % of the file\)/);
    expect(result.stderr).toMatch(
      /what is kept: +[\d,]+ keys before it are in .*bad\.sqlite, marked incomplete/,
    );
    const kept = new Database(output, { readonly: true });
    expect(kept.prepare('SELECT complete, keys_read > 100 FROM files').raw().get()).toEqual([0, 1]);
    kept.close();
  });

  it('a flipped bit: the checksum tells', async () => {
    const bytes = readFileSync(SHOP);
    const path = write('flipped.rdb', bytes);
    const at = bytes.indexOf('export:catalog.csv') + 400;
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(path, bytes);
    const result = await rdbscope(['load', path, '-o', output]);
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toMatch(/checksum is wrong|is damaged/);
  });

  it('never overwrites a file that is not its own', async () => {
    const path = write('mine.sqlite', 'my notes');
    const result = await rdbscope(['analyze', SHOP, '-o', path]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('was not written by rdbscope');
    expect(readFileSync(path, 'utf8')).toBe('my notes');
  });

  it('a folder that does not exist for the database is an output fault', async () => {
    const result = await rdbscope(['load', SHOP, '-o', join(folder, 'no', 'such', 'x.sqlite')]);
    expect(result.exitCode).toBe(74);
    expect(result.stderr).toContain('does not exist');
  });

  it('stopped by the user leaves nothing behind', async () => {
    const controller = new AbortController();
    const { Interrupted } = await import('../../src/cli/context.js');
    controller.abort(new Interrupted());
    const path = join(folder, 'stopped.sqlite');
    const result = await rdbscope(['load', SHOP, '-o', path], { signal: controller.signal });
    expect(result.exitCode).toBe(130);
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
  });
});
