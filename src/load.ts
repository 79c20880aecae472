import type { Readable } from 'node:stream';
import { restoreError } from './carried-error.js';
import { type ModelOptions, SharedCounters, type WorkerTarget } from './load-protocol.js';
import { LoadThread } from './load-thread.js';
import type { RdbError } from './rdb-parser/errors.js';
import type { SnapshotFacts } from './rdb-parser/records.js';
import type { AofBase } from './source/aof.js';
import { openInput, type SnapshotInput } from './source/open-input.js';
import { Ring, RingWriter } from './source/ring.js';
import type { SourceError } from './source/source-error.js';
import type { PatternRules, PrefixLimits } from './store/index.js';

export type { ModelOptions } from './load-protocol.js';

export interface ScanOptions extends ModelOptions {
  /** A path, "-" for standard input, or several (the shards of one data set). */
  readonly input: string | readonly string[];
  /** Walk packed collections for their longest element. */
  readonly deep?: boolean | undefined;
  /** Stops the work and leaves nothing behind; the promise is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** What "-" reads. */
  readonly stdin?: Readable | undefined;
}

export interface LoadOptions extends ScanOptions {
  /** Path of the database; one that rdbscope wrote is replaced when the new one is complete. */
  readonly output: string;
  /** Bytes that part the segments of a key, or "auto". Default ":". */
  readonly separators?: string | undefined;
  /** What segments stand for besides the ids that are known; `parsePatternRules` reads them. */
  readonly patternRules?: PatternRules | undefined;
  readonly prefixLimits?: Partial<PrefixLimits> | undefined;
  /** Look for keys that come twice. Default true. */
  readonly findDuplicates?: boolean | undefined;
  /** Write every row by INSERT. */
  readonly safeInsert?: boolean | undefined;
  /** What the user asked for, kept in the database's `meta`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export interface LoadProgress {
  /** The input at hand and how many there are. */
  readonly input: string;
  readonly fileNumber: number;
  readonly files: number;
  /** Of this input, as it lies on the disk; `totalBytes` is undefined for a pipe. */
  readonly bytesRead: number;
  readonly totalBytes: number | undefined;
  /** Over all inputs. */
  readonly keys: number;
  readonly elapsedMs: number;
}

/** What was found in one input. */
export interface LoadedFile {
  readonly input: string;
  /** plain, gzip, zstd, lz4, aof, replication, ...; several joined by "+", outermost first. */
  readonly container: string;
  readonly inputBytes: number | undefined;
  readonly facts: SnapshotFacts;
  readonly aof: AofBase | undefined;
  readonly memoryProfile: string | undefined;
  /** Sentences for the user: a guessed memory profile, bytes behind compressed data. */
  readonly warnings: readonly string[];
  /** The end was reached, nothing was damaged, the checksum (if there is one) matches. */
  readonly complete: boolean;
  /** What ended the reading early. */
  readonly error?: RdbError | SourceError;
}

export interface ScanResult {
  readonly files: readonly LoadedFile[];
  /** All of the files are. */
  readonly complete: boolean;
  /** The first one's that has any. */
  readonly error?: RdbError | SourceError;
  readonly elapsedMs: number;
}

export interface LoadResult extends ScanResult {
  readonly databasePath: string;
}

export type OnProgress = (progress: LoadProgress) => void;

/**
 * Reads snapshots into a database. A damaged snapshot is no failure: what was read before the fault is kept, marked
 * incomplete, and told in the result.
 * @throws SourceError or RdbError when an input holds no snapshot, StoreError when the database can't be written; no
 *   database is left then
 */
export async function loadSnapshot(options: LoadOptions, onProgress?: OnProgress): Promise<LoadResult> {
  const {
    output,
    separators,
    patternRules,
    prefixLimits,
    findDuplicates,
    safeInsert,
    options: asked,
  } = options;
  const target: WorkerTarget = {
    output,
    ...(separators === undefined ? {} : { separators }),
    ...(patternRules === undefined ? {} : { patternRules }),
    ...(prefixLimits === undefined ? {} : { prefixLimits }),
    ...(findDuplicates === undefined ? {} : { findDuplicates }),
    ...(safeInsert === undefined ? {} : { safeInsert }),
    ...(asked === undefined ? {} : { options: asked }),
  };
  const { databasePath, ...result } = await run(options, target, onProgress);
  return { databasePath: databasePath ?? options.output, ...result };
}

/**
 * Reads snapshots to their ends and keeps nothing: structure, counts and checksum only.
 * @throws SourceError or RdbError when an input holds no snapshot
 */
export async function scanSnapshot(options: ScanOptions, onProgress?: OnProgress): Promise<ScanResult> {
  const { databasePath: _, ...result } = await run(options, undefined, onProgress);
  return result;
}

interface RunResult extends ScanResult {
  readonly databasePath: string | undefined;
}

async function run(
  options: ScanOptions,
  target: WorkerTarget | undefined,
  onProgress: OnProgress | undefined,
): Promise<RunResult> {
  const { serverVersion, wordBits, allocator, thresholds, cluster, signal } = options;
  const inputs = typeof options.input === 'string' ? [options.input] : options.input;
  const counters = new SharedCounters();
  // One for all files, made when one needs it: the engine gives such memory back late.
  let ring: Ring | undefined;
  const started = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - started);
  let worker: LoadThread | undefined;
  try {
    const files: LoadedFile[] = [];
    for (const [index, path] of inputs.entries()) {
      signal?.throwIfAborted();
      const input = await openUnlessStopped(path, options);
      const tell = (): void =>
        onProgress?.({
          input: input.name,
          fileNumber: index + 1,
          files: inputs.length,
          bytesRead: input.file === undefined ? input.inputBytesRead() : counters.bytesRead,
          totalBytes: input.inputBytes,
          keys: counters.keys,
          elapsedMs: elapsedMs(),
        });
      const timer = setInterval(tell, PROGRESS_MS);
      try {
        worker ??= new LoadThread(
          {
            target,
            deep: options.deep ?? false,
            model: { serverVersion, wordBits, allocator, thresholds, cluster },
            shared: counters.memory,
          },
          signal,
        );
        if (input.file === undefined) ring ??= Ring.create();
        files.push(await readInput(input, ring, worker, counters));
        tell();
      } finally {
        clearInterval(timer);
        await input.close();
      }
    }
    const databasePath = await worker?.finish();
    const error = files.find((file) => file.error !== undefined)?.error;
    return {
      databasePath,
      files,
      complete: files.every((file) => file.complete),
      ...(error === undefined ? {} : { error }),
      elapsedMs: elapsedMs(),
    };
  } finally {
    await worker?.end();
  }
}

/** How often progress is told, in milliseconds. */
const PROGRESS_MS = 100;

/** Opens an input; a pipe that says nothing does not outlast the signal. */
async function openUnlessStopped(path: string, { stdin, signal }: ScanOptions): Promise<SnapshotInput> {
  const pipe = stdin ?? process.stdin;
  const stop = (): void => {
    if (path === '-') pipe.destroy();
  };
  signal?.addEventListener('abort', stop);
  try {
    const input = await openInput(path, pipe);
    if (signal?.aborted !== true) return input;
    await input.close();
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  throw signal?.reason;
}

/**
 * Has the worker read one input, or sends it through the ring, and waits until it has decoded all of it, or all that can
 * be decoded.
 */
async function readInput(
  input: SnapshotInput,
  ring: Ring | undefined,
  worker: LoadThread,
  counters: SharedCounters,
): Promise<LoadedFile> {
  const { file } = input;
  // The numbers of the file before, until the worker has begun with this one.
  counters.trailingContainerBytes = counters.bytesRead = 0;
  ring?.reset();
  const answer = worker.readFile({
    kind: 'file',
    bytes: file === undefined ? { ring: ring!.memory } : { file },
    name: input.name,
    container: input.container,
    inputBytes: input.inputBytes,
    replicationMark: input.framing?.mark,
    remarks: remarksOn(input),
  });
  const writer = file === undefined ? new RingWriter(ring!) : undefined;
  const sending = writer?.send(countingTrailer(input, counters));
  try {
    const done = await answer;
    const error = done.error === undefined ? undefined : (restoreError(done.error) as RdbError | SourceError);
    return {
      input: input.name,
      container: input.container,
      inputBytes: input.inputBytes,
      facts: done.facts,
      aof: input.aof,
      memoryProfile: done.memoryProfile,
      warnings: done.warnings,
      complete: done.facts.complete && done.facts.checksum !== 'mismatch' && error === undefined,
      ...(error === undefined ? {} : { error }),
    };
  } finally {
    // The worker is done with this input, perhaps long before its end; nothing must go on waiting for the other.
    writer?.abandon();
    await input.close();
    await sending;
  }
}

/** The input's chunks; what stands behind compressed data is known, and shared, before the end is told. */
async function* countingTrailer(input: SnapshotInput, counters: SharedCounters): AsyncGenerator<Uint8Array> {
  yield* input.chunks;
  counters.trailingContainerBytes = input.trailingContainerBytes();
}

function remarksOn({ aof }: SnapshotInput): string[] {
  if (aof === undefined || aof.incrementalFiles === 0) return [];
  return [
    'this is the base of an append-only file; changes made after it are in incremental files ' +
      `(${aof.incrementalFiles}, ${aof.incrementalBytes} bytes in all), which are not read`,
  ];
}
