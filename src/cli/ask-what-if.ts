import { existsSync, statSync } from 'node:fs';
import type { ModelOptions } from '../load-protocol.js';
import { isOurDatabase, type PatternRules } from '../store/index.js';
import { recordedSet } from '../what-if/recorded-set.js';
import { type WhatIf, whatIf } from '../what-if/what-if.js';
import type { CliContext } from './context.js';
import { ProgressLine } from './progress.js';
import { UsageError } from './usage-error.js';

export interface WhatIfQuestion {
  /** Snapshots, or one database whose snapshots are read again. */
  readonly inputs: readonly string[];
  /** What is told of the server as it is, over what a file or database tells. */
  readonly now: ModelOptions;
  readonly change: ModelOptions;
  /** Undefined: those of the database, else ":". */
  readonly separators: string | undefined;
  /** Undefined: those of the database, else none. */
  readonly patternRules: PatternRules | undefined;
  /** Keys told one by one; 0 for the most there can be. */
  readonly top: number;
  readonly progress: boolean;
}

/** Keys told one by one, whatever is asked. */
const MOST_KEYS = 1000;

/** Asks the question with a progress line. @throws UsageError when nothing would be another */
export async function askWhatIf(question: WhatIfQuestion, context: CliContext): Promise<WhatIf> {
  const { inputs, change, top } = question;
  const [first = ''] = inputs;
  if (!Object.values(change).some(isSaid)) {
    throw new UsageError(
      'say what would be another: --server 8.2, --hash-max-listpack-entries 1024, ...; rdbscope help what-if lists it',
    );
  }
  const now = withoutGaps(question.now);
  const recorded = inputs.length === 1 && isDatabaseFile(first) ? recordedSet(first) : undefined;
  const progress = new ProgressLine(context.stderr);
  try {
    return await whatIf({
      inputs: recorded?.inputs ?? inputs,
      now: recorded?.now.map((known) => ({ ...known, ...now })) ?? now,
      change,
      separators: question.separators ?? recorded?.separators,
      patternRules: question.patternRules ?? recorded?.patternRules,
      accept: recorded?.accept,
      topKeys: top === 0 ? MOST_KEYS : Math.min(top, MOST_KEYS),
      stdin: context.stdin,
      signal: context.signal,
      onProgress: question.progress ? progress.update : undefined,
    });
  } finally {
    await progress.clear();
  }
}

function isDatabaseFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile() && isOurDatabase(path);
}

/** What is said, so that it may stand over what is known. */
function withoutGaps(options: ModelOptions): ModelOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isSaid(value)));
}

function isSaid(value: unknown): boolean {
  return value !== undefined && !(typeof value === 'object' && Object.keys(value as object).length === 0);
}
