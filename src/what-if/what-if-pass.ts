import { type CarriedError, carryError } from '../carried-error.js';
import type { ModelOptions } from '../load-protocol.js';
import {
  createMemoryModel,
  describeProfile,
  type EncodingThresholds,
  type MemoryProfile,
  type ProfileChoice,
  profileFor,
} from '../memory/index.js';
import type { PassContext } from '../pass-jobs.js';
import { Decoder } from '../rdb-parser/decoder.js';
import { RdbError } from '../rdb-parser/errors.js';
import type { SnapshotFacts } from '../rdb-parser/records.js';
import { keyspaceOverheads, profileOfSnapshot } from '../snapshot-profile.js';
import { SourceError } from '../source/source-error.js';
import type { PatternRules } from '../store/pattern-rules.js';
import { ChangeSums, type EncodingChange } from './change-sums.js';
import { type ChangedKey, ChangedKeys } from './changed-keys.js';
import { PairedMeter } from './paired-meter.js';
import { type PatternChange, PatternChanges } from './pattern-changes.js';

export interface WhatIfOptions {
  /** The server as it is; what is left out is told from the snapshot. */
  readonly now: ModelOptions;
  /** What is another; what is left out stays as it is. */
  readonly change: ModelOptions;
  readonly separators: string;
  /** What segments stand for besides the ids that are known. */
  readonly patternRules?: PatternRules | undefined;
  /** How many keys are told one by one. */
  readonly topKeys: number;
}

/** Memory of one snapshot under two servers. Plain data. */
export interface WhatIfPass {
  readonly facts: SnapshotFacts;
  readonly nowProfile: string;
  readonly otherProfile: string;
  readonly warnings: readonly string[];
  readonly encodings: readonly EncodingChange[];
  readonly patterns: readonly PatternChange[];
  readonly keys: readonly ChangedKey[];
  /** The tables that hold the keys. */
  readonly nowOverheadBytes: number;
  readonly otherOverheadBytes: number;
  /** Keys for which either figure is the size on disk. */
  readonly approximateKeys: number;
  /** What ended the reading early. */
  readonly error: CarriedError | undefined;
}

/**
 * Reads a snapshot once with two models.
 * @throws RdbError when nothing of it can be used
 */
export function whatIfPass(context: PassContext, options: WhatIfOptions): WhatIfPass {
  const { source, replicationMark, tell } = context;
  const decoder = new Decoder(source, replicationMark === undefined ? {} : { replicationMark });
  decoder.readHeader();
  const { facts, record } = decoder;
  const now = profileOfSnapshot(facts, options.now);
  const other = changedProfile(facts, now.profile, options.change);
  const meter = new PairedMeter(createMemoryModel(now.profile), createMemoryModel(other.profile));
  decoder.meter = meter;
  const sums = new ChangeSums();
  const patterns = new PatternChanges(options.separators, options.patternRules);
  const changed = new ChangedKeys(options.topKeys);
  let approximateKeys = 0;
  let error: CarriedError | undefined;
  try {
    while (decoder.next()) {
      const { memoryBytes: nowBytes, encoding } = meter.now;
      const { memoryBytes: otherBytes, encoding: otherEncoding } = meter.other;
      sums.add(record.dataType, encoding, otherEncoding, nowBytes, otherBytes);
      patterns.add(record, nowBytes, otherBytes);
      changed.add(record, meter.now, meter.other);
      if (meter.now.approximate || meter.other.approximate) approximateKeys++;
      tell(decoder.offset, facts.keysRead);
    }
  } catch (fault) {
    if (!(fault instanceof RdbError || fault instanceof SourceError)) throw fault;
    error = carryError(fault);
  }
  const slots = patterns.occupiedSlots;
  return {
    facts: { ...facts },
    nowProfile: describeProfile(now.profile),
    otherProfile: describeProfile(other.profile),
    warnings: [...new Set([now.warning, other.warning].filter((warning) => warning !== undefined))],
    encodings: sums.rows(),
    patterns: patterns.rows(),
    keys: changed.keys,
    nowOverheadBytes: total(keyspaceOverheads(facts, now.profile, slots)),
    otherOverheadBytes: total(keyspaceOverheads(facts, other.profile, slots)),
    approximateKeys,
    error,
  };
}

/** The same server but for what is changed; settings that are not its version's defaults go along. */
function changedProfile(facts: SnapshotFacts, now: MemoryProfile, change: ModelOptions): ProfileChoice {
  return profileFor({
    dialect: facts.product,
    serverVersion: change.serverVersion ?? `${now.family} ${now.version}`,
    wordBits: change.wordBits ?? now.wordBits,
    allocator: change.allocator ?? now.allocator.name,
    cluster: change.cluster ?? now.cluster,
    thresholds: { ...ownThresholds(now), ...change.thresholds },
  });
}

/** The thresholds that are not the version's defaults. */
export function ownThresholds({ thresholds, layout }: MemoryProfile): Partial<EncodingThresholds> {
  const usual = Object.entries(layout.thresholds);
  const isOwn = ([name, value]: [string, number]): boolean =>
    usual.every(([other, number]) => other !== name || number !== value);
  return Object.fromEntries(Object.entries(thresholds).filter(isOwn));
}

function total(bytesByDb: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const bytes of bytesByDb.values()) sum += bytes;
  return sum;
}
