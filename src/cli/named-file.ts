import { readFileSync, statSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/**
 * The text of a file that an option names.
 * @throws UsageError when there is none, or it is a folder; a system error when it can't be read
 */
export function readNamedFile(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`${path}: there is no such file`);
  if (stat.isDirectory()) throw new UsageError(`${path}: is a folder, not a file`);
  return readFileSync(path, 'utf8');
}
