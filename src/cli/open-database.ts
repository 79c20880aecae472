import type { Database } from 'better-sqlite3';
import { StoreError } from '../store/errors.js';
import { openStore } from '../store/open.js';
import { fileKind } from './file-kind.js';
import { UsageError } from './usage-error.js';

/**
 * Opens a database for reading; a snapshot given in its place gets advice.
 * @throws StoreError as `openStore`; UsageError for a snapshot
 */
export function openDatabase(path: string): Database {
  try {
    return openStore(path);
  } catch (error) {
    if (error instanceof StoreError && error.code === 'not-a-database' && beginsLikeSnapshot(path)) {
      throw new UsageError(
        `${path} is a snapshot, not a database. Load it first: rdbscope load ${path}, or do all at once: rdbscope analyze ${path}`,
      );
    }
    throw error;
  }
}

function beginsLikeSnapshot(path: string): boolean {
  const kind = fileKind(path);
  return kind === 'snapshot' || kind === 'compressed';
}
