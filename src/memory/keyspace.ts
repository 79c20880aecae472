import { occupiedSlots, slotsFor } from './dict.js';
import { bucketsFor, expectedChildBuckets } from './hashtable.js';
import { type Bytes, pick } from './layout.js';
import type { MemoryProfile } from './profile.js';

/** The tables that hold keys and expiries, which no key's MEMORY USAGE includes. */
export interface KeyspaceLayout {
  /** Whether a cluster's keys lie in a table per slot (Redis 7.4, Valkey 8.0: kvstore.c) instead of one for all. */
  readonly tablePerSlot: boolean;
  /** What a slot's table takes besides its slots or buckets and entries. */
  readonly slotTableBytes: Bytes;
  /** Entry of an expiry, when it is no bare reference to the key. */
  readonly expiryEntryBytes: Bytes;
  /**
   * Entry for a key that MEMORY USAGE leaves out: none where it counts the entry; `chained` where a slot's first key
   * lies in the slot and each further one has an entry (Redis 8.2: dict.c, `dictEntryNoValue`).
   */
  readonly entries: 'counted' | 'chained';
  readonly chainedEntryBytes: Bytes;
}

/** One database, as far as its tables are concerned. */
export interface KeyspaceCounts {
  readonly keys: number;
  readonly expires: number;
  /** Slots that hold a key, in cluster mode; 0 otherwise. */
  readonly slots: number;
}

/** Bytes of one database's tables beyond what its keys' MEMORY USAGE adds up to, right after a load. */
export function keyspaceOverheadBytes(profile: MemoryProfile, counts: KeyspaceCounts): number {
  const { keys, expires, slots } = counts;
  const perSlot = profile.layout.keyspace.tablePerSlot && slots > 0;
  const tables = perSlot ? slots : 1;
  return Math.round(
    tablesBytes(keys, Math.min(tables, keys), perSlot, profile, false) +
      tablesBytes(expires, Math.min(tables, expires), perSlot, profile, true),
  );
}

/** `count` entries, spread evenly over tables. */
function tablesBytes(
  count: number,
  tables: number,
  perSlot: boolean,
  profile: MemoryProfile,
  expiries: boolean,
): number {
  if (count === 0) return 0;
  const fewer = Math.floor(count / tables);
  const fuller = count % tables;
  const struct = perSlot ? pick(profile.layout.keyspace.slotTableBytes, profile.wordBits) : 0;
  return (
    tables * struct +
    fuller * tableBytes(fewer + 1, profile, expiries) +
    (tables - fuller) * tableBytes(fewer, profile, expiries)
  );
}

function tableBytes(count: number, profile: MemoryProfile, expiries: boolean): number {
  const { layout, wordBits, allocator } = profile;
  const { table, keyspace } = layout;
  if (count === 0) return 0;
  if (table.kind === 'hashtable') {
    const buckets = bucketsFor(count);
    const children = expectedChildBuckets(count, buckets, pick(table.entriesPerBucket, wordBits));
    return pick(table.bucketBytes, wordBits) * (buckets + children);
  }
  const slots = slotsFor(count);
  const slotBytes = allocator.usable((wordBits / 8) * slots);
  if (keyspace.entries === 'chained') {
    const entry = allocator.usable(pick(keyspace.chainedEntryBytes, wordBits));
    return slotBytes + entry * (count - occupiedSlots(count, slots));
  }
  return slotBytes + (expiries ? count * allocator.usable(pick(keyspace.expiryEntryBytes, wordBits)) : 0);
}
