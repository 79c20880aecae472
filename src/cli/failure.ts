import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ServerProblem } from '../calibrate/server-connection.js';
import { KeyNotFound } from '../inspect/inspect.js';
import { RdbError } from '../rdb-parser/errors.js';
import { printableBytes, printableText } from '../rdb-parser/printable.js';
import { formatCell, visibleText } from '../render/format-cell.js';
import { ReportError } from '../report/errors.js';
import { SourceError } from '../source/source-error.js';
import { StoreError } from '../store/errors.js';
import { SnapshotNotAtHand } from '../what-if/recorded-set.js';
import { Interrupted } from './context.js';
import { DamageFound } from './damage-found.js';
import { EXIT } from './exit-codes.js';
import { SnapshotFault } from './snapshot-fault.js';
import { UsageError } from './usage-error.js';

export interface Failure {
  readonly exitCode: number;
  /** One paragraph for stderr, without the program's name; empty when all has been said. */
  readonly text: string;
}

/** What an error that reached the top means to the user. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof DamageFound) return { exitCode: EXIT.damaged, text: '' };
  if (error instanceof Interrupted)
    return { exitCode: EXIT.interrupted, text: 'stopped; nothing was left behind' };
  if (error instanceof SnapshotFault) return { exitCode: EXIT.damaged, text: describeFault(error) };
  if (error instanceof UsageError || error instanceof KeyNotFound || error instanceof SnapshotNotAtHand)
    return { exitCode: EXIT.usage, text: error.message };
  if (error instanceof ServerProblem) return { exitCode: EXIT.inputOutput, text: error.message };
  if (error instanceof RdbError) return { exitCode: EXIT.damaged, text: error.message };
  if (error instanceof SourceError) return { exitCode: sourceExitCode(error), text: error.message };
  if (error instanceof StoreError) {
    return { exitCode: error.code === 'io' ? EXIT.inputOutput : EXIT.usage, text: error.message };
  }
  if (error instanceof ReportError) {
    const usage =
      error.code === 'unknown-report' || error.code === 'bad-parameter' || error.code === 'bad-folder';
    return { exitCode: usage ? EXIT.usage : EXIT.query, text: error.message };
  }
  if (isSystemError(error)) return { exitCode: EXIT.inputOutput, text: describeSystemError(error) };
  const said = error instanceof Error ? error.message : String(error);
  return {
    exitCode: EXIT.internal,
    text: `${said}\n  This is a fault of rdbscope itself; --debug shows where.`,
  };
}

/** A pipe whose reader has gone: not an error, there is nobody to tell. */
export function isClosedPipe(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** Our own message with nothing in it that could steer a terminal; line breaks stay. */
export function printableMessage(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

function sourceExitCode({ code }: SourceError): number {
  switch (code) {
    case 'permission':
    case 'input-output':
      return EXIT.inputOutput;
    case 'missing':
    case 'directory':
      return EXIT.usage;
    default:
      return EXIT.damaged;
  }
}

function describeFault({ file, databasePath }: SnapshotFault): string {
  const { error, facts, inputBytes, container } = file;
  const input = printableText(file.input);
  const kept = `${count(facts.keysRead, 'key')} before it ${facts.keysRead === 1 ? 'is' : 'are'} in ${databasePath}, marked incomplete`;
  if (error === undefined) {
    const sums = `the file says ${facts.checksumStored}, its bytes give ${facts.checksumComputed}`;
    return paragraph(`${input} is damaged: its checksum is wrong`, [
      ['what is wrong', `${sums}; it was changed after the server wrote it`],
      ['what is kept', `all ${count(facts.keysRead, 'key')} are in ${databasePath}, marked incomplete`],
      ['what to do', 'copy the file again and compare; do not trust single values until then'],
    ]);
  }
  if (error instanceof SourceError) {
    return paragraph(`${input} ${error.problem}`, [
      ['what is kept', kept],
      ['what to do', error.advice],
    ]);
  }
  const { at, problem } = error;
  const part =
    inputBytes !== undefined && container === 'plain' && inputBytes > 0 ? at.offset / inputBytes : undefined;
  const grew = inputBytes !== undefined && container === 'plain' && at.offset > inputBytes;
  const where = part === undefined || grew ? '' : ` (${formatCell(part, 'ratio')} of the file)`;
  const key = at.key === undefined ? '' : ` "${shortKey(at.key)}"`;
  const db = at.db === undefined ? '' : ` in db ${at.db}`;
  const reading = `${at.reading ?? (at.key === undefined ? '' : 'key')}${key}${db}`.trim();
  return paragraph(`${input} is damaged at byte ${formatCell(at.offset, 'count')}${where}`, [
    ['while reading', reading],
    ['what is wrong', problem],
    ['what is kept', kept],
    [
      'what to do',
      grew
        ? `the file had ${formatCell(inputBytes, 'count')} bytes when it was opened and grew since: wait until it is written, then load it again`
        : "compare the file's size and checksum with the one on the server; copy it again",
    ],
  ]);
}

function paragraph(head: string, lines: readonly (readonly [label: string, text: string])[]): string {
  const told = lines
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `  ${`${label}:`.padEnd(15)}${text}`);
  return [head, ...told].join('\n');
}

function count(number: number, noun: string): string {
  return `${formatCell(number, 'count')} ${noun}${number === 1 ? '' : 's'}`;
}

function shortKey(key: Uint8Array): string {
  const text = printableBytes(key.subarray(0, 64));
  return key.length > 64 ? `${text}…` : text;
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^E[A-Z_]+$/.test(error.code)
  );
}

function describeSystemError(error: NodeJS.ErrnoException): string {
  const { code = '', path } = error;
  if (path !== undefined && (code === 'ENOENT' || code === 'ENOTDIR') && !isFolder(dirname(path))) {
    return `${path}: the folder ${dirname(path)} does not exist; make it first, or name another file`;
  }
  const said = SYSTEM_WORDS[code] ?? error.message;
  return error.path === undefined ? `writing failed: ${said}` : `${error.path}: ${said}`;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'no space is left of the quota',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  EISDIR: 'is a folder',
};
