import type Database from 'better-sqlite3';
import { sql } from '../store/sql.js';
import type { Finding } from './finding.js';

/** Keys of a prefix that has at least this share of all are met soon, wherever one starts to read. */
const COMMON_SHARE = 0.01;

/**
 * Ids of example keys for the findings whose rules name none, two of each prefix at most. Common prefixes are looked for
 * one by one from the start of the file; the others are found together, in one pass.
 */
export function exampleIdsOf(
  database: Database.Database,
  findings: readonly Finding[],
): Map<Finding, readonly number[]> {
  const wanting = findings.filter(
    ({ exampleIds, subject }) => exampleIds.length === 0 && subject.prefixId !== undefined,
  );
  if (wanting.length === 0) return new Map();
  const allKeys = Number(database.prepare(sql`SELECT SUM(keys) FROM totals`).pluck().get());
  const ownKeysBelow = database.prepare<[number], OwnNode>(OWN_KEYS_BELOW);
  const nodeOf = new Map(wanting.map((finding) => [finding, ownKeysBelow.get(finding.subject.prefixId!)]));
  const nodes = new Map(
    [...nodeOf.values()].flatMap((node) => (node === undefined ? [] : [[node.id, node]])),
  );
  const isCommon = ({ ownKeys }: OwnNode): boolean => ownKeys >= COMMON_SHARE * allKeys;
  const firstTwo = database.prepare<[number], number>(FIRST_TWO).pluck();
  const idsOf = new Map<number, readonly number[]>();
  for (const node of nodes.values()) if (isCommon(node)) idsOf.set(node.id, firstTwo.all(node.id));
  const rare = [...nodes.values()].filter((node) => !isCommon(node)).map(({ id }) => id);
  if (rare.length > 0) {
    const rows = database.prepare<[string], { id: number; first: number; last: number }>(FIRST_AND_LAST);
    for (const { id, first, last } of rows.all(JSON.stringify(rare)))
      idsOf.set(id, [...new Set([first, last])]);
  }
  return new Map(wanting.map((finding) => [finding, idsOf.get(nodeOf.get(finding)?.id ?? 0) ?? []]));
}

interface OwnNode {
  readonly id: number;
  readonly ownKeys: number;
}

/** The node with most keys of its own, at a node or below it. */
const OWN_KEYS_BELOW = sql`
WITH RECURSIVE below (id) AS (
  SELECT ?
  UNION ALL
  SELECT prefixes.id FROM prefixes JOIN below ON prefixes.parent_id = below.id
)
SELECT id, own_keys AS ownKeys FROM prefixes WHERE id IN (SELECT id FROM below) ORDER BY own_keys DESC, id LIMIT 1
`;

const FIRST_TWO = sql`SELECT id FROM keys WHERE prefix_id = ? LIMIT 2`;

const FIRST_AND_LAST = sql`
SELECT prefix_id AS id, MIN(id) AS first, MAX(id) AS last
FROM keys
WHERE prefix_id IN (SELECT value FROM json_each(?))
GROUP BY prefix_id
`;
