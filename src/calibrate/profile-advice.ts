import { type MemoryProfile, THRESHOLDS, type ThresholdName } from '../memory/index.js';

/** The options that turn one profile into another: `--allocator jemalloc-q16`. */
export function optionsBetween(from: MemoryProfile, to: MemoryProfile): readonly string[] {
  const options: string[] = [];
  if (from.family !== to.family || from.version !== to.version) {
    const version = to.family === 'redis' ? to.version : `${to.family}-${to.version}`;
    options.push(`--server-version ${version}`);
  }
  if (from.wordBits !== to.wordBits) options.push(`--word-size ${to.wordBits}`);
  if (from.allocator.name !== to.allocator.name) options.push(`--allocator ${to.allocator.name}`);
  if (!from.cluster && to.cluster) options.push('--cluster');
  for (const [name, { settings }] of Object.entries(THRESHOLDS)) {
    const value = to.thresholds[name as ThresholdName];
    if (from.thresholds[name as ThresholdName] !== value) options.push(`--${settings[0]} ${value}`);
  }
  return options;
}
