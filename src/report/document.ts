/**
 * A report's result: plain, JSON-safe (big integers are decimal text), unformatted. Renderers know column kinds, never
 * reports.
 */

/**
 * What a column's values are, which decides how they are shown and nothing else.
 * `key`: a key's bytes (text, or `{ hex }` for bytes that are no text); `label`, `text`: words; `count`: whole number;
 * `bytes`; `ratio`: 0..1; `ms`: instant, milliseconds since the epoch; `duration_ms`; `seconds`: a duration;
 * `number`: any other; `flag`: 0 or 1.
 */
export type ColumnKind =
  | 'key'
  | 'label'
  | 'text'
  | 'count'
  | 'bytes'
  | 'ratio'
  | 'ms'
  | 'duration_ms'
  | 'seconds'
  | 'number'
  | 'flag';

export interface ReportColumn {
  /** Stable machine name, the SQL column's. */
  readonly name: string;
  readonly title: string;
  readonly kind: ColumnKind;
}

/** Bytes that are no text, as SQLite BLOBs come; `hex` is lower case. */
export interface BytesCell {
  readonly hex: string;
}

/** `null` is "unknown" or "does not apply". Integers beyond 2^53 are decimal strings in numeric columns. */
export type Cell = string | number | null | BytesCell;

export interface Chart {
  readonly kind: 'bars' | 'treemap' | 'timeline' | 'histogram' | 'heat-strip';
  /** Column names: the label and the value; a third marks (clusters, for instance). */
  readonly label: string;
  readonly value: string;
  readonly mark?: string;
}

/** One table of a report. */
export interface ReportSection {
  readonly title: string;
  /** Sentence above the table: totals, what was left out. */
  readonly note?: string;
  /** What to say instead of an empty table. */
  readonly empty: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows there are in all, when `rows` was cut. */
  readonly totalRows?: number;
  readonly charts: readonly Chart[];
  /** The statement as run, with its parameters, for `--show-sql` and the page's fold. */
  readonly sql: string;
}

export interface ReportDocument {
  readonly id: string;
  readonly title: string;
  /** One sentence: what the report answers. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, string | number | null>>;
  readonly sections: readonly ReportSection[];
  /** What the file cannot tell, caveats. */
  readonly notes: readonly string[];
}

/** Version of the machine formats: a column's name or meaning changes only with it. */
export const REPORT_SCHEMA_VERSION = 1;
