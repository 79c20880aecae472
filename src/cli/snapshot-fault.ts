import type { LoadedFile } from '../load.js';

/** A snapshot was damaged or incomplete, and what could be read of it is in the database. */
export class SnapshotFault extends Error {
  override readonly name = 'SnapshotFault';
  readonly file: LoadedFile;
  readonly databasePath: string;

  constructor(file: LoadedFile, databasePath: string) {
    super(file.error?.message ?? 'the checksum is wrong', { cause: file.error });
    this.file = file;
    this.databasePath = databasePath;
  }
}

/** @throws SnapshotFault for the first file that is not whole */
export function throwOnFault(files: readonly LoadedFile[], databasePath: string): void {
  const damaged = files.find((file) => !file.complete);
  if (damaged !== undefined) throw new SnapshotFault(damaged, databasePath);
}
