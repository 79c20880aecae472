import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/** How databases and snapshots begin. */
const KEPT = /^(SQLite format 3\0|REDIS\d|VALKEY\d)/;
const HEAD_BYTES = 16;

/**
 * Refuses to write a report or a plan over a database or a snapshot, whatever its name.
 * @throws UsageError when the path is one
 */
export function refuseOverwriting(path: string): void {
  // Reading from a pipe or a device would wait or take something away.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const head = Buffer.alloc(HEAD_BYTES);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, head, 0, HEAD_BYTES, 0);
  } finally {
    closeSync(fd);
  }
  if (KEPT.test(head.toString('latin1'))) {
    throw new UsageError(`${path}: is a database or a snapshot; it is left as it is`);
  }
}
