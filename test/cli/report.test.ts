import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const folder = scratchFolder();
const database = join(folder, 'shop.sqlite');
beforeAll(async () => {
  expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
});

describe('report', () => {
  it('prints the reports that are named, filtered', async () => {
    const { stdout, exitCode } = await rdbscope([
      'report',
      database,
      'big-keys',
      '--type',
      'list',
      '--top',
      '5',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('queue:mail');
    expect(stdout).not.toContain('rank:global');
  });

  it('prints all of them when none is named, and says what a filter does not reach', async () => {
    const { stdout, stderr } = await rdbscope(['report', database, '--type', 'list']);
    expect(stdout).toContain('── Summary ');
    expect(stderr).toContain('report summary does not know type; it is shown in full');
  });

  it('tells of a pattern the type of its own keys, not of those below it', async () => {
    const { stdout } = await rdbscope([
      'report',
      database,
      'prefixes',
      '--section',
      'patterns',
      '--prefix',
      'product:{n}',
      '--format',
      'csv',
    ]);
    const rows = parseCsv(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => [row.prefix, row.main_type])).toEqual([
      ['product:{n}:tags', 'set'],
      ['product:{n}', 'hash'],
      ['product:{n}:stock', 'string'],
    ]);
  });

  it('writes to a file, in the format that its name tells', async () => {
    const path = join(folder, 'keys.csv');
    const { stdout } = await rdbscope([
      'report',
      database,
      'no-ttl',
      '--section',
      'keys',
      '--top',
      '3',
      '-o',
      path,
    ]);
    expect(stdout).toBe('');
    const rows = parseCsv(readFileSync(path, 'utf8'), { columns: true }) as Record<string, string>[];
    expect(rows.map((row) => row.key)).toEqual(['rank:global', 'queue:mail', 'stream:orders']);
  });

  it('shows the SQL of each table, which runs as it stands', async () => {
    const { stdout } = await rdbscope(['report', database, 'summary', '--section', 'types', '--show-sql']);
    const sql = stdout.slice(stdout.indexOf('SELECT kinds.type'));
    const again = await rdbscope(['sql', database, sql, '--format', 'jsonl']);
    expect(JSON.parse(again.stdout.split('\n')[0]!)).toMatchObject({ type: 'zset' });
  });

  it("runs the user's own reports, and says where they are wrong", async () => {
    const own = join(folder, 'ours');
    const write = (name: string, text: string) => writeFileSync(join(own, name), text);
    (await import('node:fs')).mkdirSync(own);
    write(
      'lists.sql',
      "-- @title  Lists\n-- @summary  All lists.\n-- @column  key  key\nSELECT key FROM keys WHERE type = 'list' ORDER BY key;\n",
    );
    const { stdout } = await rdbscope(['report', database, 'lists', '--reports', own]);
    expect(stdout).toContain('queue:mail');
    write(
      'wrong.sql',
      '-- @title  Wrong\n-- @summary  W.\n-- @column  key  nonsense\nSELECT key FROM keys;\n',
    );
    const wrong = await rdbscope(['report', database, 'wrong', '--reports', own]);
    expect(wrong.exitCode).toBe(4);
    expect(wrong.stderr).toMatch(/wrong\.sql:3: there is no kind "nonsense"/);
  });

  it.each([
    [
      ['report', 'DB', 'big-kyes'],
      2,
      'there is no report "big-kyes" (did you mean big-keys?); there are summary',
    ],
    [['report', 'DB', 'big-keys', '--param', 'by=size'], 2, 'by is one of memory, elements'],
    [['report', 'DB', 'big-keys', '--param', 'tpo=5'], 2, 'no report here has a parameter "tpo"'],
    [['report', 'DB', 'summary', '--type', 'list'], 2, 'no report here has a parameter "type"'],
    [['report', 'DB', 'summary', 'big-keys', '--type', 'list'], 2, 'report summary has no parameter "type"'],
    [['report', 'DB', 'big-keys', '--type', 'strng'], 2, 'There are string, list, set, zset'],
    [['report', 'DB', '--section', 'nope'], 2, 'no report here has a section "nope"'],
    [['report', 'DB', '--format', 'pdf'], 2, 'pdf'],
    [['report', 'DB', 'summary', '-o', 'x.pdf'], 2, '--format is needed'],
    [
      ['report', 'DB', 'summary', '-o', '/nowhere/x.md'],
      74,
      'the folder /nowhere does not exist; make it first',
    ],
    [['report', '/nowhere.sqlite'], 2, 'no such file'],
    [['report', SHOP], 2, 'is a snapshot, not a database. Load it first'],
    [['report', '/etc/hostname'], 2, 'not a readable SQLite database'],
    [['report'], 2, "missing required argument 'database'"],
    [['frobnicate'], 2, "unknown command 'frobnicate'"],
    [['report', 'DB', '--reports', '/nowhere'], 2, '/nowhere: there is no such report folder'],
    [['findings', 'DB', '--rule-folder', '/nowhere'], 2, '/nowhere: there is no such rule folder'],
    [['sql', 'DB', '--file', '/nowhere.sql'], 2, '/nowhere.sql: there is no such file'],
    [['schema', 'kesy'], 2, 'there is no table "kesy" (did you mean keys?); there are keys, prefixes'],
    [['load', SHOP, '-o', 'shop.html'], 2, 'rdbscope report shop.sqlite -o shop.html'],
    [['load', SHOP, '--config', '/nowhere.conf'], 2, '/nowhere.conf: there is no such file'],
  ] as const)('%j: exit code %i and a sentence', async (args, exitCode, message) => {
    const result = await rdbscope(args.map((arg) => (arg === 'DB' ? database : arg)));
    expect(result.stderr).toContain(message);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).not.toMatch(/\n {4}at /);
  });

  it('colours at a terminal unless told not to', async () => {
    const run = async (args: string[], env = {}) =>
      (await rdbscope(['report', database, 'summary', ...args], { terminal: 100, env })).stdout.includes(
        '\u001b[',
      );
    expect(await run([])).toBe(true);
    expect(await run(['--no-color'])).toBe(false);
    expect(await run([], { NO_COLOR: '1' })).toBe(false);
    expect(await run([], { TERM: 'dumb' })).toBe(false);
  });
});

describe('sql', () => {
  const sql = (args: string[], world = {}) => rdbscope(['sql', database, ...args], world);

  it('names columns without what could steer a terminal', async () => {
    const { stdout } = await sql(['SELECT 1 AS "a\x1b[2J\x07b\n  c", 2 +\n3']);
    expect(stdout).toContain('a\\x1b[2J\\x07b');
    expect(stdout).not.toContain('\x1b');
  });

  it('runs a statement from the command line, a file or standard input', async () => {
    const statement = 'SELECT type, COUNT(*) AS n FROM keys GROUP BY type ORDER BY type';
    const direct = await sql([statement, '--format', 'csv']);
    expect(direct.stdout.split('\r\n').slice(0, 2)).toEqual(['type,n', 'hash,1900']);
    const file = join(folder, 'q.sql');
    writeFileSync(file, `${statement};\n`);
    expect((await sql(['--file', file, '--format', 'csv'])).stdout).toBe(direct.stdout);
    expect((await sql(['--format', 'csv'], { stdin: statement })).stdout).toBe(direct.stdout);
  });

  it('takes parameters and renders by the names of columns', async () => {
    const { stdout } = await sql([
      'SELECT key, memory_bytes FROM keys WHERE type = :type',
      '-p',
      'type=stream',
    ]);
    expect(stdout).toMatch(/stream:orders +120 KB/);
  });

  it('stops at the row limit and says so; all rows stream through', async () => {
    const some = await sql(['SELECT id FROM keys', '--max-rows', '700', '--format', 'jsonl']);
    expect(some.stdout.trimEnd().split('\n')).toHaveLength(700);
    expect(some.stderr).toContain('stopped after 700 rows');
    const all = await sql(['SELECT id FROM keys', '--max-rows', '0', '--format', 'csv']);
    expect(all.stdout.trimEnd().split('\r\n')).toHaveLength(4182);
    expect(all.stderr).toBe('');
    const table = await sql(['SELECT id FROM keys', '--max-rows', '10']);
    expect(table.stderr).toContain('stopped after 10 rows');
  });

  it('says the columns even of no rows', async () => {
    expect((await sql(['SELECT key FROM keys WHERE 0', '--format', 'csv'])).stdout).toBe('key\r\n');
    expect((await sql(['SELECT key FROM keys WHERE 0'])).stdout).toContain('No rows.');
  });

  it('really stops a query that runs away', async () => {
    const started = Date.now();
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c';
    const result = await sql([endless, '--timeout', '1']);
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toContain('the query was stopped after 1 s');
    expect(Date.now() - started).toBeLessThan(10_000);
  });

  it('stops a query that wants too much memory', async () => {
    const huge =
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 400) ' +
      'SELECT group_concat(hex(zeroblob(1000000))) FROM c';
    const result = await sql([huge]);
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toContain('more memory than it may take');
  });

  it.each([
    'DELETE FROM files',
    "ATTACH 'x' AS y",
    'PRAGMA journal_mode = wal',
    'SELECT nope',
    'SELECT 1; SELECT 2',
  ])('refuses %s with exit code 4', async (statement) => {
    const result = await sql([statement]);
    expect(result.exitCode).toBe(4);
    expect(result.stderr).toMatch(/^rdbscope: /);
  });
});

describe('--redact', () => {
  it('lets no id out of a report or a query, and gives the same tokens for one secret', async () => {
    const report = await rdbscope(['report', database, 'no-ttl', '--redact']);
    expect(report.stdout).toMatch(/^product:~[0-9a-f]{12}:tags/m);
    expect(report.stdout).not.toMatch(/product:\d/);
    const query = (secret: string) =>
      rdbscope([
        ...['sql', database, "SELECT key AS k FROM keys WHERE type = 'hash' ORDER BY id LIMIT 5"],
        ...['--redact-secret', secret, '--format', 'csv'],
      ]);
    const first = await query('a');
    expect(first.stdout).toMatch(/^k\r\n(\w+:~[0-9a-f]{12}(:\w+)?\r\n){5}$/);
    expect((await query('a')).stdout).toBe(first.stdout);
    expect((await query('b')).stdout).not.toBe(first.stdout);
  });
});

describe('reports and schema', () => {
  it('list what there is, and tell about one', async () => {
    expect((await rdbscope(['reports'])).stdout).toMatch(/^expiry-clusters +Seconds and minutes/m);
    expect((await rdbscope(['reports', 'big-keys'])).stdout).toMatch(/^min_bytes +bytes/m);
    expect((await rdbscope(['schema'])).stdout).toMatch(/^memory_bytes +modelled memory/m);
    expect((await rdbscope(['schema', 'nothing'])).exitCode).toBe(2);
  });
});

describe('help', () => {
  it.each(['analyze', 'load', 'report', 'sql', 'reports', 'schema'])(
    'of %s has examples',
    async (command) => {
      const { stdout, exitCode } = await rdbscope([command, '--help']);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/Examples:\n {2}\S/);
    },
  );
});
