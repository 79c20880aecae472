import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/** How databases and snapshots begin. */
const KEPT = /^(SQLite format 3\0|REDIS\d|VALKEY\d|VKCS)/;
/** How gzip, zstd and LZ4 data begin: we write none, so it is not ours to replace. */
const COMPRESSED = /^(\x1f\x8b|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18)/;
const HEAD_BYTES = 16;

/**
 * Refuses to write a report or a plan over a database or a snapshot, compressed or not, whatever its name.
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
  const start = head.toString('latin1');
  if (KEPT.test(start)) throw new UsageError(`${path}: is a database or a snapshot; it is left as it is`);
  if (COMPRESSED.test(start)) {
    throw new UsageError(`${path}: is compressed and may be a snapshot; it is left as it is`);
  }
}
