import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type Finding, loadRules, type RuleSettings, runRules } from '../../src/findings/index.js';
import { loadSnapshot } from '../../src/load.js';
import { openStore } from '../../src/store/index.js';

const scratch = mkdtempSync(join(tmpdir(), 'rdbscope-findings-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let loads = 0;

/** Loads a snapshot and opens its database; it goes with the test file. */
export async function loaded(snapshot: Uint8Array): Promise<ReturnType<typeof openStore>> {
  const input = join(scratch, `${++loads}.rdb`);
  const output = join(scratch, `${loads}.sqlite`);
  writeFileSync(input, snapshot);
  const { complete } = await loadSnapshot({ input, output });
  if (!complete) throw new Error('the snapshot is damaged');
  return openStore(output);
}

/** What rules find, all of them when none is named: `warning long-name nnn…: 1`, in order of rank. */
export function findings(
  database: ReturnType<typeof openStore>,
  rule?: string,
  settings: RuleSettings = {},
): string[] {
  const rules = loadRules();
  const chosen = rule === undefined ? rules : new Map([[rule, rules.get(rule)!]]);
  return runRules(database, chosen, { settings }).map(toLine);
}

function toLine({ severity, rule, subject, keys }: Finding): string {
  const text = subject.text.length > 40 ? `${subject.text.slice(0, 8)}…${subject.text.length}` : subject.text;
  return `${severity} ${rule.id} ${text}: ${keys}`;
}
