import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ReportError } from '../report/errors.js';
import { parseRule } from './parse-rule.js';
import { type Rule, TOPICS } from './rule.js';

/** The rules of this package; the folder lies beside `src` and `dist`. */
export const BUILT_IN_RULES = fileURLToPath(new URL('../../reports/rules/', import.meta.url));

/** Every rule there is, by topic, then by id. */
export type RuleCatalog = ReadonlyMap<string, Rule>;

/**
 * Reads the rules of the package and of the user's folders; a later folder's rule replaces one of the same id.
 * @throws ReportError `bad-folder`, `bad-definition` with `file:line`
 */
export function loadRules(folders: readonly string[] = []): RuleCatalog {
  const byId = new Map<string, Rule>();
  for (const folder of [BUILT_IN_RULES, ...folders]) {
    for (const rule of rulesIn(folder)) byId.set(rule.id, rule);
  }
  const order = (rule: Rule): number => TOPICS.indexOf(rule.topic);
  const sorted = [...byId.values()].sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1));
  return new Map(sorted.map((rule) => [rule.id, rule]));
}

function rulesIn(folder: string): Rule[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  } catch (error) {
    throw new ReportError(
      'bad-folder',
      `${folder}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such rule folder' : `the rule folder can't be read: ${(error as Error).message}`}`,
      {
        cause: error,
      },
    );
  }
  return names.sort().map((name) => {
    const path = folder === BUILT_IN_RULES ? `reports/rules/${name}` : join(folder, name);
    return parseRule(path, name.slice(0, -'.sql'.length), readFileSync(join(folder, name), 'utf8'));
  });
}
