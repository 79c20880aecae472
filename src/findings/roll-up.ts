import type { FindingSeverity } from './rule.js';

/** What a rule found at one node of the prefix tree. */
export interface PrefixHit {
  readonly prefixId: number;
  readonly severity: FindingSeverity;
  readonly keys: number;
  readonly memoryBytes: number;
  readonly savingBytes: number | null;
  readonly details: readonly string[];
  readonly exampleIds: readonly number[];
}

/** The prefix tree as far as it has hits. */
export interface PrefixNode {
  readonly id: number;
  readonly parentId: number | null;
  /** Of the whole subtree. */
  readonly keys: number;
}

/** Nearly all keys below a prefix break the rule: one finding for the prefix says it. */
const WHOLE_SHARE = 0.9;

/** Details that one finding names; more would be a list. */
const MOST_DETAILS = 3;

/**
 * Hits of one rule as few findings as possible: where nearly all keys below a prefix are hit, that prefix stands for
 * all of them; else each node stands for itself. The root never stands for anything. Each hit is in one finding only.
 * @param nodes by id, with all ancestors of the hits
 */
export function rollUp(
  hits: readonly PrefixHit[],
  nodes: ReadonlyMap<number, PrefixNode>,
): readonly PrefixHit[] {
  const hitKeys = new Map<number, number>();
  for (const hit of hits) {
    for (const id of pathToRoot(hit.prefixId, nodes)) hitKeys.set(id, (hitKeys.get(id) ?? 0) + hit.keys);
  }
  const isWhole = (id: number): boolean => {
    const node = nodes.get(id);
    return node !== undefined && node.parentId !== null && (hitKeys.get(id) ?? 0) >= WHOLE_SHARE * node.keys;
  };
  const merged = new Map<number, PrefixHit>();
  for (const hit of hits) {
    // The highest prefix that is hit nearly as a whole; one below it may be, or not.
    const top = pathToRoot(hit.prefixId, nodes).findLast(isWhole) ?? hit.prefixId;
    const known = merged.get(top);
    merged.set(top, known === undefined ? { ...hit, prefixId: top } : join(known, hit));
  }
  return [...merged.values()];
}

/** Hits that stand for whole subtrees, without those that lie in another's. */
export function dropNested(
  hits: readonly PrefixHit[],
  nodes: ReadonlyMap<number, PrefixNode>,
): readonly PrefixHit[] {
  const ids = new Set(hits.map((hit) => hit.prefixId));
  return hits.filter(
    (hit) => !pathToRoot(hit.prefixId, nodes).some((id) => id !== hit.prefixId && ids.has(id)),
  );
}

/** The node and all above it, the root last. */
function pathToRoot(id: number, nodes: ReadonlyMap<number, PrefixNode>): number[] {
  const path: number[] = [];
  for (let node = nodes.get(id); node !== undefined; ) {
    path.push(node.id);
    node = node.parentId === null ? undefined : nodes.get(node.parentId);
  }
  return path;
}

function join(one: PrefixHit, other: PrefixHit): PrefixHit {
  const ids = [...one.exampleIds, ...other.exampleIds];
  const saving = (one.savingBytes ?? 0) + (other.savingBytes ?? 0);
  return {
    prefixId: one.prefixId,
    severity: one.severity,
    keys: one.keys + other.keys,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    savingBytes: one.savingBytes === null && other.savingBytes === null ? null : saving,
    details: [...new Set([...one.details, ...other.details])].slice(0, MOST_DETAILS),
    exampleIds: ids.length === 0 ? [] : [...new Set([Math.min(...ids), Math.max(...ids)])],
  };
}
