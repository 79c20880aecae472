import { type CarriedError, carryError } from '../carried-error.js';
import type { PassContext } from '../pass-jobs.js';
import { Decoder, keyOf } from '../rdb-parser/decoder.js';
import { RdbError } from '../rdb-parser/errors.js';
import type { Problem, SnapshotFacts } from '../rdb-parser/records.js';
import { StringSkim } from '../rdb-parser/string-skim.js';
import { SourceError } from '../source/source-error.js';
import { KeyComparison } from './key-comparison.js';

export interface VerifyOptions {
  /** Read no further into values than their lengths ask for, and compare no keys. */
  readonly shallow: boolean;
}

/** What one reading of a snapshot found. Plain data. */
export interface VerifyPass {
  readonly facts: SnapshotFacts;
  /** Keys that stand twice in a database. */
  readonly repeatedKeys: Problem | undefined;
  /** Which part of the keys was compared for that; 0 when none was. */
  readonly comparedShare: number;
  /** What ended the reading early. */
  readonly error: CarriedError | undefined;
}

/** Reads a snapshot to its end and keeps nothing of it: structure, counts, checksum and, unless shallow, every value. */
export function verifyPass(context: PassContext, { shallow }: VerifyOptions): VerifyPass {
  const { source, replicationMark, tell } = context;
  const decoder = new Decoder(source, {
    check: !shallow,
    ...(replicationMark === undefined ? {} : { replicationMark }),
  });
  const skim = shallow ? new StringSkim() : undefined;
  const comparison = shallow ? undefined : new KeyComparison();
  const { record, facts } = decoder;
  let repeatedKeys: Problem | undefined;
  let error: CarriedError | undefined;
  try {
    for (;;) {
      if (skim !== undefined) decoder.takeRun(skim);
      if (!decoder.next()) break;
      tell(decoder.offset, facts.keysRead);
      if (comparison?.repeats(record) !== true) continue;
      repeatedKeys = {
        ...(repeatedKeys ?? {
          code: 'duplicate-key',
          severity: 'error',
          text: 'a key stands twice in its database, which servers refuse to load',
          offset: record.offset,
          db: record.db,
          key: keyOf(record),
        }),
        count: (repeatedKeys?.count ?? 0) + 1,
      };
    }
  } catch (fault) {
    if (!(fault instanceof RdbError || fault instanceof SourceError)) throw fault;
    error = carryError(fault);
  }
  return { facts: plainFacts(facts), repeatedKeys, comparedShare: comparison?.share ?? 0, error };
}

/** The facts without what only the decoder needs: a copy that crosses threads. */
function plainFacts(facts: SnapshotFacts): SnapshotFacts {
  return { ...facts };
}
