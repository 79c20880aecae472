import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a snapshot lies that a database was loaded from: a path is kept as given, perhaps as seen from the database's folder. */
export function recordedPath(path: string, databasePath: string): string {
  const beside = join(dirname(databasePath), path);
  return !existsSync(path) && existsSync(beside) ? beside : path;
}
