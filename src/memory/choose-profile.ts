import type { Dialect } from '../rdb-parser/records.js';
import { Allocator, type AllocatorName } from './allocator.js';
import type { ServerFamily, ServerLayout } from './layout.js';
import type { MemoryProfile } from './profile.js';
import { serverLayouts } from './servers/index.js';
import type { EncodingThresholds } from './thresholds.js';

/** What is known or wished about the server that a snapshot is thought to be loaded into. */
export interface ProfileRequest {
  /** Whose server; an absent one is Redis. */
  readonly dialect?: Dialect | undefined;
  /** `7.2.6`, or with the family in front: `valkey-8.1`. Absent: told from `rdbVersion`. */
  readonly serverVersion?: string | undefined;
  readonly rdbVersion?: number | undefined;
  /** 64 unless it is 32. */
  readonly wordBits?: number | undefined;
  readonly allocator?: AllocatorName | undefined;
  readonly thresholds?: Partial<EncodingThresholds> | undefined;
  readonly cluster?: boolean | undefined;
}

export interface ProfileChoice {
  readonly profile: MemoryProfile;
  /** A sentence for the user when the choice is a guess. */
  readonly warning?: string;
}

/** The profile nearest to what is asked for: the newest known version that is not newer. */
export function profileFor(request: ProfileRequest): ProfileChoice {
  const asked = askedServer(request);
  const known = serverLayouts.filter((layout) => layout.family === asked.family);
  const choice =
    asked.version === undefined
      ? byRdbVersion(known, asked.family, request.rdbVersion)
      : byVersion(known, asked.family, asked.version, request.rdbVersion);
  const warning = choice.warning ?? asked.warning;
  const profile = buildProfile(choice.layout, request);
  return warning === undefined ? { profile } : { profile, warning };
}

/** The names of all servers that are known, oldest first in each family: `redis 7.2`. */
export function knownServers(): readonly string[] {
  return serverLayouts.map(nameOf);
}

/** The same server with other settings: for asking what they would change. */
export function withThresholds(
  profile: MemoryProfile,
  thresholds: Partial<EncodingThresholds>,
): MemoryProfile {
  return { ...profile, thresholds: { ...profile.thresholds, ...thresholds } };
}

function buildProfile(layout: ServerLayout, request: ProfileRequest): MemoryProfile {
  const wordBits = request.wordBits === 32 ? 32 : 64;
  return {
    family: layout.family,
    version: layout.version,
    wordBits,
    allocator: new Allocator(request.allocator ?? 'jemalloc', wordBits / 8),
    thresholds: { ...layout.thresholds, ...request.thresholds },
    cluster: request.cluster ?? false,
    layout,
  };
}

interface AskedServer {
  readonly family: ServerFamily;
  readonly version: string | undefined;
  readonly warning: string | undefined;
}

function askedServer({ dialect, serverVersion }: ProfileRequest): AskedServer {
  const match = /^(redis|valkey|keydb)[- ](.+)$/i.exec(serverVersion ?? '');
  if (match !== null) {
    return { family: match[1]!.toLowerCase() as ServerFamily, version: match[2]!, warning: undefined };
  }
  if (dialect === 'dragonfly') {
    const warning =
      'Dragonfly keeps keys in structures of its own; memory is told as of the Redis that it imitates';
    return { family: 'redis', version: serverVersion, warning };
  }
  return { family: dialect ?? 'redis', version: serverVersion, warning: undefined };
}

interface LayoutChoice {
  readonly layout: ServerLayout;
  readonly warning?: string;
}

function byVersion(
  known: readonly ServerLayout[],
  family: ServerFamily,
  asked: string,
  rdbVersion: number | undefined,
): LayoutChoice {
  const version = parseVersion(asked);
  if (version === undefined || version[0] >= DEVELOPMENT_MAJOR) {
    const what = version === undefined ? 'is no version' : 'is a development build';
    const layout = newestThatWrites(known, family, rdbVersion);
    return { layout, warning: `${asked} ${what}; memory is told as of ${nameOf(layout)}` };
  }
  const notNewer = known.filter((layout) => compareVersions(parseVersion(layout.version)!, version) <= 0);
  const layout = notNewer.at(-1) ?? known[0]!;
  if (compareVersions(parseVersion(layout.version)!, version) === 0) return { layout };
  return { layout, warning: `version ${asked} is not known; memory is told as of ${nameOf(layout)}` };
}

/** Development builds call themselves 255.255.255 or 999.999.999. */
const DEVELOPMENT_MAJOR = 200;

/** First version of Redis that wrote each RDB version, where no version is told. */
const REDIS_BY_RDB_VERSION: readonly (readonly [rdbVersion: number, version: string])[] = [
  [0, '2.8'],
  [7, '3.2'],
  [8, '4.0'],
  [9, '6.2'],
  [10, '7.0'],
  [11, '7.2'],
  [12, '7.4'],
  [13, '8.6'],
  [14, '8.8'],
  [15, '8.10'],
];

/** First version of Valkey that wrote each RDB version. */
const VALKEY_BY_RDB_VERSION: typeof REDIS_BY_RDB_VERSION = [
  [11, '7.2'],
  [80, '9.0'],
];

/** The newest version known of those that write this RDB version: what a development build is nearest to. */
function newestThatWrites(
  known: readonly ServerLayout[],
  family: ServerFamily,
  rdbVersion: number | undefined,
): ServerLayout {
  const newest = known.at(-1)!;
  if (rdbVersion === undefined || family === 'keydb') return newest;
  const firsts = family === 'valkey' ? VALKEY_BY_RDB_VERSION : REDIS_BY_RDB_VERSION;
  const next = firsts.find(([first]) => first > rdbVersion)?.[1];
  if (next === undefined) return newest;
  const end = parseVersion(next)!;
  return known.findLast((layout) => compareVersions(parseVersion(layout.version)!, end) < 0) ?? known[0]!;
}

function byRdbVersion(
  known: readonly ServerLayout[],
  family: ServerFamily,
  rdbVersion: number | undefined,
): LayoutChoice {
  const newest = known.at(-1)!;
  let layout = newest;
  if (family === 'redis' && rdbVersion !== undefined) {
    const version = REDIS_BY_RDB_VERSION.findLast(([first]) => first <= rdbVersion)?.[1];
    layout = known.find((candidate) => candidate.version === version) ?? newest;
  }
  return {
    layout,
    warning: `the snapshot does not tell the server's version; memory is told as of ${nameOf(layout)}`,
  };
}

function nameOf(layout: ServerLayout): string {
  return `${layout.family} ${layout.version}`;
}

function parseVersion(text: string): readonly [major: number, minor: number] | undefined {
  const match = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.|-|$)/.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2] ?? 0)];
}

function compareVersions(left: readonly [number, number], right: readonly [number, number]): number {
  return left[0] - right[0] || left[1] - right[1];
}
