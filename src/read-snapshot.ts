import type { ModelOptions, SharedCounters } from './load-protocol.js';
import {
  createMemoryModel,
  type Encoding,
  type MemoryModel,
  type MemoryProfile,
  type Misfit,
} from './memory/index.js';
import { Decoder, type DecoderOptions } from './rdb-parser/decoder.js';
import { RdbError } from './rdb-parser/errors.js';
import type { RecordRun } from './rdb-parser/record-run.js';
import type { KeyRecord, SnapshotFacts } from './rdb-parser/records.js';
import { profileOfSnapshot } from './snapshot-profile.js';
import type { ByteSource } from './source/byte-source.js';
import { SourceError } from './source/source-error.js';

/** Takes what one snapshot holds, key by key. */
export interface KeySink extends RecordRun {
  /** The header is read: the facts known so far, and the model that the memory figures will come from. */
  begin(facts: SnapshotFacts, model: MemoryModel): void;
  add(record: KeyRecord, memoryBytes: number, encoding: Encoding | undefined, misfit: Misfit): void;
}

/** Keys whose memory the file does not tell, values of modules above all: their size on disk stands for it. */
export interface ApproximateKeys {
  keys: number;
  memoryBytes: number;
}

/** What became of one snapshot. */
export interface ReadSnapshot {
  readonly facts: SnapshotFacts;
  readonly profile: MemoryProfile;
  readonly warnings: readonly string[];
  readonly approximate: ApproximateKeys;
  /** What ended the reading early; what was read went into the sink. */
  readonly error: RdbError | SourceError | undefined;
}

export interface ReadRequest {
  readonly source: ByteSource;
  /** Undefined: keys are decoded and counted, without memory figures. */
  readonly sink: KeySink | undefined;
  readonly decoder: DecoderOptions;
  readonly model: ModelOptions;
  readonly counters: SharedCounters;
}

/**
 * Decodes a snapshot with its memory figures into a sink.
 * @throws RdbError when nothing of it can be used: no RDB file, or a version that none has
 */
export function readSnapshot({
  source,
  sink,
  decoder: options,
  model: asked,
  counters,
}: ReadRequest): ReadSnapshot {
  const decoder = new Decoder(source, options);
  const { facts } = decoder;
  let error: RdbError | SourceError | undefined = stopReason(() => decoder.readHeader());
  if (error instanceof RdbError && UNUSABLE.has(error.code)) throw error;

  const { profile, warning } = profileOfSnapshot(facts, asked);
  const approximate: ApproximateKeys = { keys: 0, memoryBytes: 0 };
  const model = createMemoryModel(profile);
  sink?.begin(facts, model);
  if (error === undefined) {
    error = stopReason(() => {
      if (sink === undefined) countKeys(decoder, counters);
      else storeKeys(decoder, model, sink, counters, approximate, options.deep ?? false);
    });
  }
  return { facts, profile, warnings: warning === undefined ? [] : [warning], approximate, error };
}

function storeKeys(
  decoder: Decoder,
  model: MemoryModel,
  sink: KeySink,
  counters: SharedCounters,
  approximate: ApproximateKeys,
  deep: boolean,
): void {
  decoder.meter = model;
  const { record } = decoder;
  const takesRuns = !deep;
  let keys = counters.keys;
  for (;;) {
    if (takesRuns) counters.keys = keys += decoder.takeRun(sink);
    if (!decoder.next()) return;
    sink.add(record, model.memoryBytes, model.encoding, model.misfit);
    if (model.approximate) {
      approximate.keys++;
      approximate.memoryBytes += model.memoryBytes;
    }
    counters.keys = ++keys;
  }
}

function countKeys(decoder: Decoder, counters: SharedCounters): void {
  let keys = counters.keys;
  while (decoder.next()) counters.keys = ++keys;
}

const UNUSABLE: ReadonlySet<string> = new Set(['not-rdb', 'unsupported-version']);

/** The snapshot's or the source's own fault; anything else is thrown on. */
function stopReason(read: () => void): RdbError | SourceError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof RdbError || error instanceof SourceError) return error;
    throw error;
  }
}
