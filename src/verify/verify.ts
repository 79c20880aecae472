import type { Readable } from 'node:stream';
import { restoreError } from '../carried-error.js';
import { type PassOptions, runPass } from '../pass.js';
import type { RdbError } from '../rdb-parser/errors.js';
import type { Problem, SnapshotFacts } from '../rdb-parser/records.js';
import { openInput } from '../source/open-input.js';
import type { SourceError } from '../source/source-error.js';
import { troubleOf } from './trouble.js';

export interface VerifyRequest extends PassOptions {
  /** A path, or "-" for standard input. */
  readonly input: string;
  /** Read no further into values than their lengths ask for, and compare no keys: faster. */
  readonly shallow?: boolean;
  /** Warnings count as damage. */
  readonly strict?: boolean;
  /** What "-" reads. */
  readonly stdin?: Readable;
}

/** Would this snapshot restore? */
export interface Verification {
  readonly input: string;
  /** plain, gzip, zstd, lz4, aof, replication, ...; several joined by "+", outermost first. */
  readonly container: string;
  readonly sound: boolean;
  readonly shallow: boolean;
  readonly facts: SnapshotFacts;
  /** What ended the reading early. */
  readonly error: RdbError | SourceError | undefined;
  /** What makes it damaged, worst first. */
  readonly damage: readonly Problem[];
  /** What a restore survives. */
  readonly warnings: readonly Problem[];
  /** Which part of the keys was compared for ones that stand twice: 0 to 1. */
  readonly comparedShare: number;
  readonly elapsedMs: number;
}

/**
 * Checks a snapshot: structure, checksum, announced counts and, unless shallow, the inside of every value and whether
 * a key stands there twice. Nothing is written.
 * @throws SourceError when there is nothing to check: no such file, no snapshot in it
 */
export async function verifySnapshot(request: VerifyRequest): Promise<Verification> {
  const started = performance.now();
  const shallow = request.shallow ?? false;
  const input = await openInput(request.input, request.stdin);
  const pass = await runPass('verify', input, { shallow }, request);
  const error = pass.error === undefined ? undefined : (restoreError(pass.error) as RdbError | SourceError);
  const { damage, warnings } = troubleOf(pass, input.trailingContainerBytes(), request.strict ?? false);
  return {
    input: input.name,
    container: input.container,
    sound: error === undefined && damage.length === 0,
    shallow,
    facts: pass.facts,
    error,
    damage,
    warnings,
    comparedShare: pass.comparedShare,
    elapsedMs: Math.round(performance.now() - started),
  };
}
