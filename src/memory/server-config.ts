import { type EncodingThresholds, THRESHOLD_SETTINGS, type ThresholdName } from './thresholds.js';

/** What a redis.conf says about memory. */
export interface ServerConfig {
  readonly thresholds: Partial<EncodingThresholds>;
  /** `cluster-enabled`, undefined when not set. */
  readonly cluster: boolean | undefined;
  /** Lines that set one of these to something else than a number: `line 12: hash-max-listpack-entries lots`. */
  readonly problems: readonly string[];
}

/**
 * Reads the settings that decide encodings out of a redis.conf or valkey.conf; the last one of a name counts, as in the
 * server. Everything else is passed over, included files too.
 */
export function parseServerConfig(text: string): ServerConfig {
  const thresholds: Partial<Record<ThresholdName, number>> = {};
  const problems: string[] = [];
  let cluster: boolean | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [name, value] = nameAndValue(line);
    if (name === 'cluster-enabled') cluster = value.toLowerCase() === 'yes';
    if (!Object.hasOwn(THRESHOLD_SETTINGS, name)) continue;
    const threshold = THRESHOLD_SETTINGS[name]!;
    const number = parseSetting(value);
    if (number === undefined) problems.push(`line ${index + 1}: ${name} ${value}`.trimEnd());
    else thresholds[threshold] = number;
  }
  return { thresholds, cluster, problems };
}

function nameAndValue(line: string): readonly [string, string] {
  const match = /^\s*([A-Za-z0-9-]+)(?:\s+(.*?))?\s*$/.exec(line);
  if (match === null) return ['', ''];
  return [match[1]!.toLowerCase(), (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2')];
}

/** Factors that the server knows. Source: util.c, `memtoull` (Redis 7.2). */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1024,
  m: 1_000_000,
  mb: 1024 ** 2,
  g: 1_000_000_000,
  gb: 1024 ** 3,
};

function parseSetting(text: string): number | undefined {
  const match = /^(-?\d{1,15})([a-z]{0,2})$/i.exec(text);
  const unit = match === null ? undefined : UNITS[match[2]!.toLowerCase()];
  return unit === undefined ? undefined : Number(match![1]) * unit;
}
