import type { KeyRecord } from '../rdb-parser/records.js';

/** What the store adds to a key's record. One reused object: writers copy what they need. */
export interface KeyRow {
  fileId: number;
  kindId: number;
  prefixId: number;
  slot: number;
  memoryBytes: number;
  /** Valid UTF-8 without NUL: stored as TEXT, else as BLOB. */
  keyIsText: boolean;
  /** UNKNOWN where it does not apply: only hashes, and sets of KeyDB, have such fields. */
  fieldsWithTtl: number;
}

/** Appends rows to `key_rows`; ids count from 1 in the order of the calls. */
export interface KeyRowWriter {
  readonly rows: number;
  /** The key must be the one that the core of this load took last. Errors of the system pass through. */
  append(record: KeyRecord, row: KeyRow): void;
  /** Makes the rows readable through SQLite. Nothing can be appended afterwards. */
  finish(): void;
  /** Lets go of the file, whose contents are of no more interest. */
  abandon(): void;
}

/** The columns of `key_rows` from `key` on, in the order in which every writer gives them. */
export const KEY_COLUMNS = [
  'key',
  'kind_id',
  'db',
  'file_id',
  'prefix_id',
  'slot',
  'elements',
  'memory_bytes',
  'serialized_bytes',
  'file_offset',
  'payload_bytes',
  'largest_element_bytes',
  'expires_at_ms',
  'idle_seconds',
  'freq',
  'fields_with_ttl',
  'first_field_expiry_ms',
  'stream_nodes',
  'stream_groups',
  'stream_consumers',
  'stream_pending',
  'stream_oldest_pending_ms',
  'stream_last_id',
] as const;
