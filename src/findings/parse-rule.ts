import { PARAMETER_KINDS, type ParameterDefinition, type ParameterKind } from '../report/definition.js';
import { ReportError } from '../report/errors.js';
import { parseParameter } from '../report/parameter.js';
import { hasCode, parameterNames } from '../report/sql-text.js';
import { ACTIONS, FINDING_SEVERITIES, type Rule, type RuleStatement, TOPICS } from './rule.js';

/** Words that are said once, and whether a rule must say them. */
const WORDS: Readonly<Record<string, boolean>> = {
  title: true,
  topic: true,
  severity: true,
  report: true,
  reason: true,
  remedy: true,
  action: false,
  keys: false,
  needs: false,
  error: false,
  detail: false,
  reads: false,
};

/**
 * Reads a rule file: a header of `-- @word  field  field` lines (fields two or more spaces apart; a line that begins
 * with `--` and three or more spaces goes on with the word above), then at most one SQL statement.
 * @param path for messages; the file's name without `.sql` is the rule's id
 * @throws ReportError `bad-definition`, as `file:line: what is wrong`
 */
export function parseRule(path: string, id: string, text: string): Rule {
  const fail = (problem: string, line = 1): never => {
    throw new ReportError('bad-definition', `${path}:${line}: ${problem}`);
  };
  const said = new Map<string, { text: string; line: number }>();
  const parameters: ParameterDefinition[] = [];
  let last: { text: string; line: number } | undefined;
  let sql = '';
  let sqlLine = 1;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const number = index + 1;
    const word = /^--\s@(\w+)\s+(.*?)\s*$/.exec(line);
    const more = /^--\s{3,}(\S.*?)\s*$/.exec(line);
    if (word !== null && !hasCode(sql)) {
      const [, name, rest] = word as unknown as [string, string, string];
      last = undefined;
      if (name === 'param') parameters.push(parameterOf(rest, (problem) => fail(problem, number)));
      else if (!(name in WORDS)) fail(`@${name} is no word of a rule's header`, number);
      else if (said.has(name)) fail(`@${name} is said twice`, number);
      else {
        last = { text: rest, line: number };
        said.set(name, last);
      }
    } else if (more !== null && last !== undefined && !hasCode(sql)) last.text += ` ${more[1]}`;
    else {
      if (!hasCode(sql)) sqlLine = number;
      sql = hasCode(sql) ? `${sql}\n${line}` : line;
    }
  }
  for (const [name, isNeeded] of Object.entries(WORDS)) {
    if (isNeeded && !said.has(name)) fail(`@${name} is missing`);
  }
  const oneOf = <T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const word = said.get(name);
    if (word === undefined) return undefined;
    return (
      choices.find((choice) => choice === word.text) ??
      fail(`@${name} is one of ${choices.join(', ')}, not "${word.text}"`, word.line)
    );
  };
  const reads = readsOf(said.get('reads'), fail);
  const statement: RuleStatement | undefined = hasCode(sql)
    ? { sql: sql.trim().replace(/;$/, ''), line: sqlLine, reads }
    : undefined;
  const rule: Rule = {
    id,
    path,
    title: said.get('title')!.text,
    topic: oneOf('topic', TOPICS)!,
    severity: oneOf('severity', FINDING_SEVERITIES)!,
    report: said.get('report')!.text,
    parameters,
    reason: said.get('reason')!.text,
    remedy: said.get('remedy')!.text,
    action: oneOf('action', ACTIONS),
    keys: said.get('keys')?.text,
    needs: said.get('needs')?.text,
    error: said.get('error')?.text,
    detail: said.get('detail')?.text,
    statement,
  };
  if (statement === undefined && rule.keys === undefined) fail('there is neither @keys nor a statement');
  const known = new Set(parameters.map((parameter) => parameter.name));
  for (const piece of [rule.keys, rule.needs, rule.error, rule.detail, statement?.sql]) {
    for (const name of parameterNames(piece ?? '')) {
      if (!known.has(name) && reads === undefined) fail(`:${name} is used, which no @param declares`);
    }
  }
  return rule;
}

function readsOf(
  word: { readonly text: string; readonly line: number } | undefined,
  fail: (problem: string, line: number) => never,
): RuleStatement['reads'] {
  if (word === undefined) return undefined;
  const [report, section] = word.text.split(/\s{2,}/);
  if (report !== undefined && section !== undefined) return { report, section };
  return fail('@reads wants a report and one of its sections, two spaces apart', word.line);
}

function parameterOf(rest: string, fail: (problem: string) => never): ParameterDefinition {
  const [name, kindText, defaultText, description] = rest.split(/\s{2,}/);
  if (
    name === undefined ||
    kindText === undefined ||
    defaultText === undefined ||
    description === undefined
  ) {
    return fail('@param wants name, kind, default (- for none) and a description, two spaces apart');
  }
  const choice = /^choice\(([^)]+)\)$/.exec(kindText);
  const kind = (choice === null ? kindText : 'choice') as ParameterKind;
  if (!PARAMETER_KINDS.includes(kind)) return fail(`@param ${name}: there is no kind "${kindText}"`);
  const choices = choice === null ? [] : choice[1]!.split(',').map((one) => one.trim());
  const shape = { name, kind, choices };
  try {
    return {
      ...shape,
      default: defaultText === '-' ? null : parseParameter(shape, defaultText),
      description,
    };
  } catch (error) {
    return fail(`@param: ${(error as Error).message}`);
  }
}
