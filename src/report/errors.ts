export type ReportErrorCode =
  | 'bad-definition'
  | 'bad-folder'
  | 'unknown-report'
  | 'bad-parameter'
  | 'bad-sql'
  | 'not-read-only'
  | 'timeout'
  | 'out-of-memory';

/** A report or a query that cannot be run as asked. `message` is one sentence, with `file:line` where there is one. */
export class ReportError extends Error {
  override readonly name = 'ReportError';
  readonly code: ReportErrorCode;

  constructor(code: ReportErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
