import type { Database } from 'better-sqlite3';
import type { Command } from 'commander';
import type { ReportDocument } from '../report/document.js';
import { type Redactor, redactorFor } from '../report/redact.js';

/** Options of every command that shows keys. */
export interface RedactOptions {
  readonly redact?: boolean;
  readonly redactSecret?: string;
  readonly redactKeep?: string;
}

export function addRedactOptions(command: Command): Command {
  return command
    .option(
      '--redact',
      'replace ids and rare words of keys by tokens, so that the output can leave the house',
    )
    .option('--redact-secret <text>', 'gives the same tokens in every run (implies --redact)')
    .option(
      '--redact-keep <words>',
      'words to keep besides the common ones, separated by commas (implies --redact)',
    );
}

/** The documents as they may be shown. */
export function redacted(
  documents: readonly ReportDocument[],
  options: RedactOptions,
  database: Database,
): readonly ReportDocument[] {
  if (!isRedacting(options)) return documents;
  const redactor = makeRedactor(options, database);
  return documents.map((document) => redactor.document(document));
}

export function makeRedactor({ redactSecret, redactKeep }: RedactOptions, database: Database): Redactor {
  const keep = redactKeep?.split(',').map((word) => word.trim());
  return redactorFor(database, {
    ...(redactSecret !== undefined && { secret: redactSecret }),
    ...(keep !== undefined && { keep }),
  });
}

export function isRedacting({ redact, redactSecret, redactKeep }: RedactOptions): boolean {
  return redact === true || redactSecret !== undefined || redactKeep !== undefined;
}
