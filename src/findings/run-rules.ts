import type Database from 'better-sqlite3';
import { printableBytes } from '../rdb-parser/printable.js';
import { type SqliteValue, toCell } from '../report/cell.js';
import type { Cell } from '../report/document.js';
import { ReportError } from '../report/errors.js';
import { type Catalog, loadCatalog } from '../report/index.js';
import { sql as query } from '../store/sql.js';
import { exampleIdsOf } from './example-keys.js';
import { type Finding, findingId, SUBJECT_KINDS, type Subject } from './finding.js';
import { prepareNameFaults } from './name-fault-table.js';
import { dropNested, type PrefixHit, type PrefixNode, rollUp } from './roll-up.js';
import {
  FINDING_SEVERITIES,
  type FindingSeverity,
  RULE_COLUMNS,
  type Rule,
  type RuleColumn,
} from './rule.js';
import type { RuleCatalog } from './rule-catalog.js';
import { checkSettings, needsStatement, type RuleSettings, ruleStatement } from './rule-sql.js';

/** Findings told one by one for each rule; what is smaller is summed up in one more. */
const MOST_PER_RULE = 30;

export interface RunOptions {
  readonly settings?: RuleSettings;
  /** The reports that rules read; the package's own when not given. */
  readonly reports?: Catalog;
}

/**
 * Runs rules over an opened database and ranks what they find: worst first, then by memory. Memory is bounded by the
 * prefix tree. Writes a temporary table, nothing in the database.
 * @throws ReportError `bad-parameter`, `bad-sql` (with `file:line`)
 */
export function runRules(
  database: Database.Database,
  rules: RuleCatalog,
  options: RunOptions = {},
): readonly Finding[] {
  const settings = options.settings ?? {};
  checkSettings(rules.values(), settings);
  const reports = options.reports ?? loadCatalog();
  const nodes = readNodes(database);
  const findings: Finding[] = [];
  for (const rule of rules.values()) {
    if (rule.statement?.sql.includes('key_name_faults') === true) prepareNameFaults(database);
    const rows = ruleRows(database, rule, settings, reports);
    findings.push(...findingsOf(database, rule, rows, nodes));
  }
  return withExamples(database, findings).sort(byRank);
}

/** One row of a rule's statement, by column; absent ones are undefined. */
type RuleRow = Readonly<Partial<Record<RuleColumn, Cell>>>;

function ruleRows(
  database: Database.Database,
  rule: Rule,
  settings: RuleSettings,
  reports: Catalog,
): readonly RuleRow[] {
  const { sql, values } = ruleStatement(rule, settings, reports);
  const needs = needsStatement(rule, settings);
  try {
    if (needs !== undefined && database.prepare(needs.sql).pluck().get(needs.values) === 0) return [];
    const statement = database.prepare(sql);
    if (!statement.reader || !statement.readonly) throw new Error('a rule only reads');
    const names = statement.columns().map((column) => column.name);
    const unknown = names.find((name) => !RULE_COLUMNS.some((column) => column === name));
    if (unknown !== undefined) throw new Error(`a rule gives no column "${unknown}"`);
    for (const needed of ['keys', 'memory_bytes'] satisfies RuleColumn[]) {
      if (!names.includes(needed)) throw new Error(`the column "${needed}" is missing`);
    }
    statement.raw().safeIntegers();
    return (statement.all(values) as SqliteValue[][]).map(
      (row) => Object.fromEntries(row.map((value, i) => [names[i]!, toCell(value)])) as RuleRow,
    );
  } catch (error) {
    const line = rule.statement?.line ?? 1;
    throw new ReportError('bad-sql', `${rule.path}:${line}: ${(error as Error).message}`, { cause: error });
  }
}

function findingsOf(
  database: Database.Database,
  rule: Rule,
  rows: readonly RuleRow[],
  nodes: ReadonlyMap<number, PrefixNode>,
): Finding[] {
  const found: Finding[] = [];
  for (const severity of FINDING_SEVERITIES) {
    const mine = rows.filter((row) => (row.severity ?? rule.severity) === severity && number(row.keys) > 0);
    const hits = mine.flatMap((row) => (row.prefix_id === undefined ? [] : [hitOf(row, severity)]));
    const isWhole = mine.some((row) => number(row.whole) === 1);
    for (const hit of rollUp(isWhole ? dropNested(hits, nodes) : hits, nodes)) {
      found.push(prefixFinding(database, rule, hit));
    }
    for (const row of mine) {
      if (row.prefix_id === undefined) found.push(otherFinding(rule, row, severity));
    }
  }
  return cutOff(rule, found.sort(byRank));
}

function hitOf(row: RuleRow, severity: FindingSeverity): PrefixHit {
  const { saving_bytes: saving, detail } = row;
  return {
    prefixId: number(row.prefix_id),
    severity,
    keys: number(row.keys),
    memoryBytes: number(row.memory_bytes),
    savingBytes: saving === undefined || saving === null ? null : number(saving),
    details: detail === undefined || detail === null || detail === '' ? [] : [String(detail)],
    exampleIds: exampleIds(row),
  };
}

function prefixFinding(database: Database.Database, rule: Rule, hit: PrefixHit): Finding {
  const subject = prefixSubject(database, hit);
  return {
    id: findingId(rule.id, subject.kind, subject.text, hit.severity),
    rule,
    severity: hit.severity,
    subject,
    keys: hit.keys,
    memoryBytes: hit.memoryBytes,
    savingBytes: hit.savingBytes,
    detail: hit.details.length === 0 ? null : hit.details.join('; '),
    exampleIds: hit.exampleIds,
    examples: [],
  };
}

/** A key that is alone speaks for itself. */
function prefixSubject(database: Database.Database, hit: PrefixHit): Subject {
  const { prefixId } = hit;
  const only = hit.keys === 1 ? hit.exampleIds[0] : undefined;
  if (only !== undefined) {
    const key = database.prepare(query`SELECT key FROM key_rows WHERE id = ?`).pluck().get(only) as
      | string
      | Uint8Array;
    return { kind: 'key', text: printableKey(key), prefixId };
  }
  const text = database.prepare(query`SELECT prefix FROM prefixes WHERE id = ?`).pluck().get(prefixId);
  return { kind: 'prefix', text: String(text), prefixId };
}

function otherFinding(rule: Rule, row: RuleRow, severity: FindingSeverity): Finding {
  const kind = SUBJECT_KINDS.find((one) => one === row.subject_kind) ?? 'snapshot';
  const text = subjectText(row.subject ?? null);
  const { saving_bytes: saving, detail } = row;
  return {
    id: findingId(rule.id, kind, text, severity),
    rule,
    severity,
    subject: { kind, text, prefixId: undefined },
    keys: number(row.keys),
    memoryBytes: number(row.memory_bytes),
    savingBytes: saving === undefined || saving === null ? null : number(saving),
    detail: detail === undefined || detail === null ? null : String(detail),
    exampleIds: exampleIds(row),
    examples: [],
  };
}

function subjectText(cell: Cell): string {
  if (cell !== null && typeof cell === 'object') return printableBytes(Buffer.from(cell.hex, 'hex'));
  return typeof cell === 'string' ? printableKey(cell) : String(cell ?? '');
}

function printableKey(key: string | Uint8Array): string {
  return printableBytes(typeof key === 'string' ? Buffer.from(key) : key);
}

function exampleIds(row: RuleRow): number[] {
  const ids = [row.first_key_id, row.last_key_id].map(number).filter((id) => id > 0);
  return [...new Set(ids)];
}

/** Findings beyond the most that are told one by one, summed up. @param found in order of rank */
function cutOff(rule: Rule, found: readonly Finding[]): Finding[] {
  if (found.length <= MOST_PER_RULE) return [...found];
  const told = found.slice(0, MOST_PER_RULE);
  const rest = found.slice(MOST_PER_RULE);
  const sum = (of: (finding: Finding) => number): number => rest.reduce((total, one) => total + of(one), 0);
  const text = `${rest.length} smaller ones`;
  return [
    ...told,
    {
      id: findingId(rule.id, 'snapshot', 'smaller ones', rule.severity),
      rule,
      severity: rest[0]!.severity,
      subject: { kind: 'snapshot', text, prefixId: undefined },
      keys: sum((one) => one.keys),
      memoryBytes: sum((one) => one.memoryBytes),
      savingBytes: rest.every((one) => one.savingBytes === null) ? null : sum((one) => one.savingBytes ?? 0),
      detail: null,
      exampleIds: rest[0]!.exampleIds,
      examples: [],
    },
  ];
}

function withExamples(database: Database.Database, findings: readonly Finding[]): Finding[] {
  const ids = exampleIdsOf(database, findings);
  const keyOf = database.prepare(query`SELECT key FROM key_rows WHERE id = ?`).pluck();
  return findings.map((finding) => {
    const exampleIds = ids.get(finding) ?? finding.exampleIds;
    const examples = exampleIds.map((id) => toCell(keyOf.get(id) as string | Uint8Array));
    return { ...finding, exampleIds, examples };
  });
}

function readNodes(database: Database.Database): Map<number, PrefixNode> {
  const rows = database
    .prepare(query`SELECT id, parent_id AS parentId, keys FROM prefixes`)
    .all() as PrefixNode[];
  return new Map(rows.map((node) => [node.id, node]));
}

function byRank(one: Finding, other: Finding): number {
  const level = (finding: Finding): number => FINDING_SEVERITIES.indexOf(finding.severity);
  return (
    level(one) - level(other) ||
    other.memoryBytes - one.memoryBytes ||
    other.keys - one.keys ||
    compare(one.rule.id, other.rule.id) ||
    compare(one.subject.text, other.subject.text)
  );
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function number(cell: Cell | undefined): number {
  return Number(cell ?? 0);
}
