import type { Allocator } from './allocator.js';
import type { ServerFamily, ServerLayout } from './layout.js';
import { type EncodingThresholds, THRESHOLD_SETTINGS } from './thresholds.js';

/** All that a memory figure assumes about the server: its version's sizes and rules, the machine, its settings. */
export interface MemoryProfile {
  readonly family: ServerFamily;
  /** Version whose rules are used: `7.2`. */
  readonly version: string;
  readonly wordBits: 64 | 32;
  readonly allocator: Allocator;
  readonly thresholds: EncodingThresholds;
  /** Whether the server runs in cluster mode, which 7.0 and 7.2 charge to each key. */
  readonly cluster: boolean;
  readonly layout: ServerLayout;
}

/**
 * `redis 7.2, 64-bit, jemalloc`, for people and for the store's `memory_profile`; what differs from the version's
 * defaults follows: `cluster`, `hash-max-listpack-entries 1024`. `parseProfile` reads it again.
 */
export function describeProfile(profile: MemoryProfile): string {
  const parts = [`${profile.family} ${profile.version}`, `${profile.wordBits}-bit`, profile.allocator.name];
  if (profile.cluster) parts.push('cluster');
  const told = new Set<string>();
  for (const [setting, name] of Object.entries(THRESHOLD_SETTINGS)) {
    const value = profile.thresholds[name];
    if (value === profile.layout.thresholds[name] || told.has(name)) continue;
    told.add(name);
    parts.push(`${setting} ${value}`);
  }
  return parts.join(', ');
}
