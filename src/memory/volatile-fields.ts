import type { Allocator } from './allocator.js';

/** Fields that a vector indexes before it becomes a tree of time buckets. Source: vset.c (Valkey 9.0). */
const VECTOR_HEADER_BYTES = 8;
const POINTER_BYTES = 8;

/**
 * What Valkey's index of a hash's expiring fields takes: nothing for one (the pointer itself is tagged), a vector of
 * pointers for more. Many become a tree of buckets by expiry, whose shape depends on the times: taken as a vector too.
 */
export function volatileIndexBytes(fields: number, allocator: Allocator): number {
  return fields < 2 ? 0 : allocator.usable(VECTOR_HEADER_BYTES + POINTER_BYTES * fields);
}
