import type { CarriedError } from './carried-error.js';
import type { AllocatorName, EncodingThresholds } from './memory/index.js';
import type { SnapshotFacts } from './rdb-parser/records.js';

/** How a memory figure is modelled; what is left out is told from the snapshot. */
export interface ModelOptions {
  /** `7.2`, `valkey-8.1`: the server that the snapshot is thought to be loaded into. */
  readonly serverVersion?: string | undefined;
  readonly allocator?: AllocatorName | undefined;
  readonly thresholds?: Partial<EncodingThresholds> | undefined;
  readonly cluster?: boolean | undefined;
}

/** How the prefix tree is grown. */
export interface PrefixOptions {
  /** Bytes that part segments, or "auto". */
  readonly separators?: string | undefined;
  readonly maxChildren?: number | undefined;
  readonly maxNodes?: number | undefined;
}

/** What the worker is started with. */
export interface WorkerSetup {
  /** Where the database goes; undefined: decode and check only. */
  readonly output: string | undefined;
  readonly deep: boolean;
  readonly safeInsert: boolean;
  readonly model: ModelOptions;
  readonly prefixes: PrefixOptions;
  readonly shared: SharedArrayBuffer;
}

/** A remark about the input that goes into the database's `problems`. */
export interface InputRemark {
  readonly code: 'aof-increments' | 'container-trailing';
  readonly text: string;
}

export type ToWorker =
  | {
      readonly kind: 'file';
      readonly ring: SharedArrayBuffer;
      readonly name: string;
      readonly container: string;
      readonly inputBytes: number | undefined;
      readonly snapshotBytes: number | undefined;
      readonly replicationMark: Uint8Array | undefined;
      readonly remarks: readonly InputRemark[];
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

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
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
}
