import { RdbError } from '../rdb-parser/errors.js';
import { visibleText } from '../render/format-cell.js';
import { SourceError, type SourceErrorCode } from '../source/source-error.js';

/** The input can be read, but no snapshot comes out of it: a verdict too. */
const ABOUT_CONTENT: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'empty',
  'foreign',
  'unsupported',
  'damaged-container',
  'truncated-container',
]);

export function isRefusal(error: unknown): error is RdbError | SourceError {
  return error instanceof RdbError || (error instanceof SourceError && ABOUT_CONTENT.has(error.code));
}

export function refusalLine(input: string, error: RdbError | SourceError): string {
  const name = input === '-' ? 'standard input' : input;
  // What a source's error says follows the input's name.
  const subject = error instanceof SourceError ? 'the input ' : '';
  return `${visibleText(name)}: damaged: ${subject}${visibleText(error.problem)}`;
}

export function refusalJson(input: string, error: RdbError | SourceError): Record<string, unknown> {
  return {
    input,
    sound: false,
    verdict: refusalLine(input, error),
    error: { code: error.code, text: error.problem },
  };
}
