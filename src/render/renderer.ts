import type { Cell, ReportColumn, ReportDocument } from '../report/document.js';

export interface RenderOptions {
  /** Columns of the terminal. */
  readonly width: number;
  readonly color: boolean;
  /** Print each table's SQL too. */
  readonly showSql: boolean;
  /** CSV without the guard against spreadsheet formulas. */
  readonly raw: boolean;
  /** Who made it, `rdbscope 0.1.0`. */
  readonly generator: string;
}

/** Documents → text in one format. Pure: the same documents give the same text. */
export interface Renderer {
  /** One line for `--help`. */
  readonly summary: string;
  /** The usual end of a file's name, without the dot. */
  readonly extension: string;
  readonly render: (documents: readonly ReportDocument[], options: RenderOptions) => string | Promise<string>;
  /** Only formats that go row by row. */
  readonly stream?: RowStream;
}

/** One table whose rows pass through, whatever their number. */
export interface RowStream {
  readonly head: (columns: readonly ReportColumn[], options: RenderOptions) => string;
  readonly rows: (
    columns: readonly ReportColumn[],
    rows: readonly (readonly Cell[])[],
    options: RenderOptions,
  ) => string;
}
