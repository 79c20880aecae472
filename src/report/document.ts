/**
 * A report's result: plain, JSON-safe (big integers are decimal text), unformatted. Renderers know column kinds, never
 * reports.
 */

/**
 * What a value is, which decides how it is shown and nothing else.
 * `key`: a key's bytes (text, or `{ hex }` for bytes that are no text); `prefix`: a prefix pattern, already printable;
 * `label`, `text`: words; `count`: whole number; `bytes`; `binary_bytes`: the same in powers of 1,024; `ratio`: 0..1; `ms`: instant, milliseconds since the epoch, in
 * UTC; `local_ms`: the same in the reader's own time zone; `duration_ms`; `seconds`: a duration; `number`: any other;
 * `flag`: 0 or 1.
 */
export const COLUMN_KINDS = [
  'key',
  'prefix',
  'label',
  'text',
  'count',
  'bytes',
  'binary_bytes',
  'ratio',
  'ms',
  'local_ms',
  'duration_ms',
  'seconds',
  'number',
  'flag',
] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

export interface ReportColumn {
  /** Stable machine name, the SQL column's. */
  readonly name: string;
  readonly title: string;
  readonly kind: ColumnKind;
  /** May be left out where there is no room for it (a narrow terminal). */
  readonly optional?: true;
}

/** Bytes that are no text, as SQLite BLOBs come; `hex` is lower case. */
export interface BytesCell {
  readonly hex: string;
}

/** `null` is "unknown" or "does not apply". Integers beyond 2^53 are decimal strings in numeric columns. */
export type Cell = string | number | null | BytesCell;

/** A value inside a sentence; with a noun it is counted: "1 key", "5 keys". */
export interface ValuePart {
  readonly kind: ColumnKind;
  readonly value: Cell;
  readonly noun?: string;
}

/** Prose with values in it, so that renderers alone decide how a number looks. */
export type Sentence = readonly (string | ValuePart)[];

export const SEVERITIES = ['note', 'good', 'warning', 'error'] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Note {
  readonly severity: Severity;
  readonly text: Sentence;
}

export const CHART_KINDS = ['bars', 'treemap', 'timeline', 'histogram', 'heat-strip'] as const;

export interface Chart {
  readonly kind: (typeof CHART_KINDS)[number];
  /** Column names: the label and the value; a third marks (clusters, for instance). */
  readonly label: string;
  readonly value: string;
  readonly mark?: string;
}

/** One table of a report. */
export interface ReportSection {
  /** Stable machine name, unique in its report. */
  readonly id: string;
  readonly title: string;
  /** `record`: one row, read down: title, value, remark. */
  readonly layout: 'table' | 'record';
  /** Sentences above the table: totals, what was left out. */
  readonly notes: readonly Note[];
  /** What to say instead of an empty table; without it an empty section is left out. */
  readonly empty?: Sentence;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Sentences beside the values of a record, by column name. */
  readonly remarks: Readonly<Record<string, Sentence>>;
  /** Rows there are in all, when it is known; more than `rows` has when they were cut. */
  readonly totalRows?: number;
  readonly charts: readonly Chart[];
  /** The statement as run, its parameters written out, so that it runs anywhere. */
  readonly sql: string;
}

export interface ReportDocument {
  readonly id: string;
  readonly title: string;
  /** One sentence: what the report answers. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  /** The verdict, what the file cannot tell, caveats. */
  readonly notes: readonly Note[];
  readonly sections: readonly ReportSection[];
}

/** Version of the machine formats: a column's name or meaning changes only with it. */
export const REPORT_SCHEMA_VERSION = 1;
