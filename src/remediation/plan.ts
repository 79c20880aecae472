import type { Action } from '../findings/index.js';
import type { PlanScript } from './scripts.js';

/** A key as the snapshot has it; `size` is STRLEN, LLEN, ... or undefined where no command tells it. */
export interface PlanKey {
  readonly db: number;
  readonly key: Uint8Array;
  /** As TYPE says it: a module's own name for its values. */
  readonly type: string;
  readonly size: number | undefined;
  readonly memoryBytes: number;
  readonly fieldsWithTtl: number;
  readonly largestElementBytes: number | undefined;
}

/** One call of a script, made again until it answers 0 where `repeat` says so. */
export interface PlanStep {
  readonly comment: string;
  readonly db: number;
  readonly script: PlanScript;
  readonly keys: readonly Uint8Array[];
  readonly args: readonly (string | number)[];
  /** Calls at most, where the output can't loop; undefined: one call. */
  readonly repeat: number | undefined;
}

/** What a plan is of, and its steps: as many as keys, so they are told one by one. */
export interface Plan {
  readonly id: string;
  readonly action: Action;
  /** One sentence: what it does to what. */
  readonly title: string;
  /** What to know, and to do, before and after. */
  readonly cautions: readonly string[];
  readonly snapshot: PlanSnapshot;
  readonly keys: number;
  readonly memoryBytes: number;
  readonly pauseMs: number;
  readonly scripts: readonly PlanScript[];
  readonly steps: () => Iterable<PlanStep>;
}

export interface PlanSnapshot {
  readonly path: string;
  readonly createdAtMs: number | undefined;
  readonly product: string;
  readonly serverVersion: string | undefined;
  readonly isCluster: boolean;
}

/** A plan that can't be made as asked; `message` is one sentence. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}
