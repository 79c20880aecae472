import type { ParameterValue } from '../report/definition.js';
import { ReportError } from '../report/errors.js';
import { type Catalog, findReport } from '../report/index.js';
import { NO_LIMIT, parseParameter } from '../report/parameter.js';
import { parameterNames } from '../report/sql-text.js';
import { FINDING_SEVERITIES, type FindingSeverity, type Rule } from './rule.js';

/** A statement and what is bound to it. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: Readonly<Record<string, ParameterValue>>;
}

/** Parameters of rules as the user gives them: `limit` for every rule that has one, `big-string.limit` for one rule. */
export type RuleSettings = Readonly<Record<string, string>>;

/**
 * A rule's parameters with their values.
 * @throws ReportError `bad-parameter` for a text that is none of the parameter's kind
 */
function bindRule(rule: Rule, settings: RuleSettings): Record<string, ParameterValue> {
  return Object.fromEntries(
    rule.parameters.map((parameter) => {
      const text = settings[`${rule.id}.${parameter.name}`] ?? settings[parameter.name];
      try {
        return [parameter.name, text === undefined ? parameter.default : parseParameter(parameter, text)];
      } catch (error) {
        throw new ReportError('bad-parameter', `rule ${rule.id}: ${(error as Error).message}`);
      }
    }),
  );
}

/** @throws ReportError `bad-parameter` for a setting that no rule has */
export function checkSettings(rules: Iterable<Rule>, settings: RuleSettings): void {
  const known = new Set<string>();
  for (const { id, parameters } of rules) {
    for (const { name } of parameters) {
      known.add(name);
      known.add(`${id}.${name}`);
    }
  }
  for (const name of Object.keys(settings)) {
    if (known.has(name)) continue;
    throw new ReportError(
      'bad-parameter',
      `no rule has a parameter "${name}"; rdbscope findings --rules lists them`,
    );
  }
}

/** The statement that tells whether a rule need be run at all. */
export function needsStatement(rule: Rule, settings: RuleSettings): BoundStatement | undefined {
  if (rule.needs === undefined) return undefined;
  const sql = `SELECT EXISTS (${rule.needs})`;
  return { sql, values: used(sql, bindRule(rule, settings)) };
}

/** The statement that gives a rule's findings. */
export function ruleStatement(rule: Rule, settings: RuleSettings, reports: Catalog): BoundStatement {
  const values = bindRule(rule, settings);
  if (rule.statement === undefined)
    return { sql: keysStatement(rule), values: used(keysStatement(rule), values) };
  const { sql, reads } = rule.statement;
  if (reads === undefined) return { sql, values: used(sql, values) };
  const report = findReport(reports, reads.report);
  const section = report.sections.find(({ id }) => id === reads.section);
  if (section === undefined) {
    throw new ReportError(
      'bad-definition',
      `${rule.path}:${rule.statement.line}: report ${reads.report} has no section "${reads.section}"`,
    );
  }
  const whole = `WITH "${reads.section}" AS (${section.statement.sql}) SELECT * FROM (${sql})`;
  const defaults = Object.fromEntries(
    report.parameters.map(({ name, kind, default: value }) => [name, kind === 'limit' ? NO_LIMIT : value]),
  );
  return { sql: whole, values: used(whole, { ...defaults, ...values }) };
}

/**
 * The condition on `keys` that a rule's keys of one severity meet, and what is bound to it. Rules that judge prefixes
 * mean all keys below them.
 */
export function ruleCondition(rule: Rule, severity: FindingSeverity, settings: RuleSettings): BoundStatement {
  const condition = rule.keys ?? '1';
  const level =
    rule.error === undefined
      ? '1'
      : severity === FINDING_SEVERITIES[0]
        ? `(${rule.error})`
        : `NOT COALESCE((${rule.error}), 0)`;
  const sql = `(${condition}) AND ${level}`;
  return { sql, values: used(sql, bindRule(rule, settings)) };
}

function keysStatement({ keys, error, detail, severity }: Rule): string {
  const worst = FINDING_SEVERITIES[0];
  const level =
    error === undefined ? `'${severity}'` : `CASE WHEN ${error} THEN '${worst}' ELSE '${severity}' END`;
  return `SELECT prefix_id, ${level} AS severity, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
       MIN(id) AS first_key_id, MAX(id) AS last_key_id, ${detail ?? 'NULL'} AS detail
FROM keys
WHERE ${keys}
GROUP BY prefix_id, 2`;
}

/** better-sqlite3 refuses values that a statement does not name. */
function used(
  sql: string,
  values: Readonly<Record<string, ParameterValue>>,
): Readonly<Record<string, ParameterValue>> {
  return Object.fromEntries([...parameterNames(sql)].map((name) => [name, values[name] ?? null]));
}
