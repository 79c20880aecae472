import type { Chart, ColumnKind, ReportColumn, Severity } from './document.js';

/** `limit`: rows per table, 0 for all; `choice`: one of `choices`; the others as column kinds. */
export const PARAMETER_KINDS = [
  'limit',
  'choice',
  'text',
  'count',
  'bytes',
  'ratio',
  'seconds',
  'duration_ms',
  'number',
] as const;
export type ParameterKind = (typeof PARAMETER_KINDS)[number];

/** What a parameter is bound to: whole numbers as bigint, so that SQL sees integers. */
export type ParameterValue = string | number | bigint | null;

export interface ParameterDefinition {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly choices: readonly string[];
  readonly default: ParameterValue;
  readonly description: string;
}

export interface TemplateValue {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly noun?: string;
}

/** Prose with `{name:kind}` places. */
export type Template = readonly (string | TemplateValue)[];

export interface NoteTemplate {
  readonly severity: Severity;
  readonly template: Template;
}

/** One SQL statement of a report file and the line it starts on, 1-based. */
export interface Statement {
  readonly sql: string;
  readonly line: number;
}

export interface SectionDefinition {
  readonly id: string;
  readonly title: Template;
  readonly layout: 'table' | 'record';
  /**
   * One row; its columns are the values of the section's sentences. `total_rows`, here or as the last column of the
   * statement, counts the rows before a limit cuts them.
   */
  readonly facts: Statement | undefined;
  readonly statement: Statement;
  readonly notes: readonly NoteTemplate[];
  readonly empty: Template | undefined;
  readonly columns: readonly ReportColumn[];
  /** By column; of several the first that can be said is. */
  readonly remarks: ReadonlyMap<string, readonly Template[]>;
  readonly charts: readonly Chart[];
}

/** A report as its .sql file declares it. */
export interface ReportDefinition {
  readonly id: string;
  /** The file, for messages. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  /** Place in lists; reports of the same order go by id. */
  readonly order: number;
  readonly parameters: readonly ParameterDefinition[];
  /** One row; its columns are values for every sentence of the report. */
  readonly facts: Statement | undefined;
  readonly notes: readonly NoteTemplate[];
  readonly sections: readonly SectionDefinition[];
}
