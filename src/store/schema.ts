import { sql } from './sql.js';

/** Stored in `meta` as `schema_version`; a database of another one is refused with advice to load again. */
export const SCHEMA_VERSION = 2;

/** `PRAGMA application_id`: "RDBS". Tells our databases from other people's, which are never overwritten. */
export const APPLICATION_ID = 0x52444253;

/**
 * The tables and views. `key_rows` is written as finished pages (see page-writer.ts), everything else by INSERT.
 *
 * Trailing columns of `key_rows` that are NULL may be left out of a row's record: SQLite reads them as NULL.
 * A key is TEXT when it is valid UTF-8 without NUL, else BLOB.
 */
export const SCHEMA = sql`
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  container TEXT NOT NULL,              -- plain, gzip, zstd, lz4, ... joined by +
  file_bytes INTEGER,                   -- NULL for a pipe
  snapshot_bytes INTEGER NOT NULL,      -- inflated, magic to trailer
  dialect TEXT NOT NULL,                -- whose numbers of types and opcodes: redis, valkey, keydb, dragonfly
  product TEXT NOT NULL,                -- whose server wrote it: Valkey 8 still writes the redis dialect
  rdb_version INTEGER NOT NULL,
  server_version TEXT,
  bits INTEGER,
  created_at_ms INTEGER,
  used_memory_bytes INTEGER,
  modelled_bytes INTEGER NOT NULL,      -- sum of keys.memory_bytes
  keyspace_overhead_bytes INTEGER NOT NULL,
  unexplained_bytes INTEGER,            -- used_memory_bytes - modelled_bytes - keyspace_overhead_bytes
  approximate_keys INTEGER NOT NULL,    -- modelled by their size on disk: values of modules
  approximate_bytes INTEGER NOT NULL,   -- their part of modelled_bytes
  memory_profile TEXT NOT NULL,
  checksum TEXT NOT NULL,               -- ok, mismatch, off, absent, unchecked
  checksum_stored TEXT,
  checksum_computed TEXT,
  complete INTEGER NOT NULL,            -- 1: EOF was reached and nothing was damaged
  incomplete_reason TEXT,
  keys_announced INTEGER,               -- NULL without RESIZEDB
  expires_announced INTEGER,
  keys_read INTEGER NOT NULL,
  keys_with_expiry INTEGER NOT NULL,
  keys_expired INTEGER,                 -- at created_at_ms; NULL when that is unknown
  keys_absurd_expiry INTEGER NOT NULL,  -- before 1990 or a hundred years ahead
  duplicate_keys INTEGER,               -- NULL: not looked for
  duplicate_check TEXT NOT NULL,        -- exact, hashed, none
  empty_keys INTEGER NOT NULL,
  records_skipped INTEGER NOT NULL,
  trailing_bytes INTEGER NOT NULL,
  trailing_kind TEXT NOT NULL,
  loaded_at_ms INTEGER NOT NULL,
  load_ms INTEGER NOT NULL
);
CREATE TABLE aux_fields (file_id INTEGER NOT NULL, name TEXT NOT NULL, value NOT NULL);
CREATE TABLE databases (
  file_id INTEGER NOT NULL, db INTEGER NOT NULL,
  keys_announced INTEGER, expires_announced INTEGER,
  keys_read INTEGER NOT NULL, keys_with_expiry INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL, keyspace_overhead_bytes INTEGER NOT NULL
);

CREATE TABLE kinds (id INTEGER PRIMARY KEY, type TEXT NOT NULL, encoding TEXT, module TEXT);
CREATE TABLE key_rows (
  id INTEGER PRIMARY KEY,
  key NOT NULL,
  kind_id INTEGER NOT NULL,
  db INTEGER NOT NULL,
  file_id INTEGER NOT NULL,
  prefix_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  elements INTEGER,
  memory_bytes INTEGER NOT NULL,
  serialized_bytes INTEGER NOT NULL,
  file_offset INTEGER NOT NULL,
  payload_bytes INTEGER,
  largest_element_bytes INTEGER,
  expires_at_ms INTEGER,
  idle_seconds INTEGER,
  freq INTEGER,
  fields_with_ttl INTEGER,
  first_field_expiry_ms INTEGER,
  stream_nodes INTEGER,                 -- from here on NULL but for streams
  stream_groups INTEGER,
  stream_consumers INTEGER,
  stream_pending INTEGER,
  stream_oldest_pending_ms INTEGER,
  stream_last_id TEXT
);
CREATE TABLE prefixes (
  id INTEGER PRIMARY KEY,
  parent_id INTEGER,                    -- NULL for the root
  depth INTEGER NOT NULL,               -- 0 for the root
  prefix TEXT NOT NULL,                 -- printable, ids as placeholders: user:{n}:session
  own_keys INTEGER NOT NULL,            -- keys that end at this node
  keys INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  serialized_bytes INTEGER NOT NULL,
  elements INTEGER NOT NULL,
  key_name_bytes INTEGER NOT NULL,
  keys_without_ttl INTEGER NOT NULL,
  memory_without_ttl INTEGER NOT NULL,
  expired_keys INTEGER NOT NULL,
  largest_key_bytes INTEGER NOT NULL
);
CREATE TABLE prefix_aliases (id INTEGER PRIMARY KEY, prefix_id INTEGER NOT NULL);  -- folded into another while loading
CREATE TABLE prefix_types (
  prefix_id INTEGER NOT NULL, type TEXT NOT NULL,
  keys INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, serialized_bytes INTEGER NOT NULL,
  elements INTEGER NOT NULL, keys_without_ttl INTEGER NOT NULL, memory_without_ttl INTEGER NOT NULL,
  PRIMARY KEY (prefix_id, type)
) WITHOUT ROWID;
CREATE TABLE prefix_marks (             -- keys with something remarkable, by their own prefix; see prefix-marks.ts
  prefix_id INTEGER NOT NULL,
  mark TEXT NOT NULL,                   -- content:json, ... (strings of 1,000 bytes and more); one-long-element, ...
  compressed INTEGER NOT NULL,          -- 1: the content is compressed already
  keys INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, serialized_bytes INTEGER NOT NULL,
  payload_bytes INTEGER NOT NULL, elements INTEGER NOT NULL,
  first_key_id INTEGER NOT NULL, last_key_id INTEGER NOT NULL
);
CREATE TABLE totals (                   -- what the summary adds up; one row per combination that occurs
  file_id INTEGER NOT NULL, db INTEGER NOT NULL, kind_id INTEGER NOT NULL,
  keys INTEGER NOT NULL, memory_bytes INTEGER NOT NULL, serialized_bytes INTEGER NOT NULL, elements INTEGER NOT NULL,
  key_name_bytes INTEGER NOT NULL,
  keys_without_ttl INTEGER NOT NULL, memory_without_ttl INTEGER NOT NULL,
  expired_keys INTEGER NOT NULL, expired_memory_bytes INTEGER NOT NULL,
  largest_key_bytes INTEGER NOT NULL, largest_key_id INTEGER NOT NULL
);
CREATE TABLE size_buckets (             -- power-of-two histograms; bucket b holds 2^b <= value < 2^(b+1), -1 holds 0
  type TEXT NOT NULL, measure TEXT NOT NULL, bucket INTEGER NOT NULL,
  keys INTEGER NOT NULL, total INTEGER NOT NULL
);
CREATE TABLE largest_keys (             -- the first thousand keys by each measure; see largest-keys.ts
  ranking TEXT NOT NULL,                -- memory_bytes, elements, ...; memory_without_ttl: of those that never expire
  key_id INTEGER NOT NULL, value INTEGER NOT NULL
);
-- Keys by expiry instant. Each key is in one row. Spans may differ in width: where there were too many seconds, a wide
-- row has its span's keys but for the seconds that stand out, which have narrow rows of their own inside it.
CREATE TABLE expiry_buckets (
  start_ms INTEGER NOT NULL, width_ms INTEGER NOT NULL,
  keys INTEGER NOT NULL, memory_bytes INTEGER NOT NULL
);
CREATE TABLE slot_totals (slot INTEGER PRIMARY KEY, keys INTEGER NOT NULL, memory_bytes INTEGER NOT NULL);

CREATE TABLE stream_groups (
  key_id INTEGER NOT NULL, name NOT NULL, last_id TEXT NOT NULL, consumers INTEGER NOT NULL, pending INTEGER NOT NULL,
  oldest_pending_ms INTEGER
);
CREATE TABLE functions (file_id INTEGER NOT NULL, name TEXT NOT NULL, engine TEXT NOT NULL, bytes INTEGER NOT NULL, file_offset INTEGER NOT NULL);
CREATE TABLE module_aux (
  file_id INTEGER NOT NULL, module TEXT NOT NULL, version INTEGER NOT NULL, placed TEXT NOT NULL,
  serialized_bytes INTEGER NOT NULL, file_offset INTEGER NOT NULL
);
CREATE TABLE problems (
  file_id INTEGER NOT NULL, code TEXT NOT NULL, severity TEXT NOT NULL, text TEXT NOT NULL,
  file_offset INTEGER, db INTEGER, key, count INTEGER NOT NULL
);

-- Outer joins, so that SQLite leaves out those whose columns are not asked for.
CREATE VIEW keys AS
SELECT k.id, k.file_id, k.db, k.key, kinds.type, kinds.encoding, kinds.module, k.elements, k.memory_bytes,
       k.serialized_bytes, k.payload_bytes, k.largest_element_bytes, k.expires_at_ms,
       k.expires_at_ms - files.created_at_ms AS ttl_ms,
       k.idle_seconds, k.freq, k.fields_with_ttl, k.first_field_expiry_ms, k.slot,
       COALESCE(prefix_aliases.prefix_id, k.prefix_id) AS prefix_id, k.file_offset
FROM key_rows AS k
LEFT JOIN kinds ON kinds.id = k.kind_id
LEFT JOIN files ON files.id = k.file_id
LEFT JOIN prefix_aliases ON prefix_aliases.id = k.prefix_id;

CREATE VIEW streams AS
SELECT id AS key_id, file_id, db, key, elements AS entries, stream_nodes AS nodes, stream_groups AS groups,
       stream_consumers AS consumers, stream_pending AS pending, stream_last_id AS last_id,
       stream_oldest_pending_ms AS oldest_pending_ms, memory_bytes
FROM key_rows
WHERE kind_id IN (SELECT id FROM kinds WHERE type = 'stream');

CREATE VIEW types AS
SELECT kinds.type, kinds.encoding, SUM(totals.keys) AS keys, SUM(totals.memory_bytes) AS memory_bytes,
       SUM(totals.serialized_bytes) AS serialized_bytes, SUM(totals.elements) AS elements,
       SUM(totals.keys_without_ttl) AS keys_without_ttl, SUM(totals.memory_without_ttl) AS memory_without_ttl,
       MAX(totals.largest_key_bytes) AS largest_key_bytes
FROM totals JOIN kinds ON kinds.id = totals.kind_id
GROUP BY kinds.type, kinds.encoding;

CREATE VIEW modules AS
SELECT kinds.module, SUM(totals.keys) AS keys, SUM(totals.serialized_bytes) AS serialized_bytes,
       SUM(totals.memory_bytes) AS memory_bytes
FROM totals JOIN kinds ON kinds.id = totals.kind_id
WHERE kinds.module IS NOT NULL
GROUP BY kinds.module;
`;
