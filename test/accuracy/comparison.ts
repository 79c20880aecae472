import { createMemoryModel, type MemoryProfile, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder, type SnapshotFacts } from '../../src/rdb-parser/index.js';
import { type KeyTruth, readSnapshot, readTruth, type TruthSet } from './truth-sets.js';

/** One key, as modelled and as the server told it. */
export interface KeyComparison {
  readonly id: string;
  readonly type: string;
  readonly elements: number;
  readonly memoryBytes: number;
  readonly encoding: string | undefined;
  readonly approximate: boolean;
  readonly truth: KeyTruth;
}

/** Models every key of a set's snapshot that the server had after loading it. */
export function compareSet(set: TruthSet): readonly KeyComparison[] {
  const truths = readTruth(set);
  const decoder = new Decoder(bytesSource(readSnapshot(set)));
  decoder.readHeader();
  const model = createMemoryModel(profileOf(set, decoder.facts));
  decoder.meter = model;
  const compared: KeyComparison[] = [];
  while (decoder.next()) {
    const { record } = decoder;
    const { keyBuffer, keyStart, keyLength } = record;
    const key = Buffer.from(keyBuffer.subarray(keyStart, keyStart + keyLength)).toString('base64');
    const id = `${record.db}:${key}`;
    const truth = truths.get(id);
    if (truth === undefined) continue; // it had expired when the server loaded the snapshot
    const { memoryBytes, encoding, approximate } = model;
    const { elementCount: elements } = record;
    compared.push({ id, type: truth.type, elements, memoryBytes, encoding, approximate, truth });
  }
  return compared;
}

function profileOf(set: TruthSet, facts: SnapshotFacts): MemoryProfile {
  const { profile } = profileFor({
    dialect: facts.product,
    serverVersion: set.serverVersion ?? facts.serverVersion,
    rdbVersion: facts.rdbVersion,
    wordBits: facts.wordBits,
    allocator: set.allocator,
    cluster: set.cluster,
  });
  if (set.streamsOf === undefined) return profile;
  const { stream } = profileFor({ serverVersion: set.streamsOf }).profile.layout;
  return { ...profile, layout: { ...profile.layout, stream } };
}
