import type Database from 'better-sqlite3';
import type { Cell, Note, ReportColumn, ReportDocument, ReportSection } from '../report/document.js';
import { sql } from '../store/sql.js';
import type { Finding } from './finding.js';
import { FINDING_SEVERITIES, type FindingSeverity, type Rule } from './rule.js';
import type { RuleCatalog } from './rule-catalog.js';

export interface DocumentOptions {
  /** Findings shown, 0 for all. */
  readonly top: number;
  /** The database as a command would name it, for the remedies. */
  readonly database: string;
}

/** The findings as a document: one ranked table, why and what to do for each rule that was broken, and what was checked. */
export function findingsDocument(
  database: Database.Database,
  findings: readonly Finding[],
  rules: RuleCatalog,
  options: DocumentOptions,
): ReportDocument {
  const shown = options.top === 0 ? findings : findings.slice(0, options.top);
  // In the order in which the list above names them.
  const broken = [...new Set(findings.map((finding) => finding.rule))];
  const pathOf = pathByKey(database);
  return {
    id: 'findings',
    title: 'Findings',
    summary: 'What in the snapshot breaks the design rules, the worst first, and what to do about it.',
    parameters: { top: options.top },
    notes: verdict(findings, rules),
    sections: [
      {
        ...SECTION,
        id: 'findings',
        title: 'Findings',
        empty: ['No rule is broken.'],
        columns: FINDING_COLUMNS,
        rows: shown.map((finding) => findingRow(finding, pathOf, options)),
        totalRows: findings.length,
      },
      {
        ...SECTION,
        id: 'advice',
        title: 'Why, and what to do',
        columns: ADVICE_COLUMNS,
        rows: broken.map((rule) => adviceRow(rule, findings, options)),
      },
      {
        ...SECTION,
        id: 'rules',
        title: 'Rules checked',
        columns: RULE_LIST_COLUMNS,
        rows: [...rules.values()].map((rule) => ruleRow(rule, findings)),
      },
    ],
  };
}

const SECTION: Omit<ReportSection, 'id' | 'title' | 'columns' | 'rows'> = {
  layout: 'table',
  notes: [],
  remarks: {},
  charts: [],
  sql: '',
};

const FINDING_COLUMNS: readonly ReportColumn[] = [
  { name: 'severity', title: 'Severity', kind: 'label' },
  { name: 'rule', title: 'Rule', kind: 'label' },
  { name: 'subject', title: 'Subject', kind: 'prefix' },
  { name: 'keys', title: 'Keys', kind: 'count' },
  { name: 'memory_bytes', title: 'Memory', kind: 'bytes' },
  { name: 'saving_bytes', title: 'Would save', kind: 'bytes', optional: true },
  { name: 'finding', title: 'Finding', kind: 'label' },
  { name: 'detail', title: 'Detail', kind: 'text', optional: true },
  { name: 'subject_kind', title: 'Is a', kind: 'label', optional: true },
  { name: 'title', title: 'What', kind: 'text', optional: true },
  { name: 'example_key', title: 'Example', kind: 'key', optional: true },
  { name: 'other_example_key', title: 'Another', kind: 'key', optional: true },
  { name: 'command', title: 'Plan', kind: 'text', optional: true },
  { name: 'path', title: 'File', kind: 'text', optional: true },
];

const ADVICE_COLUMNS: readonly ReportColumn[] = [
  { name: 'rule', title: 'Rule', kind: 'label' },
  { name: 'reason', title: 'Why', kind: 'text' },
  { name: 'remedy', title: 'What to do', kind: 'text' },
  { name: 'report', title: 'Details in report', kind: 'label' },
];

const RULE_LIST_COLUMNS: readonly ReportColumn[] = [
  { name: 'topic', title: 'Topic', kind: 'label' },
  { name: 'rule', title: 'Rule', kind: 'label' },
  { name: 'title', title: 'Looks for', kind: 'text' },
  { name: 'severity', title: 'Severity', kind: 'label' },
  { name: 'findings', title: 'Findings', kind: 'count' },
];

function findingRow(
  finding: Finding,
  pathOf: (id: number | undefined) => string,
  options: DocumentOptions,
): Cell[] {
  const { rule, subject, exampleIds, examples } = finding;
  const command = rule.action === undefined ? null : planCommand(finding, options);
  return [
    finding.severity,
    rule.id,
    subject.kind === 'time' ? timeText(subject.text) : subject.text,
    finding.keys,
    finding.memoryBytes,
    finding.savingBytes,
    finding.id,
    finding.detail,
    subject.kind,
    rule.title,
    examples[0] ?? null,
    examples[1] ?? null,
    command,
    pathOf(exampleIds[0]),
  ];
}

function adviceRow(rule: Rule, findings: readonly Finding[], options: DocumentOptions): Cell[] {
  const first = findings.find((finding) => finding.rule.id === rule.id);
  const plan =
    first === undefined || rule.action === undefined ? '' : ` Plan: ${planCommand(first, options)}`;
  return [rule.id, rule.reason, rule.remedy + plan, rule.report];
}

function ruleRow(rule: Rule, findings: readonly Finding[]): Cell[] {
  const count = findings.filter((finding) => finding.rule.id === rule.id).length;
  return [rule.topic, rule.id, rule.title, rule.severity, count];
}

const NOUNS: Readonly<Record<FindingSeverity, string>> = { error: 'error', warning: 'warning', note: 'note' };

function verdict(findings: readonly Finding[], rules: RuleCatalog): Note[] {
  if (findings.length === 0) {
    return [
      {
        severity: 'good',
        text: [{ kind: 'count', value: rules.size, noun: 'rule' }, ' checked, none is broken.'],
      },
    ];
  }
  const counts = FINDING_SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [{ kind: 'count' as const, value: count, noun: NOUNS[severity] }];
  });
  const listed = counts.flatMap((part, i) => (i === 0 ? [part] : [', ', part]));
  const isBad = findings.some((finding) => finding.severity !== 'note');
  return [
    {
      severity: isBad ? 'warning' : 'note',
      text: [...listed, '; ', { kind: 'count', value: rules.size, noun: 'rule' }, ' checked.'],
    },
  ];
}

/** The file that a key stands in; the first file for a finding without keys. */
function pathByKey(database: Database.Database): (id: number | undefined) => string {
  const paths = new Map(
    (database.prepare(sql`SELECT id, path FROM files`).all() as { id: number; path: string }[]).map(
      ({ id, path }) => [id, path],
    ),
  );
  const fileOf = database.prepare<[number], number>(sql`SELECT file_id FROM key_rows WHERE id = ?`).pluck();
  const first = [...paths.values()][0] ?? '';
  return (id) => (id === undefined ? first : (paths.get(Number(fileOf.get(id))) ?? first));
}

function timeText(text: string): string {
  const ms = Number(text);
  return Number.isFinite(ms)
    ? new Date(ms)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.?0*Z$/, '')
    : text;
}

function planCommand(finding: Finding, { database }: DocumentOptions): string {
  return `rdbscope plan ${quoted(database)} --for ${finding.id}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
