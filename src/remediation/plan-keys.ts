import type Database from 'better-sqlite3';
import type { BoundStatement } from '../findings/index.js';
import { sql } from '../store/sql.js';
import type { PlanKey, PlanSnapshot } from './plan.js';
import { PlanError } from './plan.js';

/** Which keys of a database a plan is of. */
export interface KeySelection {
  /** A condition on the view `keys`. */
  readonly condition: BoundStatement;
  /** Only below this node of the prefix tree. */
  readonly prefixId: number | undefined;
}

interface KeyRow {
  readonly db: number;
  readonly key: string | Uint8Array;
  readonly type: string;
  readonly module: string | null;
  readonly size: number | null;
  readonly memory_bytes: number;
  readonly fields_with_ttl: number | null;
  readonly largest_element_bytes: number | null;
}

/** The keys one by one, by db, then as they lie in the file. */
export function* planKeys(database: Database.Database, selection: KeySelection): Generator<PlanKey> {
  const { text, values } = statement(selection, PLAN_COLUMNS, 'ORDER BY db, id');
  for (const row of database.prepare(text).iterate(values) as Iterable<KeyRow>) yield planKey(row);
}

/** The first of them that meets a further condition. */
export function findKey(
  database: Database.Database,
  selection: KeySelection,
  condition: string,
): PlanKey | undefined {
  const narrowed = { ...selection.condition, sql: sql`(${selection.condition.sql}) AND (${condition})` };
  const { text, values } = statement(
    { ...selection, condition: narrowed },
    PLAN_COLUMNS,
    'ORDER BY id LIMIT 1',
  );
  const row = database.prepare(text).get(values) as KeyRow | undefined;
  return row === undefined ? undefined : planKey(row);
}

/** How many keys those are and what they take. */
export function countKeys(
  database: Database.Database,
  selection: KeySelection,
): { readonly keys: number; readonly memoryBytes: number } {
  const sums = sql`COUNT(*) AS keys, COALESCE(SUM(memory_bytes), 0) AS memoryBytes`;
  const { text, values } = statement(selection, sums, '');
  return database.prepare(text).get(values) as { keys: number; memoryBytes: number };
}

/**
 * The node of a prefix, as it is printed.
 * @throws PlanError when there is none
 */
export function prefixIdOf(database: Database.Database, prefix: string): number {
  const id = database
    .prepare(sql`SELECT id FROM prefixes WHERE prefix = ? ORDER BY depth LIMIT 1`)
    .pluck()
    .get(prefix);
  if (id === undefined) {
    throw new PlanError(`there is no prefix "${prefix}"; name it as reports print it, placeholders and all`);
  }
  return Number(id);
}

/** What is known of the snapshot, of the first file where there are several. */
export function planSnapshot(database: Database.Database): PlanSnapshot {
  const row = database
    .prepare(
      sql`SELECT path, created_at_ms, product, server_version, memory_profile FROM files ORDER BY id LIMIT 1`,
    )
    .get() as {
    path: string;
    created_at_ms: number | null;
    product: string;
    server_version: string | null;
    memory_profile: string;
  };
  const files = Number(database.prepare(sql`SELECT COUNT(*) FROM files`).pluck().get());
  return {
    path: files > 1 ? `${row.path} and ${files - 1} more` : row.path,
    createdAtMs: row.created_at_ms ?? undefined,
    product: row.product,
    serverVersion: row.server_version ?? undefined,
    isCluster: files > 1 || /\bcluster\b/.test(row.memory_profile),
  };
}

const PLAN_COLUMNS = sql`db, key, type, module,
  CASE WHEN type = 'string' THEN payload_bytes WHEN type IN ('list', 'set', 'zset', 'hash', 'stream') THEN elements END AS size,
  memory_bytes, fields_with_ttl, largest_element_bytes`;

function statement(
  { condition, prefixId }: KeySelection,
  columns: string,
  order: string,
): { text: string; values: Record<string, unknown> } {
  if (prefixId === undefined) {
    return {
      text: sql`SELECT ${columns} FROM keys WHERE (${condition.sql}) ${order}`,
      values: { ...condition.values },
    };
  }
  return {
    text: sql`
WITH RECURSIVE below (id) AS (
  SELECT :plan_prefix_id
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN below ON prefixes.parent_id = below.id
)
SELECT ${columns} FROM keys WHERE prefix_id IN (SELECT id FROM below) AND (${condition.sql}) ${order}`,
    values: { ...condition.values, plan_prefix_id: prefixId },
  };
}

function planKey(row: KeyRow): PlanKey {
  return {
    db: row.db,
    key: typeof row.key === 'string' ? Buffer.from(row.key) : row.key,
    type: row.module ?? row.type,
    size: row.size ?? undefined,
    memoryBytes: row.memory_bytes,
    fieldsWithTtl: row.fields_with_ttl ?? 0,
    largestElementBytes: row.largest_element_bytes ?? undefined,
  };
}
