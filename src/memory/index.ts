export { ALLOCATOR_NAMES, type AllocatorName } from './allocator.js';
export {
  knownServers,
  type ProfileChoice,
  type ProfileRequest,
  profileFor,
  withThresholds,
} from './choose-profile.js';
export type { Encoding } from './encoding.js';
export { type ImaginedKey, ImaginedMemory } from './imagined.js';
export { type KeyspaceCounts, keyspaceOverheadBytes } from './keyspace.js';
export { MISFITS, type Misfit } from './misfit.js';
export { createMemoryModel, type MemoryModel } from './model.js';
export { describeProfile, type MemoryProfile } from './profile.js';
export { parseProfile } from './profile-text.js';
export { parseServerConfig, type ServerConfig } from './server-config.js';
export {
  DEFAULT_THRESHOLDS,
  type EncodingThresholds,
  THRESHOLD_SETTINGS,
  THRESHOLDS,
  type ThresholdGuide,
  type ThresholdName,
} from './thresholds.js';
export type { BlockCosts, StreamCosts, TableCosts, ValueCosts } from './value-costs.js';
