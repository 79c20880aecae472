import type { Database } from 'better-sqlite3';
import { type DuplicateSearch, MAX_PAIRS } from './duplicates.js';
import type { DuplicateFacts } from './loaded-file.js';
import { sql } from './sql.js';

/** Compares the keys that seem to come twice; undefined when the search did not see all keys. */
export function confirmDuplicates(database: Database, search: DuplicateSearch): DuplicateFacts | undefined {
  if (!search.complete) return undefined;
  const isSame = database
    .prepare<[number, number], number>(sql`
      SELECT COUNT(*) FROM key_rows AS a JOIN key_rows AS b ON a.key = b.key AND a.db = b.db
      WHERE a.id = ? AND b.id = ?`)
    .pluck();
  const confirmed = search.pairs.filter(({ firstRow, row }) => isSame.get(firstRow, row) === 1);
  // Pairs come in the order of their hashes, which is another in each load.
  const firstRow = confirmed.reduce((first, { row }) => Math.min(first, row), Number.POSITIVE_INFINITY);
  const refuted = search.pairs.length - confirmed.length;
  return {
    count: search.count - refuted,
    check: search.count <= MAX_PAIRS ? 'exact' : 'hashed',
    firstRow: confirmed.length > 0 ? firstRow : 0,
  };
}
