import type { AdhocQuery } from '../report/adhoc.js';
import type { Cell } from '../report/document.js';
import type { ReportErrorCode } from '../report/errors.js';

/** What the query process is asked for; `more` asks for the next batch. */
export type ToQuery =
  | {
      readonly kind: 'run';
      readonly databasePath: string;
      readonly query: AdhocQuery;
      readonly batchRows: number;
    }
  | { readonly kind: 'more' };

export type FromQuery =
  | { readonly kind: 'columns'; readonly names: readonly string[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[]; readonly last: boolean }
  | { readonly kind: 'failed'; readonly code: ReportErrorCode; readonly message: string };
