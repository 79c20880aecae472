import path from 'node:path';
import { expect } from 'vitest';
import { type ModelOptions, SharedCounters } from '../../src/load-protocol.js';
import { bytesSource } from '../../src/rdb-parser/index.js';
import { readSnapshot } from '../../src/read-snapshot.js';
import { type LoaderOptions, openStore, SnapshotLoader } from '../../src/store/index.js';
import type { RdbBytes } from '../rdb-bytes.js';
import { loadInfo, scratchFolder } from '../store/key-feed.js';

export interface Loaded {
  /** Keys that never became a record. */
  readonly taken: number;
  readonly tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly problems: unknown;
}

/** Loads snapshots with everything that `load` does, on this thread. */
export function load(
  snapshots: readonly Uint8Array[],
  options: Partial<LoaderOptions> & {
    readonly pieceBytes?: number;
    readonly deep?: boolean;
    readonly model?: ModelOptions;
  } = {},
): Loaded {
  const { pieceBytes, deep, model, ...loaderOptions } = options;
  const target = path.join(scratchFolder(), 'snapshot.sqlite');
  const loader = new SnapshotLoader(target, { toolVersion: '0.0.0', ...loaderOptions });
  let added = 0;
  const told: unknown[] = [];
  for (const bytes of snapshots) {
    const { facts, error } = readSnapshot({
      source: bytesSource(bytes, pieceBytes),
      sink: {
        begin: (begun, asked) => loader.startFile(begun, asked),
        take: (window, db, dialect) => loader.take(window, db, dialect),
        add: (record, memoryBytes, encoding, misfit) => {
          added++;
          loader.add(record, memoryBytes, encoding, misfit);
        },
      },
      decoder: {
        ...(options.safeInsert === true ? {} : { window: loader.window }),
        deep: deep ?? false,
      },
      model: model ?? {},
      counters: new SharedCounters(),
    });
    loader.finishFile(facts, loadInfo());
    told.push({ ...facts, problems: facts.problems, error: error?.message });
  }
  const taken = loader.keys - added;
  loader.finish();
  const database = openStore(target);
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('meta')")
    .pluck()
    .all() as string[];
  const rows = (name: string): Record<string, unknown>[] =>
    database.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all();
  const tables = Object.fromEntries(names.map((name) => [name, rows(name).map(withoutLoadTime)]));
  database.close();
  return { taken, tables, problems: told };
}

/** When a file was loaded is all that may differ. */
function withoutLoadTime({ loaded_at_ms, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}

/** The two ways must agree in every row of every table; returns how many keys went the short way. */
export function takenAsInserted(
  snapshots: readonly Uint8Array[],
  options: Parameters<typeof load>[1] = {},
): number {
  const short = load(snapshots, options);
  const reference = load(snapshots, { ...options, safeInsert: true });
  expect(reference.taken).toBe(0);
  expect(short.tables).toEqual(reference.tables);
  expect(short.problems).toEqual(reference.problems);
  return short.taken;
}

/** LZF of literal bytes alone, in runs of up to 32. */
export function compressed(to: RdbBytes, bytes: Uint8Array, runBytes = 32): RdbBytes {
  const runs: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += runBytes) {
    const run = bytes.subarray(at, at + runBytes);
    runs.push(Uint8Array.of(run.length - 1), run);
  }
  const stored = Buffer.concat(runs);
  return to.hex('c3').length(stored.length).length(bytes.length).bytes(stored);
}

/** LZF with references to what came before wherever three bytes repeat, as servers write it. */
export function compressedWell(to: RdbBytes, bytes: Uint8Array): RdbBytes {
  const parts: number[] = [];
  let literals: number[] = [];
  const flush = (): void => {
    for (let at = 0; at < literals.length; at += 32) {
      const run = literals.slice(at, at + 32);
      parts.push(run.length - 1, ...run);
    }
    literals = [];
  };
  for (let at = 0; at < bytes.length; ) {
    const { distance, length } = longestMatch(bytes, at);
    if (length < 3) {
      literals.push(bytes[at++]!);
      continue;
    }
    flush();
    const [code, back] = [length - 2, distance - 1];
    if (code < 7) parts.push((code << 5) | (back >> 8), back & 0xff);
    else parts.push(0xe0 | (back >> 8), code - 7, back & 0xff);
    at += length;
  }
  flush();
  return to.hex('c3').length(parts.length).length(bytes.length).bytes(Uint8Array.from(parts));
}

function longestMatch(bytes: Uint8Array, at: number): { distance: number; length: number } {
  let best = { distance: 0, length: 0 };
  for (let from = Math.max(0, at - 8192); from < at; from++) {
    let length = 0;
    while (length < 264 && at + length < bytes.length && bytes[from + length] === bytes[at + length])
      length++;
    if (length > best.length) best = { distance: at - from, length };
  }
  return best;
}
