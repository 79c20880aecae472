import fs from 'node:fs';
import DatabaseConstructor, { type Database } from 'better-sqlite3';
import { asStoreError, StoreError } from './errors.js';
import { registerFunctions } from './functions.js';
import { recordedRulesText } from './recorded-files.js';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.js';
import { sql } from './sql.js';

/**
 * Opens a database for reading, with our SQL functions. Writes nothing, so it may lie in a read-only folder.
 * @throws StoreError `not-found`, `not-a-database`, `not-ours`, `schema-version`, `io`
 */
export function openStore(path: string): Database {
  if (!fs.existsSync(path)) throw new StoreError('not-found', 'there is no such file', path);
  let database: Database | undefined;
  try {
    database = new DatabaseConstructor(path, { readonly: true, fileMustExist: true });
    checkVersion(database, path);
    database.pragma('query_only = ON');
    registerFunctions(database, recordedRulesText(database));
    return database;
  } catch (error) {
    database?.close();
    throw asStoreError(error, path);
  }
}

function checkVersion(database: Database, path: string): void {
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID) {
    throw new StoreError('not-ours', 'is a SQLite database, but rdbscope did not write it', path);
  }
  const version = database.prepare(sql`SELECT value FROM meta WHERE name = 'schema_version'`).pluck().get();
  if (version !== SCHEMA_VERSION) {
    const problem = `has schema version ${version}, this rdbscope reads ${SCHEMA_VERSION}: load the snapshot again`;
    throw new StoreError('schema-version', problem, path);
  }
}
