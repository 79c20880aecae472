import type { Readable } from 'node:stream';
import { restoreError } from '../carried-error.js';
import type { ModelOptions } from '../load-protocol.js';
import { type PassOptions, runPass } from '../pass.js';
import type { SnapshotFacts } from '../rdb-parser/records.js';
import { openInput } from '../source/open-input.js';
import type { PatternRules } from '../store/pattern-rules.js';
import type { Change, EncodingChange } from './change-sums.js';
import { type ChangedKey, differenceOf } from './changed-keys.js';
import { byDifference, type PatternChange } from './pattern-changes.js';
import type { WhatIfPass } from './what-if-pass.js';

export interface WhatIfRequest extends PassOptions {
  /** Paths of snapshots, "-" for standard input: one data set. */
  readonly inputs: readonly string[];
  /** The server as it is, one for all inputs or one for each; what is left out is told from the snapshot. */
  readonly now: ModelOptions | readonly ModelOptions[];
  /** What would be another. */
  readonly change: ModelOptions;
  /** What parts a key's segments. Default ":". */
  readonly separators?: string | undefined;
  /** What segments stand for besides the ids that are known. */
  readonly patternRules?: PatternRules | undefined;
  /** How many keys are told one by one. Default 10. */
  readonly topKeys?: number | undefined;
  /** What "-" reads. */
  readonly stdin?: Readable | undefined;
  /** Called with what was read of each input, to say that it is not the right one. */
  readonly accept?: ((input: string, facts: SnapshotFacts) => void) | undefined;
}

/** Memory under two servers, over all inputs. */
export interface WhatIf {
  readonly inputs: readonly string[];
  /** Of all inputs, joined by "; " where they differ. */
  readonly nowProfile: string;
  readonly otherProfile: string;
  readonly warnings: readonly string[];
  readonly keyTables: { readonly nowBytes: number; readonly otherBytes: number };
  readonly encodings: readonly EncodingChange[];
  /** Largest difference first. */
  readonly patterns: readonly PatternChange[];
  readonly keys: readonly ChangedKey[];
  readonly approximateKeys: number;
  /** What ended the reading of an input early; what came before counts. */
  readonly error: Error | undefined;
}

const DEFAULT_TOP_KEYS = 10;

/**
 * Models a data set for the server as it is and for another, in one pass: what an upgrade or a setting would change.
 * @throws SourceError, RdbError when an input holds no snapshot; StoreError for separators that are none
 */
export async function whatIf(request: WhatIfRequest): Promise<WhatIf> {
  const { inputs, now, change, separators = ':', patternRules, topKeys = DEFAULT_TOP_KEYS, accept } = request;
  const passes: WhatIfPass[] = [];
  for (const [index, path] of inputs.entries()) {
    const input = await openInput(path, request.stdin);
    const own = 'length' in now ? now[index]! : now;
    const options = { now: own, change, separators, patternRules, topKeys };
    const pass = await runPass('what-if', input, options, request);
    accept?.(path, pass.facts);
    passes.push(pass);
  }
  const fault = passes.find((pass) => pass.error !== undefined)?.error;
  return {
    inputs,
    nowProfile: distinct(passes.map((pass) => pass.nowProfile)).join('; '),
    otherProfile: distinct(passes.map((pass) => pass.otherProfile)).join('; '),
    warnings: distinct(passes.flatMap((pass) => pass.warnings)),
    keyTables: {
      nowBytes: sum(passes, (pass) => pass.nowOverheadBytes),
      otherBytes: sum(passes, (pass) => pass.otherOverheadBytes),
    },
    encodings: joined(
      passes.flatMap((pass) => pass.encodings),
      ({ type, nowEncoding, otherEncoding }) => `${type}\n${nowEncoding}\n${otherEncoding}`,
    ),
    patterns: [
      ...joined(
        passes.flatMap((pass) => pass.patterns),
        ({ prefix, type }) => `${type}\n${prefix}`,
      ),
    ].sort(byDifference),
    keys: passes
      .flatMap((pass) => pass.keys)
      .sort((a, b) => differenceOf(b) - differenceOf(a))
      .slice(0, topKeys),
    approximateKeys: sum(passes, (pass) => pass.approximateKeys),
    error: fault === undefined ? undefined : restoreError(fault),
  };
}

/** Rows of the same name added up. */
export function joined<Row extends Change>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): readonly Row[] {
  const byName = new Map<string, Row>();
  for (const row of rows) {
    const known = byName.get(nameOf(row));
    byName.set(
      nameOf(row),
      known === undefined
        ? row
        : {
            ...known,
            keys: known.keys + row.keys,
            nowBytes: known.nowBytes + row.nowBytes,
            otherBytes: known.otherBytes + row.otherBytes,
          },
    );
  }
  return [...byName.values()];
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
