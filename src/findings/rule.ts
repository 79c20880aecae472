import type { ParameterDefinition } from '../report/definition.js';

/** How bad a finding is; `error` is what the articles call critical. */
export const FINDING_SEVERITIES = ['error', 'warning', 'note'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export const TOPICS = [
  'naming',
  'value-design',
  'lifecycle',
  'encodings',
  'string-families',
  'cluster',
] as const;
export type Topic = (typeof TOPICS)[number];

/** What a plan may do with the keys of a finding. */
export const ACTIONS = ['unlink', 'drain', 'trim', 'expire', 'split'] as const;
export type Action = (typeof ACTIONS)[number];

/** A design rule as its .sql file declares it. */
export interface Rule {
  /** The file's name without `.sql`. */
  readonly id: string;
  /** The file, for messages. */
  readonly path: string;
  readonly title: string;
  readonly topic: Topic;
  readonly severity: FindingSeverity;
  /** The report that shows the same facts in detail. */
  readonly report: string;
  readonly parameters: readonly ParameterDefinition[];
  /** Why it matters, in one or two sentences. */
  readonly reason: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The plan that `rdbscope plan` makes of a finding when nothing else is asked for. */
  readonly action: Action | undefined;
  /** A condition on `keys`, for rules that judge keys one by one, and for the keys that a plan is about. */
  readonly keys: string | undefined;
  /** A statement that gives a row when the sums leave it possible that the rule is broken: spares reading every key. */
  readonly needs: string | undefined;
  /** A condition on those keys that makes them errors. */
  readonly error: string | undefined;
  /** An aggregate over the keys of a finding that says how far it goes, as text. */
  readonly detail: string | undefined;
  /** Gives the findings of rules that do not judge keys one by one; see RULE_COLUMNS. */
  readonly statement: RuleStatement | undefined;
}

export interface RuleStatement {
  readonly sql: string;
  /** Line of the file, 1-based. */
  readonly line: number;
  /** A section of a report that the statement reads as a table of that name. */
  readonly reads: { readonly report: string; readonly section: string } | undefined;
}

/**
 * What a rule's statement may give; those with a `!` must be there.
 * Either `prefix_id!` (a node of the prefix tree; -1 leaves a row out), or `subject_kind!` (see SubjectKind) and
 * `subject!`; `keys!`, `memory_bytes!`, `first_key_id`, `last_key_id`, `saving_bytes`, `severity`, `detail`, and
 * `whole`: 1 when the row stands for all keys below the prefix, not only for the prefix's own.
 */
export const RULE_COLUMNS = [
  'prefix_id',
  'subject_kind',
  'subject',
  'keys',
  'memory_bytes',
  'first_key_id',
  'last_key_id',
  'saving_bytes',
  'severity',
  'detail',
  'whole',
] as const;
export type RuleColumn = (typeof RULE_COLUMNS)[number];
