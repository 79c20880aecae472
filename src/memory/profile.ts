import type { Allocator } from './allocator.js';
import type { ServerFamily, ServerLayout } from './layout.js';
import type { EncodingThresholds } from './thresholds.js';

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

/** `redis 7.2, 64-bit, jemalloc`, for people and for the store's `memory_profile`. */
export function describeProfile(profile: MemoryProfile): string {
  const parts = [`${profile.family} ${profile.version}`, `${profile.wordBits}-bit`, profile.allocator.name];
  return (profile.cluster ? [...parts, 'cluster'] : parts).join(', ');
}
