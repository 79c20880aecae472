import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const folder = scratchFolder();
const database = join(folder, 'shop.sqlite');
beforeAll(async () => {
  expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
});

async function said(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await rdbscope(args);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return stdout;
}

describe('findings', () => {
  it('are one ranked list, with why and what to do, in 80 columns', async () => {
    const text = await said('findings', database);
    expect(text).toContain('12 warnings, 6 notes; 30 rules checked.');
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    const ranked = lines
      .filter((line) => /^(error|warning|note) /.test(line))
      .map((line) => line.split(/ +/)[1]);
    expect(ranked.slice(0, 3)).toEqual(['heavy-key', 'heavy-key', 'short-lived-no-ttl']);
    expect(text).toContain('Why, and what to do');
  });

  it('are the same in every format', async () => {
    const json = JSON.parse(await said('findings', database, '--format', 'json'));
    const rows = json.reports[0].sections[0].rows;
    expect(rows).toHaveLength(18);
    expect(rows[2]).toMatchObject({
      severity: 'warning',
      rule: 'short-lived-no-ttl',
      subject: 'session',
      subject_kind: 'prefix',
      keys: 800,
      memory_bytes: 137_120,
      command: `rdbscope plan ${database} --for ${rows[2].finding}`,
    });
    const lines = (await said('findings', database, '--format', 'jsonl')).trim().split('\n');
    expect(lines.filter((line) => JSON.parse(line).section === 'findings')).toHaveLength(18);
    const csv = await said('findings', database, '--format', 'csv');
    expect(csv).toContain('short-lived-no-ttl');
    expect(await said('findings', database, '--format', 'markdown')).toContain('| short-lived-no-ttl |');
    expect(await said('findings', database, '--format', 'html')).toContain('short-lived-no-ttl');
  });

  it('as SARIF name tool, rules, results and places', async () => {
    const path = join(folder, 'findings.sarif');
    await said('findings', database, '-o', path);
    const log = JSON.parse(readFileSync(path, 'utf8'));
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    expect(run.tool.driver).toMatchObject({ name: 'rdbscope', version: expect.stringMatching(/^\d/) });
    expect(run.results).toHaveLength(18);
    for (const result of run.results) {
      expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId);
      expect(['error', 'warning', 'note']).toContain(result.level);
      expect(result.message.text).not.toBe('');
      const { uri } = result.locations[0].physicalLocation.artifactLocation;
      expect(decodeURIComponent(uri)).toBe(SHOP);
      expect(result.partialFingerprints['rdbscopeFinding/v1']).toMatch(/^[0-9a-f]{10}$/);
    }
    const binary = run.results.find((result: { ruleId: string }) => result.ruleId === 'not-utf8');
    expect(binary.locations[0].logicalLocations[0].fullyQualifiedName).toBe('bin:\\xff\\x00\\xfe');
  });

  it('can be narrowed by topic, rule and severity, and their limits set', async () => {
    const count = async (...args: string[]): Promise<number> =>
      JSON.parse(await said('findings', database, '--format', 'json', ...args)).reports[0].sections[0].rows
        .length;
    expect(await count('--topic', 'naming')).toBe(10);
    expect(await count('--rule', 'big-string', '--rule', 'hash-tag')).toBe(2);
    expect(await count('--severity', 'warning')).toBe(12);
    expect(await count('--severity', 'error')).toBe(0);
    expect(await count('--rule', 'big-string', '-p', 'big-string.limit=61113')).toBe(0);
    expect(await count('--rule', 'big-string', '-p', 'big-string.limit=61112')).toBe(1);
    expect(await count('--severity', 'error', '-p', 'big-string.critical=1KB')).toBe(1);
    expect(await count('--top', '3')).toBe(3);
  });

  it('lists the rules without a database', async () => {
    const text = await said('findings', '--rules');
    expect(text).toContain('short-lived-no-ttl');
    expect(text).toContain('big-string.limit');
  });

  it.each([
    [['findings'], /name a database/],
    [['findings', database, '--rule', 'big-strings'], /there is no rule "big-strings"/],
    [['findings', database, '-p', 'limits=3'], /no rule has a parameter "limits"/],
    [['findings', database, '-p', 'big-string.limit=many'], /rule big-string: limit is a size/],
    [['findings', SHOP], /is a snapshot, not a database/],
  ])('%j is told to be wrong', async (args, message) => {
    const { exitCode, stderr } = await rdbscope(args);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('are a part of the page of all reports', async () => {
    const path = join(folder, 'page.html');
    await said('report', database, '--format', 'html', '-o', path);
    expect(readFileSync(path, 'utf8')).toContain('One key with much of the memory');
  });
});

describe('plan', () => {
  const idOf = async (rule: string): Promise<string> => {
    const json = JSON.parse(await said('findings', database, '--rule', rule, '--format', 'json'));
    return json.reports[0].sections[0].rows[0].finding;
  };

  it('is made for a finding, with its own action and exactly its keys', async () => {
    const id = await idOf('short-lived-no-ttl');
    const plan = JSON.parse(await said('plan', database, '--for', id, '--ttl', '30d', '--format', 'json'));
    expect(plan).toMatchObject({ action: 'expire', keys: 800, memory_bytes: 137_120 });
    const keys = plan.steps.flatMap((step: { keys: { printable: string }[] }) => step.keys);
    expect(keys).toHaveLength(800);
    expect(keys.every((key: { printable: string }) => key.printable.startsWith('session:'))).toBe(true);
  });

  it('is made for a key of any bytes, and for a prefix', async () => {
    const one = JSON.parse(
      await said('plan', database, '--key', 'bin:\\xff\\x00\\xfe', '--action', 'unlink', '--format', 'json'),
    );
    expect(one.steps[0].keys[0].hex).toBe('62696e3aff00fe');
    const many = JSON.parse(
      await said('plan', database, '--prefix', 'rank:week', '--action', 'drain', '--format', 'json'),
    );
    expect(many.keys).toBe(3);
    const shell = await said('plan', database, '--key', 'queue:mail', '--action', 'trim', '--keep', '100');
    expect(shell).toMatch(/^#!\/bin\/sh\n/);
    expect(shell).toContain('CONFIRM=yes');
  });

  it('goes into a file that only its owner may read', async () => {
    const path = join(folder, 'plan.sh');
    expect(await said('plan', database, '--key', 'queue:mail', '--action', 'drain', '-o', path)).toBe('');
    expect(readFileSync(path, 'utf8')).toContain('EVALSHA');
  });

  it.each([
    [['plan', 'DB'], /name one of --for, --key and --prefix/],
    [['plan', 'DB', '--key', 'x', '--prefix', 'y', '--action', 'drain'], /name one of/],
    [['plan', 'DB', '--key', 'queue:mail'], /--action is needed/],
    [['plan', 'DB', '--key', 'nothing', '--action', 'drain'], /there are no such keys: key "nothing"/],
    [['plan', 'DB', '--prefix', 'no', '--action', 'drain'], /there is no prefix "no"/],
    [['plan', 'DB', '--for', '0000000000'], /there is no finding "0000000000"/],
    [['plan', 'DB', '--key', 'queue:mail', '--action', 'split'], /only a hash can be split/],
    [['plan', 'DB', '--key', 'queue:mail', '--action', 'drain', '--batch', '501'], /1 to 500/],
    [['plan', 'DB', '--key', 'x', '--action', 'drain', '--tolerance', '200%'], /share from 0 to below 100%/],
  ])('%j is told to be wrong', async (args, message) => {
    const { exitCode, stderr } = await rdbscope(args.map((arg) => (arg === 'DB' ? database : arg)));
    expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
  });
});
