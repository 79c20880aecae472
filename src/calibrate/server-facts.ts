import type { ModelOptions } from '../load-protocol.js';
import { type AllocatorName, THRESHOLD_SETTINGS, type ThresholdName } from '../memory/index.js';
import { replyText, ServerRefusal } from './resp.js';
import { type ServerConnection, ServerProblem } from './server-connection.js';

/** What a server tells of itself, as far as memory figures depend on it. */
export interface ServerFacts {
  /** `redis 7.0.15`, `valkey 8.1.3`. */
  readonly server: string;
  readonly cluster: boolean;
  /** As INFO calls it: `jemalloc-5.3.0`. */
  readonly allocator: string;
  /** Bytes between jemalloc's small size classes; undefined when the server does not tell. */
  readonly quantumBytes: number | undefined;
  /** Keys by database. */
  readonly keys: ReadonlyMap<number, number>;
  readonly model: ModelOptions;
}

/** How often a server is asked whether it has loaded its file, in milliseconds. */
const LOADING_MS = 200;

/** Asks a server about itself, once it has loaded its file. @throws ServerProblem when it does not answer as a server does */
export async function askServer(connection: ServerConnection, signal?: AbortSignal): Promise<ServerFacts> {
  const info = await infoOnceLoaded(connection, signal);
  const [config, slices, statistics] = await connection.ask([
    ['CONFIG', 'GET', '*-max-*'],
    ['CONFIG', 'GET', 'array-slice-size'],
    ['MEMORY', 'MALLOC-STATS'],
  ]);
  const valkey = info.get('valkey_version');
  const version = valkey ?? info.get('redis_version') ?? '';
  const server = `${valkey === undefined ? 'redis' : 'valkey'} ${version}`;
  const allocator = info.get('mem_allocator') ?? 'unknown';
  const quantum = /Quantum size: *(\d+)/.exec(replyText(statistics) ?? '')?.[1];
  const quantumBytes = quantum === undefined ? undefined : Number(quantum);
  const cluster = info.get('cluster_enabled') === '1' || info.get('redis_mode') === 'cluster';
  return {
    server,
    cluster,
    allocator,
    quantumBytes,
    keys: keysByDatabase(info),
    model: {
      serverVersion: server,
      wordBits: info.get('arch_bits') === '32' ? 32 : 64,
      allocator: allocatorName(allocator, quantumBytes),
      cluster,
      thresholds: { ...thresholdsOf(config), ...thresholdsOf(slices) },
    },
  };
}

async function infoOnceLoaded(
  connection: ServerConnection,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  for (;;) {
    signal?.throwIfAborted();
    // A server tells everything by default but, before 7.0, not of modules; "all" is known to every version.
    const [reply] = await connection.ask([['INFO', 'all']]);
    if (reply instanceof ServerRefusal && !reply.message.startsWith('LOADING')) {
      throw new ServerProblem(`${connection.name} refuses INFO: ${reply.message}`);
    }
    const info = parseInfo(replyText(reply) ?? '');
    if (info.get('loading') === '0' || info.get('loading') === undefined) {
      if (info.has('redis_version') || info.has('valkey_version')) return info;
      if (!(reply instanceof ServerRefusal))
        throw new ServerProblem(`${connection.name} is no Redis or Valkey server`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOADING_MS));
  }
}

/** `name:value` lines. */
function parseInfo(text: string): Map<string, string> {
  const lines = text.split(/\r?\n/).map((line) => /^([\w-]+):(.*)$/.exec(line));
  return new Map(lines.filter((match) => match !== null).map((match) => [match[1]!, match[2]!]));
}

/** `db0:keys=975,expires=161,avg_ttl=0`. */
function keysByDatabase(info: ReadonlyMap<string, string>): Map<number, number> {
  const keys = new Map<number, number>();
  for (const [name, value] of info) {
    const db = /^db(\d+)$/.exec(name)?.[1];
    const count = /(?:^|,)keys=(\d+)/.exec(value)?.[1];
    if (db !== undefined && count !== undefined) keys.set(Number(db), Number(count));
  }
  return keys;
}

/** A server that does not tell its quantum is taken to have the usual one. */
function allocatorName(allocator: string, quantumBytes: number | undefined): AllocatorName | undefined {
  if (allocator.startsWith('jemalloc')) return quantumBytes === 16 ? 'jemalloc-q16' : 'jemalloc';
  return allocator.startsWith('libc') ? 'libc' : undefined;
}

/** The settings of a CONFIG GET that are thresholds; a server that refuses it has none. */
function thresholdsOf(reply: unknown): Partial<Record<ThresholdName, number>> {
  if (!Array.isArray(reply)) return {};
  const thresholds: Partial<Record<ThresholdName, number>> = {};
  for (let i = 0; i + 1 < reply.length; i += 2) {
    const name = THRESHOLD_SETTINGS[replyText(reply[i]) ?? ''];
    const value = Number(replyText(reply[i + 1]));
    if (name !== undefined && Number.isInteger(value)) thresholds[name] = value;
  }
  return thresholds;
}
