import type { Database } from 'better-sqlite3';
import { keyValue } from './key-value.js';
import { sql } from './sql.js';

/** Where a key stands in the snapshot that it was loaded from. */
export interface KeyLocation {
  readonly db: number;
  /** As it was given when the snapshot was loaded. */
  readonly path: string;
  readonly offset: number;
}

/** The places of a key, in the order of files and databases; at most a thousand. */
export function locateKey(database: Database, key: Uint8Array, db: number | undefined): KeyLocation[] {
  const statement = database.prepare<unknown[], KeyLocation>(sql`
    SELECT keys.db, files.path, keys.file_offset AS offset
    FROM keys JOIN files ON files.id = keys.file_id
    WHERE keys.key = :key AND (:db IS NULL OR keys.db = :db)
    ORDER BY keys.file_id, keys.db, keys.file_offset
    LIMIT 1000
  `);
  return statement.all({ key: keyValue(key), db: db ?? null });
}
