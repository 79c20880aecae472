import type { Database } from 'better-sqlite3';
import { type Problem, UNKNOWN } from '../rdb-parser/records.js';
import { LATEST_EXPIRY_YEARS } from './expiry-buckets.js';
import { keyValue } from './key-value.js';
import type { LoadedFile } from './loaded-file.js';
import { sql } from './sql.js';
import { inserter } from './table-insert.js';
import type { TotalsRow } from './totals.js';

/** Writes what is told of one file: its row in `files` and the rows of the tables that hang on it. */
export function writeFileTables(database: Database, file: LoadedFile, totals: readonly TotalsRow[]): void {
  writeFileRow(database, file, totals);
  writeDatabases(database, file, totals);
  writeInventory(database, file);
  writeProblems(database, file, totals);
}

function writeFileRow(database: Database, file: LoadedFile, totals: readonly TotalsRow[]): void {
  const { facts, info, duplicates } = file;
  const announced = facts.databases.filter((db) => db.keysAnnounced !== UNKNOWN);
  const modelledBytes = sum(totals.map((row) => row.memoryBytes));
  const overheadBytes = sum([...info.keyspaceOverheadBytes.values()]);
  const used = known(facts.usedMemoryBytes);
  inserter(
    database,
    'files',
  )({
    id: file.id,
    path: info.path,
    container: info.container,
    file_bytes: info.fileBytes ?? null,
    snapshot_bytes: facts.snapshotBytes,
    dialect: facts.dialect,
    product: facts.product,
    rdb_version: facts.rdbVersion,
    server_version: facts.serverVersion ?? null,
    bits: known(facts.wordBits),
    created_at_ms: known(facts.createdAtMs),
    used_memory_bytes: used,
    modelled_bytes: modelledBytes,
    keyspace_overhead_bytes: overheadBytes,
    unexplained_bytes: used === null ? null : used - modelledBytes - overheadBytes,
    approximate_keys: info.approximate.keys,
    approximate_bytes: info.approximate.memoryBytes,
    memory_profile: info.memoryProfile,
    checksum: facts.checksum,
    checksum_stored: facts.checksumStored ?? null,
    checksum_computed: facts.checksumComputed ?? null,
    complete: Number(facts.complete && info.incompleteReason === undefined),
    incomplete_reason: info.incompleteReason ?? null,
    keys_announced: announced.length === 0 ? null : sum(announced.map((db) => db.keysAnnounced)),
    expires_announced: announced.length === 0 ? null : sum(announced.map((db) => db.expiresAnnounced)),
    keys_read: file.keysRead,
    keys_with_expiry: file.keysWithExpiry,
    keys_expired: file.keysExpired ?? null,
    keys_absurd_expiry: file.keysAbsurdExpiry,
    duplicate_keys: duplicates?.count ?? null,
    duplicate_check: duplicates?.check ?? 'none',
    empty_keys: file.emptyKeys,
    records_skipped: facts.recordsSkipped,
    trailing_bytes: facts.trailingBytes,
    trailing_kind: facts.trailingKind,
    loaded_at_ms: Date.now(),
    load_ms: Math.round(info.loadMs),
  });
}

function writeDatabases(database: Database, file: LoadedFile, totals: readonly TotalsRow[]): void {
  const insert = inserter(database, 'databases');
  const announced = new Map(file.facts.databases.map((facts) => [facts.db, facts]));
  // By db: a damaged file may name very many.
  const counted = new Map([...announced.keys()].map((db) => [db, { ...NOTHING_COUNTED }]));
  for (const { db, keys, keysWithoutTtl, memoryBytes } of totals) {
    const sums = counted.get(db) ?? { ...NOTHING_COUNTED };
    sums.keys += keys;
    sums.keysWithExpiry += keys - keysWithoutTtl;
    sums.memoryBytes += memoryBytes;
    counted.set(db, sums);
  }
  for (const [db, sums] of [...counted].sort(([a], [b]) => a - b)) {
    insert({
      file_id: file.id,
      db,
      keys_announced: known(announced.get(db)?.keysAnnounced ?? UNKNOWN),
      expires_announced: known(announced.get(db)?.expiresAnnounced ?? UNKNOWN),
      keys_read: sums.keys,
      keys_with_expiry: sums.keysWithExpiry,
      memory_bytes: sums.memoryBytes,
      keyspace_overhead_bytes: file.info.keyspaceOverheadBytes.get(db) ?? 0,
    });
  }
}

const NOTHING_COUNTED = { keys: 0, keysWithExpiry: 0, memoryBytes: 0 };

function writeInventory(database: Database, file: LoadedFile): void {
  const { aux, functions, moduleAux } = file.facts;
  const insertAux = inserter(database, 'aux_fields');
  for (const { name, value } of aux) insertAux({ file_id: file.id, name, value });
  const insertFunction = inserter(database, 'functions');
  for (const { name, engine, bytes, offset } of functions) {
    insertFunction({ file_id: file.id, name, engine, bytes, file_offset: offset });
  }
  const insertModule = inserter(database, 'module_aux');
  for (const part of moduleAux) {
    insertModule({
      file_id: file.id,
      module: part.moduleName,
      version: part.moduleVersion,
      placed: part.when,
      serialized_bytes: part.serializedBytes,
      file_offset: part.offset,
    });
  }
}

function writeProblems(database: Database, file: LoadedFile, totals: readonly TotalsRow[]): void {
  const insert = inserter(database, 'problems');
  const write = ({ code, severity, text, offset, db, key, count }: Problem): void =>
    insert({
      file_id: file.id,
      code,
      severity,
      text,
      file_offset: known(offset),
      db: known(db),
      key: key === undefined ? null : keyValue(key),
      count,
    });
  for (const problem of file.facts.problems) write(problem);
  // Where the first of them stands is asked of the rows, which know the key.
  const place = database.prepare<[number], { file_offset: number; db: number; key: string | Buffer }>(
    sql`SELECT file_offset, db, key FROM key_rows WHERE id = ?`,
  );
  const writeOwn = (
    code: string,
    severity: Problem['severity'],
    text: string,
    keyId: number,
    count: number,
  ): void => {
    const { file_offset = null, db = null, key = null } = place.get(keyId) ?? {};
    insert({ file_id: file.id, code, severity, text, file_offset, db, key, count });
  };
  if (file.keysAbsurdExpiry > 0) {
    const text = `expires before 1990 or more than ${LATEST_EXPIRY_YEARS} years after the snapshot`;
    writeOwn('absurd-expiry', 'warning', text, file.firstAbsurdKeyId, file.keysAbsurdExpiry);
  }
  if (file.streamGroupsDropped > 0) {
    writeOwn('groups-cut', 'info', 'consumer groups are counted but not listed', 0, file.streamGroupsDropped);
  }
  const inexact = totals.filter((row) => !isExact(row));
  if (inexact.length > 0) {
    writeOwn('inexact-sum', 'warning', 'sums beyond 2^53 are rounded', 0, inexact.length);
  }
  if (file.duplicates !== undefined && file.duplicates.count > 0) {
    const { check, count, firstRow } = file.duplicates;
    const text = check === 'exact' ? 'comes again in the same database' : 'seems to come again (by its hash)';
    writeOwn('duplicate-key', 'error', text, firstRow, count);
  }
}

/** Sums only grow, so one that was ever rounded is beyond 2^53. */
function isExact({ memoryBytes, serializedBytes, elements, keyNameBytes }: TotalsRow): boolean {
  return Math.max(memoryBytes, serializedBytes, elements, keyNameBytes) <= Number.MAX_SAFE_INTEGER;
}

function known(value: number): number | null {
  return value === UNKNOWN ? null : value;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
