import type Database from 'better-sqlite3';
import { sql } from '../store/sql.js';
import type { Finding } from './finding.js';

/** Ids of example keys for the findings whose rules name none: the first and the last key of the prefix, found in one pass. */
export function exampleIdsOf(
  database: Database.Database,
  findings: readonly Finding[],
): Map<Finding, readonly number[]> {
  const wanting = findings.filter(
    ({ exampleIds, subject }) => exampleIds.length === 0 && subject.prefixId !== undefined,
  );
  if (wanting.length === 0) return new Map();
  const ownKeysBelow = database.prepare<[number], { id: number }>(OWN_KEYS_BELOW);
  const nodeOf = new Map(
    wanting.map((finding) => [finding, ownKeysBelow.get(finding.subject.prefixId!)?.id]),
  );
  const nodes = [...new Set(nodeOf.values())].filter((id) => id !== undefined);
  const rows = database.prepare<[string], { id: number; first: number; last: number }>(FIRST_AND_LAST);
  const idsOf = new Map(
    rows.all(JSON.stringify(nodes)).map(({ id, first, last }) => [id, [...new Set([first, last])]]),
  );
  return new Map(wanting.map((finding) => [finding, idsOf.get(nodeOf.get(finding) ?? 0) ?? []]));
}

/** The node with most keys of its own, at a node or below it. */
const OWN_KEYS_BELOW = sql`
WITH RECURSIVE below (id) AS (
  SELECT ?
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN below ON prefixes.parent_id = below.id
)
SELECT id FROM prefixes WHERE id IN (SELECT id FROM below) ORDER BY own_keys DESC, id LIMIT 1
`;

const FIRST_AND_LAST = sql`
SELECT prefix_id AS id, MIN(id) AS first, MAX(id) AS last
FROM keys
WHERE prefix_id IN (SELECT value FROM json_each(?))
GROUP BY prefix_id
`;
