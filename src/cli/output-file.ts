import { statSync } from 'node:fs';
import { fileKind } from './file-kind.js';
import { UsageError } from './usage-error.js';

/**
 * Refuses to write a report or a plan over a database or a snapshot, compressed or not, whatever its name.
 * @throws UsageError when the path is one
 */
export function refuseOverwriting(path: string): void {
  // Reading from a pipe or a device would wait or take something away.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const kind = fileKind(path);
  if (kind === 'compressed') {
    throw new UsageError(`${path}: is compressed and may be a snapshot; it is left as it is`);
  }
  if (kind !== undefined) throw new UsageError(`${path}: is a database or a snapshot; it is left as it is`);
}
