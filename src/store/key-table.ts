import DatabaseConstructor, { type Database } from 'better-sqlite3';
import { asStoreError } from './errors.js';
import type { KeyTable } from './page-writer.js';
import { APPLICATION_ID, SCHEMA } from './schema.js';
import { sql } from './sql.js';

/**
 * Measured with five million rows over 4 to 64 KiB: loading does not care, scans gain a tenth to a quarter over 4 KiB, and
 * rows looked up by id are twice as dear from 32 KiB on.
 */
export const DEFAULT_PAGE_BYTES = 2 ** 14;

/** Opens the file that a load writes; nothing protects it from a crash, since only a complete one gets its name. */
export function openForWriting(path: string): Database {
  try {
    const database = new DatabaseConstructor(path);
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('cache_size = -8192');
    return database;
  } catch (error) {
    throw asStoreError(error, path);
  }
}

/** Makes the tables and views in an empty file. */
export function createSchema(database: Database, pageBytes: number): void {
  database.pragma(`page_size = ${pageBytes}`);
  database.pragma('auto_vacuum = NONE');
  database.pragma('encoding = "UTF-8"');
  database.pragma(`application_id = ${APPLICATION_ID}`);
  database.exec(`BEGIN; ${SCHEMA} COMMIT;`);
}

/** Where the empty `key_rows` lies. */
export function locateKeyTable(database: Database): KeyTable {
  const rootPage = database
    .prepare(sql`SELECT rootpage FROM sqlite_schema WHERE name = 'key_rows'`)
    .pluck()
    .get();
  return {
    path: database.name,
    pageBytes: Number(database.pragma('page_size', { simple: true })),
    pageCount: Number(database.pragma('page_count', { simple: true })),
    rootPage: Number(rootPage),
  };
}
