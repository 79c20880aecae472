export type StoreErrorCode =
  /** The target's name is taken by a file that rdbscope did not write. */
  | 'not-ours'
  /** The file is no SQLite database at all, or a damaged one. */
  | 'not-a-database'
  /** Written by a version with another schema. */
  | 'schema-version'
  /** Nothing has that name. */
  | 'not-found'
  /** The system refused: disk full, permission, read-only folder. */
  | 'io'
  /** An option cannot be used: an alphanumeric separator, for instance. */
  | 'bad-option';

/** The database can't be written or read; `path` names the file that the trouble is with. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly path: string;

  constructor(code: StoreErrorCode, problem: string, path: string, cause?: unknown) {
    super(path === '' ? problem : `${path}: ${problem}`, cause === undefined ? {} : { cause });
    this.code = code;
    this.path = path;
  }
}

/**
 * What the system or SQLite said, as a StoreError that names the file; other errors come back untouched.
 * Codes: errno names of Node's fs, result codes of sqlite3.h.
 */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new StoreError('not-a-database', 'is not a readable SQLite database', path, error);
  }
  const said = IO_PROBLEMS.find(([pattern]) => pattern.test(code));
  return said === undefined ? error : new StoreError('io', said[1], path, error);
}

const IO_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'no space is left on the disk'],
  [/^(EACCES|EPERM|SQLITE_PERM|SQLITE_AUTH)$/, 'permission denied'],
  [/^(EROFS|SQLITE_READONLY.*)$/, 'the file or its folder is read-only'],
  [/^(ENOENT|ENOTDIR)$/, 'its folder does not exist; make it first, or name another file with -o'],
  [/^(EISDIR)$/, 'is a folder'],
  [/^(EFBIG)$/, 'the file system allows no larger file'],
  [/^(EMFILE|ENFILE)$/, 'too many files are open'],
  [/^(SQLITE_CANTOPEN.*)$/, 'cannot be opened or created'],
  [/^(SQLITE_BUSY.*|SQLITE_LOCKED.*)$/, 'is in use by another process'],
  [/^(EIO|SQLITE_IOERR.*)$/, 'reading or writing failed'],
];
