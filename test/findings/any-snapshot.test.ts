import { describe, expect, it } from 'vitest';
import { type Finding, findingsDocument, loadRules, runRules } from '../../src/findings/index.js';
import { renderers } from '../../src/render/index.js';
import { sarif } from '../../src/render/sarif.js';
import { readTruthSet, shippedTruthSetNames } from '../fixtures.js';
import { hostileSnapshot } from '../report/hostile-snapshot.js';
import { SnapshotDatabase } from '../report/snapshot-database.js';
import { loaded } from './found.js';

type Store = Awaited<ReturnType<typeof loaded>>;

const OPTIONS = { width: 80, color: false, showSql: false, raw: false, generator: 'rdbscope 1' };

/** What must hold of the findings of any snapshot. */
function expectSane(database: Store): readonly Finding[] {
  const found = runRules(database, loadRules());
  const { keys, bytes } = database
    .prepare('SELECT SUM(keys) AS keys, SUM(memory_bytes) AS bytes FROM totals')
    .get() as {
    keys: number;
    bytes: number;
  };
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  for (const finding of found) {
    expect(finding.keys).toBeGreaterThan(0);
    expect(finding.keys).toBeLessThanOrEqual(keys);
    expect(finding.memoryBytes).toBeLessThanOrEqual(bytes);
    expect(finding.savingBytes ?? 0).toBeLessThanOrEqual(finding.memoryBytes);
    expect(finding.examples.length).toBe(finding.exampleIds.length);
    if (finding.subject.kind === 'prefix' || finding.subject.kind === 'key')
      expect(finding.examples.length).toBeGreaterThan(0);
  }
  // Of one rule no more keys are told than there are: none is told twice.
  for (const rule of new Set(found.map((finding) => finding.rule))) {
    const told = found.filter((finding) => finding.rule === rule && finding.subject.prefixId !== undefined);
    expect(told.reduce((sum, finding) => sum + finding.keys, 0)).toBeLessThanOrEqual(keys);
  }
  return found;
}

describe('snapshots of real servers', () => {
  it.each(shippedTruthSetNames())('%s gives findings that can be', async (name) => {
    const database = await loaded(readTruthSet(name).snapshot);
    expectSane(database);
    database.close();
  });
});

describe('hostile names', () => {
  const database = hostileSnapshot();

  it('give findings, printable in every format', async () => {
    const found = expectSane(database);
    expect(found.length).toBeGreaterThan(5);
    const document = findingsDocument(database, found, loadRules(), { top: 0, database: 'a b.sqlite' });
    for (const renderer of [...Object.values(renderers), sarif]) {
      const text = await renderer.render([document], OPTIONS);
      expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e\u2028]/);
    }
    expect(document.sections[0]!.rows.flat()).toContain(
      `rdbscope plan 'a b.sqlite' --for ${found.find(({ rule }) => rule.action)!.id}`,
    );
  });
});

it('a snapshot without keys breaks no rule', () => {
  const database = new SnapshotDatabase().build();
  expect(runRules(database, loadRules())).toEqual([]);
  database.close();
});
