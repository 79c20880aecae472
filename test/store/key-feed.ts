import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { MutableKeyRecord } from '../../src/rdb-parser/key-record.js';
import { type KeyRecord, type SnapshotFacts, UNKNOWN } from '../../src/rdb-parser/records.js';
import { type LoaderOptions, openStore, SnapshotLoader } from '../../src/store/index.js';
import type { FileLoadInfo } from '../../src/store/loaded-file.js';

/** The test snapshots' own clock: 2026-11-29 03:00:12 UTC. */
export const SAVED_AT_MS = Date.UTC(2026, 10, 29, 3, 0, 12);

/** A key as a test states it; what is left out has an unremarkable value. */
export interface FedKey extends Partial<Omit<KeyRecord, 'keyBuffer' | 'keyStart' | 'keyLength'>> {
  readonly key: string | Uint8Array;
  readonly memoryBytes?: number;
  readonly encoding?: string;
}

export interface FedFile {
  readonly keys: readonly FedKey[];
  readonly facts?: Partial<SnapshotFacts>;
  readonly info?: Partial<FileLoadInfo>;
}

/** A folder of its own for each test file's databases. */
export function scratchFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'rdbscope-store-'));
}

/** Loads keys as the only file of a new database, and opens it. */
export function loadKeys(keys: readonly FedKey[], options: Partial<LoaderOptions> = {}): Database {
  return loadFiles([{ keys }], options);
}

export function loadFiles(files: readonly FedFile[], options: Partial<LoaderOptions> = {}): Database {
  const folder = scratchFolder();
  const target = path.join(folder, 'snapshot.sqlite');
  const loader = new SnapshotLoader(target, { toolVersion: '0.0.0', ...options });
  for (const file of files) feedFile(loader, file);
  loader.finish();
  return openStore(target);
}

/** Feeds one file to a loader. */
export function feedFile(loader: SnapshotLoader, file: FedFile): void {
  const facts = snapshotFacts(file.facts);
  loader.startFile(facts);
  feedKeys(loader, file.keys);
  loader.finishFile(facts, loadInfo(file.info));
}

/** Feeds keys of a file that was started, in a window that is reused like the decoder's. */
export function feedKeys(loader: SnapshotLoader, keys: readonly FedKey[]): void {
  const record = new MutableKeyRecord();
  const window = new Uint8Array(64 * 1024);
  let offset = 9;
  for (const { key, memoryBytes, encoding, stream, ...fields } of keys) {
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    const fits = bytes.length < window.length;
    // Not always at the window's start, and now and then at its very end.
    const start = fits ? (offset % 3 === 0 ? window.length - bytes.length : offset % 7) : 0;
    if (fits) window.set(bytes, start);
    Object.assign(record, UNREMARKABLE, fields);
    Object.assign(record.stream, EMPTY_STREAM, stream);
    record.keyBuffer = fits ? window : bytes;
    record.keyStart = start;
    record.keyLength = bytes.length;
    record.offset = fields.offset ?? offset;
    loader.add(record, memoryBytes ?? 64, encoding ?? 'raw');
    offset += record.serializedBytes + bytes.length;
  }
}

export function snapshotFacts(facts: Partial<SnapshotFacts> = {}): SnapshotFacts {
  return {
    dialect: 'redis',
    product: 'redis',
    magic: 'REDIS0011',
    rdbVersion: 11,
    serverVersion: '7.2.6',
    createdAtMs: SAVED_AT_MS,
    usedMemoryBytes: 1_000_000,
    wordBits: 64,
    aux: [],
    databases: [],
    functions: [],
    moduleAux: [],
    slotRecords: 0,
    problems: [],
    keysRead: 0,
    recordsSkipped: 0,
    complete: true,
    checksum: 'ok',
    checksumStored: '0123456789abcdef',
    checksumComputed: '0123456789abcdef',
    snapshotBytes: 1000,
    trailingBytes: 0,
    trailingKind: 'none',
    ...facts,
  };
}

export function loadInfo(info: Partial<FileLoadInfo> = {}): FileLoadInfo {
  return {
    path: 'dump.rdb',
    container: 'plain',
    fileBytes: 1000,
    memoryProfile: 'redis 7.2, 64-bit, jemalloc',
    keyspaceOverheadBytes: new Map(),
    approximate: { keys: 0, memoryBytes: 0 },
    incompleteReason: undefined,
    loadMs: 12.6,
    ...info,
  };
}

/** All rows of a statement, integers as bigint so that nothing is rounded. */
export function rowsOf(database: Database, statement: string): unknown[][] {
  return database.prepare(statement).safeIntegers().raw().all() as unknown[][];
}

/** The single value of a statement. */
export function single(database: Database, statement: string): unknown {
  return database.prepare(statement).pluck().get();
}

const UNREMARKABLE: Partial<KeyRecord> = {
  db: 0,
  dataType: 'string',
  typeName: 'STRING',
  elementCount: 1,
  payloadBytes: 5,
  longestElementBytes: 5,
  hasExpiry: false,
  expiresAtMs: 0,
  expiresAtExact: undefined,
  idleSeconds: UNKNOWN,
  freq: UNKNOWN,
  fieldsWithTtl: 0,
  firstFieldExpiryMs: UNKNOWN,
  moduleName: undefined,
  serializedBytes: 20,
  valueBytes: 6,
};

const EMPTY_STREAM: Partial<KeyRecord['stream']> = {
  nodes: 0,
  groups: 0,
  consumers: 0,
  pending: 0,
  lastIdMs: 0n,
  lastIdSeq: 0n,
  oldestPendingMs: UNKNOWN,
  groupFacts: [],
};
