import type { ModelOptions } from './load-protocol.js';
import { keyspaceOverheadBytes, type MemoryProfile, type ProfileChoice, profileFor } from './memory/index.js';
import type { SnapshotFacts } from './rdb-parser/records.js';

/** The profile that a snapshot's memory is told by: what is asked for, else what its header tells, else a guess. */
export function profileOfSnapshot(facts: SnapshotFacts, asked: ModelOptions): ProfileChoice {
  return profileFor({
    dialect: facts.product,
    serverVersion: asked.serverVersion ?? facts.serverVersion,
    rdbVersion: facts.rdbVersion,
    wordBits: asked.wordBits ?? facts.wordBits,
    allocator: asked.allocator,
    thresholds: asked.thresholds,
    cluster: asked.cluster ?? facts.slotRecords > 0,
  });
}

/** A cluster's slots. Source: cluster.h, CLUSTER_SLOTS (Redis 7.2). */
const CLUSTER_SLOTS = 2 ** 14;

/**
 * What each database's tables take beside its keys, in bytes, by database.
 * @param slotsSeen slots that hold keys, for files of servers that do not write them down
 */
export function keyspaceOverheads(
  facts: SnapshotFacts,
  profile: MemoryProfile,
  slotsSeen: number,
): Map<number, number> {
  // A record is written at each slot that holds keys; a cluster has database 0 only.
  const told = facts.slotRecords > 0 ? Math.min(facts.slotRecords, CLUSTER_SLOTS) : slotsSeen;
  const slots = profile.cluster ? told : 0;
  return new Map(
    facts.databases.map(({ db, keysRead, expiresRead }) => [
      db,
      keyspaceOverheadBytes(profile, { keys: keysRead, expires: expiresRead, slots }),
    ]),
  );
}
