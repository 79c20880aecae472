import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { AllocatorName } from '../../src/memory/index.js';

/** What a server said of one key after it had loaded the snapshot. */
export interface KeyTruth {
  readonly type: string;
  readonly encoding: string;
  readonly elements: number | undefined;
  /** MEMORY USAGE key SAMPLES 0; undefined where the server has no such command. */
  readonly memoryBytes: number | undefined;
}

/** A snapshot and what is known of the server that loaded it, where the file does not tell. */
export interface TruthSet {
  readonly name: string;
  readonly folder: URL;
  readonly serverVersion: string | undefined;
  readonly allocator: AllocatorName;
  readonly cluster: boolean;
  /** Version whose streams the server had, when it was built between two releases. */
  readonly streamsOf: string | undefined;
}

/** The project's folder: these modules also run from a folder that they were compiled to. */
function projectRoot(): URL {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  return folder;
}

const ROOT = projectRoot();

/** The full collection, where it is at hand, and the part of it that is kept in the repository. */
const COLLECTION = new URL('../shared/truth/', ROOT);
const FIXTURES = new URL('fixtures/truth/', ROOT);

/** Builds of development trees call themselves 255.255.255; which tree it was stands in the set's name only. */
const DEVELOPMENT_TREES: readonly (readonly [prefix: string, version: string])[] = [
  ['redis-8.4dev', '8.4'],
  ['redis-8.8dev', '8.8'],
  ['redis-unstable', '8.0'],
  ['redis-8.0-m01', '8.0'],
  ['valkey-8.1dev', 'valkey-8.1'],
  ['valkey-9.1dev', 'valkey-9.1'],
  ['valkey-unstable', 'valkey-8.0'],
  ['keydb', 'keydb-6.3'],
];

/** Every set at hand, by name; those of the collection first, then what only the fixtures have. */
export function truthSets(): readonly TruthSet[] {
  const sets = new Map<string, TruthSet>();
  for (const root of [COLLECTION, FIXTURES]) {
    if (!existsSync(root)) continue;
    for (const name of readdirSync(root).sort()) {
      const folder = new URL(`${name}/`, root);
      if (!sets.has(name) && existsSync(new URL('truth-loaded.jsonl.gz', folder))) {
        sets.set(name, truthSet(name, folder));
      }
    }
  }
  return [...sets.values()];
}

/** Whether the full collection is at hand. */
export function haveCollection(): boolean {
  return existsSync(COLLECTION);
}

function truthSet(name: string, folder: URL): TruthSet {
  return {
    name,
    folder,
    serverVersion: DEVELOPMENT_TREES.find(([prefix]) => name.startsWith(prefix))?.[1],
    // Debian's build with the system's jemalloc
    allocator: name.startsWith('redis-7.0') ? 'jemalloc-q16' : 'jemalloc',
    cluster: name.includes('-cluster'),
    // between 8.0 and 8.1: radix trees told their real size already, keys lay in dict entries still
    streamsOf: name.startsWith('valkey-unstable') ? 'valkey-8.1' : undefined,
  };
}

export function readSnapshot(set: TruthSet): Buffer {
  return readFileSync(new URL('dump.rdb', set.folder));
}

/** By `db:key`, the key in base64. */
export function readTruth(set: TruthSet): ReadonlyMap<string, KeyTruth> {
  const text = gunzipSync(readFileSync(new URL('truth-loaded.jsonl.gz', set.folder))).toString();
  const truths = new Map<string, KeyTruth>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line) as {
      db: number;
      key_b64: string;
      type: string;
      encoding: string;
      len: number | null;
      mem: number | null;
    };
    truths.set(`${row.db}:${row.key_b64}`, {
      type: row.type,
      encoding: row.encoding,
      elements: row.len ?? undefined,
      memoryBytes: row.mem ?? undefined,
    });
  }
  return truths;
}
