import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../src/report/catalog.js';
import { runReport } from '../../src/report/run.js';
import { openStore } from '../../src/store/index.js';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const program = new URL('../../bin/rdbscope.js', import.meta.url).pathname;
const database = join(scratchFolder(), 'shop.sqlite');
beforeAll(async () => {
  expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
});

const shell = (line: string) =>
  spawnSync('bash', ['-c', `set -o pipefail; ${line}`], {
    encoding: 'utf8',
    env: { ...process.env, R: `${process.execPath} ${program}`, DB: database },
  });

describe('the program', () => {
  it('ends quietly when the reader of its pipe has gone', () => {
    for (const args of [
      'report $DB --top 0',
      'sql $DB "SELECT * FROM keys" --max-rows 0 -f csv',
      '--help',
      'report --help',
    ]) {
      const { stdout, stderr, status } = shell(`$R ${args} | head -1`);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout.split('\n')).toHaveLength(2);
    }
  });

  it('says that the disk is full, with exit code 74', () => {
    // Linux has a device that is always full; elsewhere there is nothing to write to.
    if (!existsSync('/dev/full')) return expect(process.platform).not.toBe('linux');
    for (const line of [
      '$R report $DB summary > /dev/full',
      '$R report $DB summary --format json -o /dev/full',
      '$R sql $DB "SELECT key FROM keys" -f csv > /dev/full',
      '$R sql $DB "SELECT key FROM keys" -f csv -o /dev/full',
    ]) {
      const { stderr, status } = shell(line);
      expect(status).toBe(74);
      expect(stderr).toContain('no space is left');
    }
  });

  it('writes neither colours nor progress into a pipe', () => {
    const { stdout, stderr } = shell(`$R analyze '${SHOP}' -o $DB | cat`);
    expect(stdout).toContain('Sound');
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('knows its version', () => {
    expect(shell('$R --version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('tells a stack only with --debug', () => {
    expect(shell('$R report nowhere.sqlite').stderr).not.toContain('    at ');
    expect(shell('$R report nowhere.sqlite --debug').stderr).toContain('    at ');
  });
});

const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;

describe(
  hasSqlite
    ? "the reports' SQL in the stock sqlite3 shell"
    : 'no sqlite3 is here: SQL was not pasted into it',
  () => {
    it.each([...loadCatalog().values()].map((definition) => [definition.id, definition] as const))(
      '%s',
      (_, definition) => {
        const store = openStore(database);
        const { sections } = runReport(store, definition);
        const functions = store
          .prepare('SELECT name FROM pragma_function_list WHERE builtin = 0')
          .pluck()
          .all();
        const ours = new RegExp(`\\b(${functions.join('|')})\\(`);
        store.close();
        if (!hasSqlite) return expect(hasSqlite).toBe(false);
        for (const { sql, rows } of sections) {
          if (ours.test(sql)) continue;
          const run = spawnSync('sqlite3', ['-readonly', '-ascii', database, `${sql};`], {
            encoding: 'utf8',
          });
          expect([run.status, run.stderr]).toEqual([0, '']);
          expect(run.stdout.split('\u001e').length - 1).toBe(rows.length);
        }
      },
    );
  },
);
