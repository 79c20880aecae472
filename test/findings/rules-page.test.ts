import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRules, type Rule, TOPICS } from '../../src/findings/index.js';
import { parseRule } from '../../src/findings/parse-rule.js';
import { loadCatalog } from '../../src/report/index.js';
import { NO_LIMIT } from '../../src/report/parameter.js';

const path = new URL('../../docs/rules.md', import.meta.url);
const PART = /(<!-- rules -->)([\s\S]*?)(<!-- \/rules -->)/;

/** The rules as the page tells them. */
function told(rules: ReadonlyMap<string, Rule>): string {
  return TOPICS.map((topic) => {
    const entries = [...rules.values()].filter((rule) => rule.topic === topic).map(entry);
    return `\n### ${topic}\n\n${entries.join('\n')}`;
  }).join('');
}

function entry({ id, title, severity, error, reason, remedy, parameters, action, report }: Rule): string {
  const level = error === undefined ? severity : `${severity}, beyond a second limit error`;
  const settings = parameters.map(
    ({ name, default: value, description }) =>
      `  - \`${name}\` = ${value === null || value === NO_LIMIT ? '-' : `\`${value}\``}: ${description.replaceAll('...', '…')}\n`,
  );
  const plan = action === undefined ? '' : ` Plan: \`${action}\`.`;
  return `- **${id}** (${level}): ${title}. ${reason}\n  _What to do:_ ${remedy}${plan} Report: \`${report}\`.\n${settings.join('')}`;
}

/** Text as Biome's formatter leaves it, whatever its breaks and marks. */
const words = (text: string): string =>
  text
    .replace(/[\s\\]+/g, ' ')
    .replace(/[_*]/g, '~')
    .trim();

describe('the page of the rules', () => {
  it('tells every rule with its reason, remedy and parameters (UPDATE_DOCS=1 writes it)', () => {
    const expected = told(loadRules());
    if (process.env.UPDATE_DOCS === '1') {
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(PART, (_, start, __, end) => `${start}\n${expected}\n${end}`),
      );
    }
    expect(words(PART.exec(readFileSync(path, 'utf8'))?.[2] ?? '')).toBe(words(expected));
  });

  it('has an example that is a rule', () => {
    const [, example] = /```sql\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))!;
    expect(parseRule('example.sql', 'example', example!)).toMatchObject({
      action: 'trim',
      severity: 'warning',
    });
  });
});

describe('every rule', () => {
  it.each([...loadRules().values()])('$id is whole: report, reason, remedy, parameters', (rule) => {
    expect([...loadCatalog().keys()]).toContain(rule.report);
    for (const text of [rule.reason, rule.remedy]) expect(text).toMatch(/[.)]$/);
    for (const { description } of rule.parameters) expect(description).toMatch(/[.]$/);
    expect(rule.title).not.toMatch(/\.$/);
  });

  it('is one without a limit of 44 bytes on names', () => {
    const limits = [...loadRules().values()].flatMap(({ topic, parameters }) =>
      topic === 'naming' ? parameters.map((parameter) => parameter.default) : [],
    );
    expect(limits.map(String)).not.toContain('44');
  });
});

describe('a rule file that is none', () => {
  const header = [
    '-- @title     T',
    '-- @topic     naming',
    '-- @severity  note',
    '-- @report    naming',
    '-- @reason    R.',
    '-- @remedy    M.',
  ];
  it.each([
    [[], 'x.sql:1: there is neither @keys nor a statement'],
    [['-- @keys  elements > :limit'], 'x.sql:1: :limit is used, which no @param declares'],
    [['-- @colour  red'], "x.sql:7: @colour is no word of a rule's header"],
    [['-- @title  again'], 'x.sql:7: @title is said twice'],
    [
      ['-- @action  explode', '-- @keys  1'],
      'x.sql:7: @action is one of unlink, drain, trim, expire, split, not "explode"',
    ],
    [
      ['-- @param  limit  count'],
      'x.sql:7: @param wants name, kind, default (- for none) and a description, two spaces apart',
    ],
    [['-- @param  limit  count  many  How many.'], 'x.sql:7: @param: limit is a whole number, not "many"'],
    [['-- @reads  naming'], 'x.sql:7: @reads wants a report and one of its sections, two spaces apart'],
  ])('%j is refused', (lines, message) => {
    expect(() => parseRule('x.sql', 'x', [...header, ...lines].join('\n'))).toThrow(message);
  });

  it('lacks a word that it must say', () => {
    expect(() => parseRule('x.sql', 'x', header.slice(1).join('\n'))).toThrow('x.sql:1: @title is missing');
  });
});
