import Database from 'better-sqlite3';
import { printableText } from '../../src/rdb-parser/printable.js';
import { registerFunctions } from '../../src/store/functions.js';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from '../../src/store/schema.js';

/** A key as a test states it; what is left out has an unremarkable value. */
export interface TestKey {
  readonly db?: number;
  readonly type?: string;
  readonly encoding?: string | null;
  readonly module?: string;
  readonly elements?: number | null;
  readonly memoryBytes?: number;
  readonly serializedBytes?: number;
  readonly payloadBytes?: number | null;
  readonly largestElementBytes?: number | null;
  readonly expiresAtMs?: number | bigint;
  readonly idleSeconds?: number;
  readonly freq?: number;
  readonly fieldsWithTtl?: number;
  readonly firstFieldExpiryMs?: number;
  readonly slot?: number;
}

type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

export type FileFacts = Readonly<Record<string, string | number | null>>;

/** The test snapshots' own clock: 2026-11-29 03:00:12 UTC. */
export const SAVED_AT_MS = Date.UTC(2026, 10, 29, 3, 0, 12);

const HUNDRED_YEARS_MS = 100 * 365.25 * 86_400_000;
const YEAR_1990_MS = Date.UTC(1990, 0, 1);

/**
 * Builds a small database with the store's own schema, so that reports are tested on rows that stand in the open.
 * Sums (totals, prefixes, buckets) are computed by SQL from the keys, the simple way.
 */
export class SnapshotDatabase {
  readonly #database: Database.Database;
  readonly #file: FileFacts;
  readonly #kinds = new Map<string, number>();
  readonly #inserts = new Map<string, (values: Row) => void>();
  #keys = 0;

  constructor(file: FileFacts = {}, path = ':memory:') {
    this.#file = file;
    this.#database = new Database(path);
    this.#database.pragma(`application_id = ${APPLICATION_ID}`);
    this.#database.exec(SCHEMA);
    registerFunctions(this.#database);
    this.#database.prepare('INSERT INTO meta VALUES (?, ?)').run('schema_version', SCHEMA_VERSION);
    this.#database.exec('BEGIN');
  }

  key(key: string | Uint8Array, facts: TestKey = {}): this {
    const type = facts.type ?? 'string';
    this.#keys++;
    this.#insert('key_rows', {
      id: this.#keys,
      key: typeof key === 'string' ? key : Buffer.from(key),
      kind_id: this.#kind(type, facts.encoding ?? null, facts.module ?? null),
      db: facts.db ?? 0,
      file_id: 1,
      prefix_id: 0,
      slot: facts.slot ?? 0,
      elements: facts.elements === undefined ? 1 : facts.elements,
      memory_bytes: facts.memoryBytes ?? 100,
      serialized_bytes: facts.serializedBytes ?? 50,
      file_offset: 9 + this.#keys * 100,
      payload_bytes: facts.payloadBytes === undefined ? 10 : facts.payloadBytes,
      largest_element_bytes: facts.largestElementBytes ?? null,
      expires_at_ms: facts.expiresAtMs ?? null,
      idle_seconds: facts.idleSeconds ?? null,
      freq: facts.freq ?? null,
      fields_with_ttl: facts.fieldsWithTtl ?? null,
      first_field_expiry_ms: facts.firstFieldExpiryMs ?? null,
    });
    return this;
  }

  /** `count` keys named by `name(i)`, i from 0. */
  keys(count: number, name: (i: number) => string, facts: (i: number) => TestKey = () => ({})): this {
    for (let i = 0; i < count; i++) this.key(name(i), facts(i));
    return this;
  }

  row(table: string, values: Row): this {
    this.#insert(table, values);
    return this;
  }

  /** The finished database, opened for reading and writing; close it. */
  build(): Database.Database {
    this.#files();
    this.#prefixes();
    this.#database.exec(SUMS);
    this.#database.exec('COMMIT');
    return this.#database;
  }

  #kind(type: string, encoding: string | null, module: string | null): number {
    const name = JSON.stringify([type, encoding, module]);
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const id = this.#kinds.size + 1;
    this.#kinds.set(name, id);
    this.#insert('kinds', { id, type, encoding, module });
    return id;
  }

  #files(): void {
    const created = this.#file.created_at_ms === undefined ? SAVED_AT_MS : this.#file.created_at_ms;
    const facts = this.#database
      .prepare(
        `SELECT COUNT(*) AS keys, COUNT(expires_at_ms) AS expiring, COALESCE(SUM(memory_bytes), 0) AS bytes,
                SUM(CASE WHEN expires_at_ms < ? THEN 1 ELSE 0 END) AS expired,
                SUM(CASE WHEN expires_at_ms < ? OR expires_at_ms > ? THEN 1 ELSE 0 END) AS absurd FROM key_rows`,
      )
      .get(created, YEAR_1990_MS, Number(created) + HUNDRED_YEARS_MS) as Record<string, number>;
    this.#insert('files', {
      id: 1,
      path: 'dump.rdb',
      container: 'plain',
      file_bytes: 6_700_000,
      snapshot_bytes: 6_700_000,
      dialect: 'redis',
      product: 'redis',
      rdb_version: 11,
      server_version: '7.2.6',
      bits: 64,
      created_at_ms: created,
      used_memory_bytes: Math.round(facts.bytes! * 1.2),
      modelled_bytes: facts.bytes!,
      keyspace_overhead_bytes: 1000,
      unexplained_bytes: Math.round(facts.bytes! * 1.2) - facts.bytes! - 1000,
      approximate_keys: 0,
      approximate_bytes: 0,
      memory_profile: 'redis 7.2, 64 bit, jemalloc',
      checksum: 'ok',
      complete: 1,
      keys_announced: facts.keys!,
      keys_read: facts.keys!,
      keys_with_expiry: facts.expiring!,
      keys_expired: created === null ? null : (facts.expired ?? 0),
      keys_absurd_expiry: facts.absurd ?? 0,
      duplicate_keys: 0,
      duplicate_check: 'exact',
      empty_keys: 0,
      records_skipped: 0,
      trailing_bytes: 0,
      trailing_kind: 'none',
      loaded_at_ms: SAVED_AT_MS + 3_600_000,
      load_ms: 10,
      ...this.#file,
    });
  }

  /** The tree's nodes, digits as `{n}`; SUMS fills in what they hold. */
  #prefixes(): void {
    const ids = new Map<string, number>([['', 1]]);
    this.#insert('prefixes', { id: 1, depth: 0, prefix: '' });
    const own = this.#database.prepare('UPDATE key_rows SET prefix_id = ? WHERE id = ?');
    const rows = this.#database.prepare('SELECT id, CAST(key AS TEXT) AS key FROM key_rows').all() as {
      id: number;
      key: string;
    }[];
    for (const { id, key } of rows) {
      let prefix = '';
      let parent = 1;
      for (const [index, segment] of key.split(':').entries()) {
        const word = /^\d+$/.test(segment) ? '{n}' : printableText(segment);
        prefix = index === 0 ? word : `${prefix}:${word}`;
        const node = `${index}/${prefix}`;
        const nodeId = ids.get(node) ?? ids.size + 1;
        if (!ids.has(node)) {
          ids.set(node, nodeId);
          this.#insert('prefixes', { id: nodeId, parent_id: parent, depth: index + 1, prefix });
        }
        parent = nodeId;
      }
      own.run(parent, id);
    }
  }

  #insert(table: string, values: Row): void {
    let insert = this.#inserts.get(table);
    if (insert === undefined) {
      insert = this.#prepareInsert(table);
      this.#inserts.set(table, insert);
    }
    insert(values);
  }

  /** Columns that a test leaves out get NULL, or where that is forbidden 0 or an empty text. */
  #prepareInsert(table: string): (values: Row) => void {
    const columns = this.#database.pragma(`table_info(${table})`) as {
      name: string;
      type: string;
      notnull: number;
    }[];
    const defaults = columns.map(({ name, type, notnull }) => {
      return [name, notnull === 0 ? null : type === 'TEXT' ? '' : 0] as const;
    });
    const names = columns.map((column) => column.name);
    const statement = this.#database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    );
    return (values) => {
      for (const name of Object.keys(values)) {
        if (!names.includes(name)) throw new Error(`table ${table} has no column ${name}`);
      }
      statement.run({ ...Object.fromEntries(defaults), ...values });
    };
  }
}

const SUMS = `
CREATE TEMP TABLE way AS
WITH RECURSIVE way (node_id, key_id) AS (
  SELECT prefix_id, id FROM key_rows
  UNION ALL
  SELECT parent_id, key_id FROM way JOIN prefixes ON prefixes.id = node_id WHERE parent_id IS NOT NULL
)
SELECT * FROM way;
UPDATE prefixes SET
  own_keys = (SELECT COUNT(*) FROM key_rows WHERE prefix_id = prefixes.id),
  (keys, memory_bytes, serialized_bytes, elements, key_name_bytes, keys_without_ttl, memory_without_ttl, expired_keys,
   largest_key_bytes) = (
    SELECT COUNT(*), COALESCE(SUM(k.memory_bytes), 0), COALESCE(SUM(k.serialized_bytes), 0),
           COALESCE(SUM(k.elements), 0), COALESCE(SUM(LENGTH(k.key)), 0),
           COALESCE(SUM(k.expires_at_ms IS NULL), 0), COALESCE(SUM(k.memory_bytes * (k.expires_at_ms IS NULL)), 0),
           COALESCE(SUM(k.expires_at_ms < (SELECT created_at_ms FROM files)), 0), COALESCE(MAX(k.memory_bytes), 0)
    FROM way JOIN key_rows AS k ON k.id = way.key_id WHERE way.node_id = prefixes.id);
INSERT INTO totals
SELECT file_id, db, kind_id, COUNT(*), SUM(memory_bytes), SUM(serialized_bytes), SUM(COALESCE(elements, 0)),
       SUM(LENGTH(key)), SUM(expires_at_ms IS NULL), SUM(memory_bytes * (expires_at_ms IS NULL)),
       SUM(COALESCE(expires_at_ms < (SELECT created_at_ms FROM files), 0)),
       SUM(memory_bytes * COALESCE(expires_at_ms < (SELECT created_at_ms FROM files), 0)),
       MAX(memory_bytes), (SELECT id FROM key_rows AS l WHERE l.file_id = k.file_id AND l.db = k.db
                           AND l.kind_id = k.kind_id ORDER BY memory_bytes DESC, id LIMIT 1)
FROM key_rows AS k GROUP BY file_id, db, kind_id;
INSERT INTO databases
SELECT 1, db, COUNT(*), COUNT(expires_at_ms), COUNT(*), COUNT(expires_at_ms), SUM(memory_bytes), 1000
FROM key_rows GROUP BY db;
INSERT INTO expiry_buckets
SELECT expires_at_ms / 1000 * 1000, 1000, COUNT(*), SUM(memory_bytes) FROM key_rows
WHERE expires_at_ms >= ${YEAR_1990_MS}
  AND expires_at_ms <= (SELECT COALESCE(created_at_ms, loaded_at_ms) FROM files) + ${HUNDRED_YEARS_MS}
GROUP BY 1;
INSERT INTO prefix_types
SELECT way.node_id, type, COUNT(*), SUM(memory_bytes), SUM(serialized_bytes), SUM(COALESCE(elements, 0)),
       SUM(expires_at_ms IS NULL), SUM(memory_bytes * (expires_at_ms IS NULL))
FROM way JOIN key_rows ON key_rows.id = key_id JOIN kinds ON kinds.id = kind_id GROUP BY 1, 2;
INSERT INTO slot_totals SELECT slot, COUNT(*), SUM(memory_bytes) FROM key_rows GROUP BY slot;
`;
