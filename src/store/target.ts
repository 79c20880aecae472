import fs from 'node:fs';
import path from 'node:path';
import { asStoreError, StoreError } from './errors.js';
import { APPLICATION_ID } from './schema.js';

/** Source: SQLite file format, section 1.3 "The Database Header". */
const MAGIC = 'SQLite format 3\0';
const APPLICATION_ID_OFFSET = 68;
const HEADER_BYTES = 100;

/** What SQLite may have left beside a database that is replaced, and would take for the new one's. */
const SIDE_FILES = ['-journal', '-wal', '-shm'] as const;

/**
 * The file that a load makes: written under a temporary name beside it and renamed when it is complete, so that a
 * crash neither leaves half a database under the final name nor harms an older one.
 */
export class StoreTarget {
  /** The final name, symbolic links followed. */
  readonly path: string;
  readonly temporaryPath: string;

  /**
   * @throws StoreError `not-ours` when the name is taken by something that is no database of ours; `io` when the
   * folder does not exist or can't be written
   */
  constructor(targetPath: string) {
    this.path = finalPath(targetPath);
    refuseForeignFile(this.path);
    this.temporaryPath = `${this.path}.partial-${process.pid}`;
    this.guarded(() => {
      this.discard();
      fs.closeSync(fs.openSync(this.temporaryPath, 'wx'));
    });
  }

  /** Gives the finished file its name. */
  commit(): void {
    this.guarded(() => {
      // Without this, a power failure could leave the name on a file without contents.
      const fd = fs.openSync(this.temporaryPath, 'r+');
      try {
        fs.fdatasyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
      for (const side of SIDE_FILES) fs.rmSync(this.path + side, { force: true });
      fs.renameSync(this.temporaryPath, this.path);
    });
  }

  /** Removes the temporary file. */
  discard(): void {
    for (const side of ['', ...SIDE_FILES]) fs.rmSync(this.temporaryPath + side, { force: true });
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw asStoreError(error, this.path);
    }
  }
}

/** Whether a file begins like one of our databases. */
export function isOurDatabase(filePath: string): boolean {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = fs.openSync(filePath, 'r');
  try {
    const bytes = fs.readSync(fd, header, 0, HEADER_BYTES, 0);
    return (
      bytes === HEADER_BYTES &&
      header.toString('latin1', 0, MAGIC.length) === MAGIC &&
      header.readUInt32BE(APPLICATION_ID_OFFSET) === APPLICATION_ID
    );
  } finally {
    fs.closeSync(fd);
  }
}

/** Where a link leads, so that the load replaces what it points to and not the link. */
function finalPath(targetPath: string): string {
  const absolute = path.resolve(targetPath);
  try {
    return fs.realpathSync(absolute);
  } catch {
    return absolute; // nothing there yet
  }
}

function refuseForeignFile(filePath: string): void {
  let ours: boolean;
  try {
    const stat = fs.statSync(filePath, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) throw new StoreError('io', 'is a folder', filePath);
    // Somebody's fresh temporary file.
    if (stat.isFile() && stat.size === 0) return;
    ours = stat.isFile() && isOurDatabase(filePath);
  } catch (error) {
    throw asStoreError(error, filePath);
  }
  if (!ours) {
    throw new StoreError('not-ours', 'exists and was not written by rdbscope; it is left as it is', filePath);
  }
}
