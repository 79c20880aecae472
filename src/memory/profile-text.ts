import { ALLOCATOR_NAMES } from './allocator.js';
import { profileFor } from './choose-profile.js';
import type { MemoryProfile } from './profile.js';
import { type EncodingThresholds, THRESHOLD_SETTINGS } from './thresholds.js';

/**
 * The profile that `describeProfile` told of, so that figures can be modelled for a database long after its load.
 * Of several told together, as for the shards of a set, the first. Undefined for a text that tells of none.
 */
export function parseProfile(text: string): MemoryProfile | undefined {
  const [server = '', ...parts] = text
    .split(';')[0]!
    .split(',')
    .map((part) => part.trim());
  if (!/^(redis|valkey|keydb) \d+\.\d+$/.test(server)) return undefined;
  const thresholds: Partial<Record<keyof EncodingThresholds, number>> = {};
  for (const part of parts) {
    const match = /^([a-z-]+) (-?\d+)$/.exec(part);
    const name = match === null ? undefined : THRESHOLD_SETTINGS[match[1]!];
    if (name !== undefined) thresholds[name] = Number(match![2]);
  }
  return profileFor({
    serverVersion: server,
    wordBits: parts.includes('32-bit') ? 32 : 64,
    allocator: ALLOCATOR_NAMES.find((name) => parts.includes(name)),
    cluster: parts.includes('cluster'),
    thresholds,
  }).profile;
}
