import { createHash } from 'node:crypto';
import type { PlanKey } from './plan.js';

/** Names that a plan gives to keys of its own. */
export interface PlannedNames {
  /** What the key is called while it is emptied. */
  readonly doomed: Uint8Array;
  /** Where the cursor is kept between calls. */
  readonly cursor: Uint8Array;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Names in the key's own slot, so that the plan runs in a cluster too: they carry its hash tag, or the whole key as one.
 * Undefined when a cluster has no such name: for a key with a closing brace but no hash tag.
 * Source: cluster.c, `keyHashSlot` (Redis 7.2).
 */
export function plannedNames(
  planId: string,
  { db, key }: PlanKey,
  isCluster: boolean,
): PlannedNames | undefined {
  const mark = createHash('sha256').update(`${db}\n`).update(key).digest('hex').slice(0, 12);
  const tag = hashTag(key) ?? (key.includes(CLOSE) || key.length === 0 ? undefined : key);
  if (tag === undefined && isCluster) return undefined;
  const ending = tag === undefined ? [] : [Uint8Array.of(0x3a, OPEN), tag, Uint8Array.of(CLOSE)];
  const named = (use: string): Uint8Array =>
    Buffer.concat([Buffer.from(`rdbscope:${planId}:${mark}:${use}`), ...ending]);
  return { doomed: named('doomed'), cursor: named('cursor') };
}

function hashTag(key: Uint8Array): Uint8Array | undefined {
  const open = key.indexOf(OPEN);
  if (open < 0) return undefined;
  const close = key.indexOf(CLOSE, open + 1);
  return close > open + 1 ? key.subarray(open + 1, close) : undefined;
}
