import type Database from 'better-sqlite3';
import { sql } from '../store/sql.js';

/**
 * Makes the temporary table `key_name_faults`: faults of names by prefix, as `name_faults(key)` tells them. Every rule
 * on names reads it, so that the keys are read once.
 */
export function prepareNameFaults(database: Database.Database): void {
  const isThere = database
    .prepare(sql`SELECT 1 FROM sqlite_temp_schema WHERE name = 'key_name_faults'`)
    .pluck()
    .get();
  if (isThere === 1) return;
  // Nothing but a temporary table is written; the connection may stay one for reading.
  database.pragma('query_only = OFF');
  try {
    database.exec(NAME_FAULTS);
  } finally {
    database.pragma('query_only = ON');
  }
}

const NAME_FAULTS = sql`
CREATE TEMP TABLE key_name_faults AS
SELECT COALESCE(prefix_aliases.prefix_id, named.prefix_id) AS prefix_id, named.faults, SUM(named.keys) AS keys,
       SUM(named.memory_bytes) AS memory_bytes, MIN(named.first_key_id) AS first_key_id, MAX(named.last_key_id) AS last_key_id
FROM (
  SELECT prefix_id, faults, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes, MIN(id) AS first_key_id, MAX(id) AS last_key_id
  FROM (SELECT id, prefix_id, memory_bytes, name_faults(key) AS faults FROM key_rows LIMIT -1)  -- no limit, but once per key
  WHERE faults IS NOT NULL
  GROUP BY prefix_id, faults
) AS named
LEFT JOIN prefix_aliases ON prefix_aliases.id = named.prefix_id
GROUP BY 1, 2
`;
