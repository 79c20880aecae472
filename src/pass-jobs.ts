import type { CarriedError } from './carried-error.js';
import type { InspectOptions, KeyFinding } from './inspect/inspect-pass.js';
import type { ByteSource } from './source/byte-source.js';
import type { VerifyOptions, VerifyPass } from './verify/verify-pass.js';
import type { WhatIfOptions, WhatIfPass } from './what-if/what-if-pass.js';

/** What a pass works with, in whichever thread. */
export interface PassContext {
  readonly source: ByteSource;
  readonly replicationMark: Uint8Array | undefined;
  /** The source can be moved: a bare file. */
  readonly jump: ((offset: number) => void) | undefined;
  /** Tells how far it is; cheap enough for every key. */
  readonly tell: (bytes: number, keys: number) => void;
}

/** Works that read a snapshot once from its start, by name. Options and results are plain data: they cross threads. */
export interface PassJobs {
  readonly verify: { readonly options: VerifyOptions; readonly result: VerifyPass };
  readonly inspect: { readonly options: InspectOptions; readonly result: KeyFinding };
  readonly 'what-if': { readonly options: WhatIfOptions; readonly result: WhatIfPass };
}

export type PassName = keyof PassJobs;

/** Each job is loaded when it is asked for. */
export const passJobs: {
  readonly [Name in PassName]: () => Promise<
    (context: PassContext, options: PassJobs[Name]['options']) => PassJobs[Name]['result']
  >;
} = {
  verify: async () => (await import('./verify/verify-pass.js')).verifyPass,
  inspect: async () => (await import('./inspect/inspect-pass.js')).inspectPass,
  'what-if': async () => (await import('./what-if/what-if-pass.js')).whatIfPass,
};

/** What the worker is started with. */
export interface PassSetup {
  readonly job: PassName;
  readonly options: PassJobs[PassName]['options'];
  /** A bare file is read by the worker itself; anything else comes through a ring. */
  readonly input:
    | { readonly kind: 'file'; readonly path: string }
    | {
        readonly kind: 'ring';
        readonly memory: SharedArrayBuffer;
        readonly snapshotBytes: number | undefined;
      };
  readonly replicationMark: Uint8Array | undefined;
  readonly progress: SharedArrayBuffer;
}

export type PassAnswer =
  | { readonly kind: 'done'; readonly result: PassJobs[PassName]['result'] }
  | { readonly kind: 'failed'; readonly error: CarriedError };
