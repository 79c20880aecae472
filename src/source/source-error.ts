/**
 * Why the bytes of a snapshot can't be had. `foreign`: something else than a snapshot; `unsupported`: a snapshot in a
 * wrapping that is known but not read.
 */
export type SourceErrorCode =
  | 'missing'
  | 'permission'
  | 'directory'
  | 'input-output'
  | 'empty'
  | 'foreign'
  | 'unsupported'
  | 'damaged-container'
  | 'truncated-container';

/** What a `SourceError` says, as plain data that crosses threads. */
export interface SourceFault {
  readonly code: SourceErrorCode;
  /** The input's name as the user gave it, "standard input" for a pipe. */
  readonly input: string;
  /** What is wrong, a clause that follows the input's name: "is empty". */
  readonly problem: string;
  /** What to do about it: whole sentences; may be empty. */
  readonly advice: string;
}

/** The bytes can't be had: input/output, a wrapping that does not unpack, or no snapshot at all. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly code: SourceErrorCode;
  readonly input: string;
  readonly problem: string;
  readonly advice: string;

  constructor(fault: SourceFault, options?: { readonly cause?: unknown }) {
    super(`${fault.input} ${fault.problem}${fault.advice === '' ? '' : `. ${fault.advice}`}`, options);
    this.code = fault.code;
    this.input = fault.input;
    this.problem = fault.problem;
    this.advice = fault.advice;
  }

  get fault(): SourceFault {
    return { code: this.code, input: this.input, problem: this.problem, advice: this.advice };
  }
}

/** The error for what a system call answered about `input`. */
export function systemError(error: unknown, input: string): SourceError {
  if (error instanceof SourceError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = SYSTEM_FAULTS[code];
  if (known !== undefined) return new SourceError({ ...known, input }, { cause: error });
  const said = error instanceof Error ? error.message : String(error);
  return new SourceError(
    { code: 'input-output', input, problem: `can't be read: ${said}`, advice: '' },
    { cause: error },
  );
}

const SYSTEM_FAULTS: Readonly<Record<string, Omit<SourceFault, 'input'>>> = {
  ENOENT: {
    code: 'missing',
    problem: 'does not exist',
    advice: 'Check the spelling; the server says where it saves: redis-cli config get dir',
  },
  ENOTDIR: {
    code: 'missing',
    problem: 'does not exist',
    advice: 'A part of its path is a file, not a folder.',
  },
  EACCES: {
    code: 'permission',
    problem: 'may not be read by this user',
    advice: 'Copy it, or pipe it from a user who may: sudo cat FILE | rdbscope analyze -',
  },
  EPERM: {
    code: 'permission',
    problem: 'may not be read by this user',
    advice: 'Copy it, or pipe it from a user who may: sudo cat FILE | rdbscope analyze -',
  },
  EISDIR: { code: 'directory', problem: 'is a folder', advice: 'Name the snapshot file inside it.' },
};
