import type { CarriedError } from './carried-error.js';
import type { AllocatorName, EncodingThresholds } from './memory/index.js';
import type { SnapshotFacts } from './rdb-parser/records.js';
import type { SharedFile } from './source/file-source.js';
import type { LoaderOptions } from './store/index.js';

/** How a memory figure is modelled; what is left out is told from the snapshot. */
export interface ModelOptions {
  /** `7.2`, `valkey-8.1`: the server that the snapshot is thought to be loaded into. */
  readonly serverVersion?: string | undefined;
  readonly wordBits?: 32 | 64 | undefined;
  readonly allocator?: AllocatorName | undefined;
  readonly thresholds?: Partial<EncodingThresholds> | undefined;
  readonly cluster?: boolean | undefined;
}

/** What the worker is started with. */
export interface WorkerSetup {
  /** The database and how it is written; undefined: decode and check only. */
  readonly target: WorkerTarget | undefined;
  readonly deep: boolean;
  readonly model: ModelOptions;
  readonly shared: SharedArrayBuffer;
}

export interface WorkerTarget extends Omit<LoaderOptions, 'toolVersion'> {
  readonly output: string;
}

export type ToWorker =
  | {
      readonly kind: 'file';
      /** Where the bytes come from: a bare file, which the worker reads itself, or what the reading thread sends. */
      readonly bytes: { readonly file: SharedFile } | { readonly ring: SharedArrayBuffer };
      readonly name: string;
      readonly container: string;
      readonly inputBytes: number | undefined;
      readonly replicationMark: Uint8Array | undefined;
      /** Sentences about the input that go into the database's `problems`. */
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'finish' };

export type FromWorker =
  | {
      readonly kind: 'file-done';
      readonly facts: SnapshotFacts;
      /** `redis 7.2, 64-bit, jemalloc`; undefined when the header could not be read. */
      readonly memoryProfile: string | undefined;
      readonly warnings: readonly string[];
      /** What ended the reading early; what was read is kept. */
      readonly error: CarriedError | undefined;
    }
  /** Nothing of the file can be used. */
  | { readonly kind: 'file-refused'; readonly error: CarriedError }
  | { readonly kind: 'finished'; readonly databasePath: string | undefined }
  | { readonly kind: 'failed'; readonly error: CarriedError };

/** Numbers that both threads see, so that progress costs no messages. */
export class SharedCounters {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Float64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(24)) {
    this.memory = memory;
    this.#numbers = new Float64Array(memory);
  }

  /** Keys stored so far, over all files. */
  get keys(): number {
    return this.#numbers[0]!;
  }
  set keys(count: number) {
    this.#numbers[0] = count;
  }

  /** Bytes behind compressed data that belong to nothing; final when the worker has seen the end. */
  get trailingContainerBytes(): number {
    return this.#numbers[1]!;
  }
  set trailingContainerBytes(count: number) {
    this.#numbers[1] = count;
  }

  /** Bytes of the file at hand that the worker has read, when it reads it itself. */
  get bytesRead(): number {
    return this.#numbers[2]!;
  }
  set bytesRead(count: number) {
    this.#numbers[2] = count;
  }
}
