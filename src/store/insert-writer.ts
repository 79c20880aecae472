import type { Database, Statement } from 'better-sqlite3';
import { type KeyRecord, UNKNOWN } from '../rdb-parser/records.js';
import { KEY_COLUMNS, type KeyRow, type KeyRowWriter } from './key-row.js';
import { sql } from './sql.js';

/** Rows of one statement: 1,150 parameters, of the 32,766 that SQLite takes. */
const ROWS_PER_INSERT = 50;

type Value = string | number | bigint | Buffer | null;

/** Writes `key_rows` by ordinary inserts: the reference for the pages that PageWriter makes, and slower. */
export class InsertWriter implements KeyRowWriter {
  rows = 0;

  private readonly database: Database;
  private readonly insertMany: Statement;
  private readonly insertOne: Statement;
  private values: Value[] = [];

  constructor(database: Database) {
    this.database = database;
    this.insertMany = database.prepare(insertSql(ROWS_PER_INSERT));
    this.insertOne = database.prepare(insertSql(1));
    database.exec('BEGIN');
  }

  append(record: KeyRecord, row: KeyRow): void {
    const { keyBuffer, keyStart, keyLength, stream } = record;
    const isStream = record.dataType === 'stream';
    const key = Buffer.from(keyBuffer.subarray(keyStart, keyStart + keyLength));
    this.rows++;
    this.values.push(
      row.keyIsText ? key.toString() : key,
      row.kindId,
      record.db,
      row.fileId,
      row.prefixId,
      row.slot,
      known(record.elementCount),
      row.memoryBytes,
      record.serializedBytes,
      record.offset,
      known(record.payloadBytes),
      known(record.longestElementBytes),
      record.hasExpiry ? (record.expiresAtExact ?? whole(record.expiresAtMs)) : null,
      known(record.idleSeconds),
      known(record.freq),
      known(row.fieldsWithTtl),
      known(record.firstFieldExpiryMs),
      isStream ? known(stream.nodes) : null,
      isStream ? known(stream.groups) : null,
      isStream ? known(stream.consumers) : null,
      isStream ? known(stream.pending) : null,
      isStream ? known(stream.oldestPendingMs) : null,
      isStream ? `${stream.lastIdMs}-${stream.lastIdSeq}` : null,
    );
    if (this.values.length === ROWS_PER_INSERT * KEY_COLUMNS.length) this.flush();
  }

  finish(): void {
    this.flush();
    this.database.exec('COMMIT');
  }

  abandon(): void {
    this.values = [];
  }

  private flush(): void {
    const values = this.values;
    this.values = [];
    if (values.length === ROWS_PER_INSERT * KEY_COLUMNS.length) {
      this.insertMany.run(values);
      return;
    }
    for (let at = 0; at < values.length; at += KEY_COLUMNS.length) {
      this.insertOne.run(values.slice(at, at + KEY_COLUMNS.length));
    }
  }
}

function known(value: number): number | null {
  return value === UNKNOWN ? null : value;
}

/** -2^63 as a double would stay a real; everything above it becomes an integer by the column's affinity. */
function whole(value: number): number | bigint {
  return value === -(2 ** 63) ? BigInt(value) : value;
}

function insertSql(rows: number): string {
  const row = `(${KEY_COLUMNS.map(() => '?').join(', ')})`;
  return sql`INSERT INTO key_rows (${KEY_COLUMNS.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
}
