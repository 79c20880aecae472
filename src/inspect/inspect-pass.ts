import { type CarriedError, carryError } from '../carried-error.js';
import { createMemoryModel, describeProfile, type MemoryModel, profileFor } from '../memory/index.js';
import type { PassContext } from '../pass-jobs.js';
import { Decoder, keyOf } from '../rdb-parser/decoder.js';
import { RdbError } from '../rdb-parser/errors.js';
import { type KeyRecord, type SnapshotFacts, UNKNOWN } from '../rdb-parser/records.js';
import { SourceError } from '../source/source-error.js';
import type { KeyLayout } from './key-layout.js';
import { LayoutVisitor } from './layout-visitor.js';

export interface InspectOptions {
  /** Undefined: whatever stands at `offset`. */
  readonly key: Uint8Array | undefined;
  /** Undefined: the first database that has the key. */
  readonly db: number | undefined;
  /** Where the key's record starts; undefined: look for it from the start. */
  readonly offset: number | undefined;
  /** How many of the longest elements, largest nodes and so on are wanted. */
  readonly top: number;
  readonly serverVersion: string | undefined;
}

/** What came of looking for a key. Plain data. */
export interface KeyFinding {
  readonly layout: KeyLayout | undefined;
  /** The key that stands at the offset, when it is another one than was asked for. */
  readonly otherKey: Uint8Array | undefined;
  readonly keysRead: number;
  readonly warnings: readonly string[];
  /** What ended the search early. */
  readonly error: CarriedError | undefined;
}

/** Finds one key and sees all of its parts; nothing of other keys' values is looked at. */
export function inspectPass({ source, jump, tell }: PassContext, options: InspectOptions): KeyFinding {
  const visitor = new LayoutVisitor(options.top);
  let chosen = false;
  const decoder: Decoder = new Decoder(source, {
    visitorFor: (record) => {
      chosen = options.offset !== undefined || matches(record, options);
      if (!chosen) return undefined;
      decoder.meter = model;
      return visitor;
    },
  });
  const { record, facts } = decoder;
  let model: MemoryModel;
  const warnings: string[] = [];
  let keysRead = 0;
  const finding = (found: Partial<KeyFinding>): KeyFinding => ({
    layout: undefined,
    otherKey: undefined,
    keysRead,
    warnings,
    error: undefined,
    ...found,
  });
  try {
    decoder.readHeader();
    const choice = profileFor({
      dialect: facts.product,
      serverVersion: options.serverVersion ?? facts.serverVersion,
      rdbVersion: facts.rdbVersion,
      wordBits: facts.wordBits,
    });
    model = createMemoryModel(choice.profile);
    if (choice.warning !== undefined) warnings.push(choice.warning);
    if (options.offset !== undefined) decoder.moveTo(options.offset, jump);
    while (decoder.next()) {
      tell(decoder.offset, ++keysRead);
      if (!chosen) continue;
      if (options.key !== undefined && !sameKey(record, options.key))
        return finding({ otherKey: keyOf(record) });
      return finding({ layout: layoutOf(record, facts, visitor, model, options) });
    }
    return finding({});
  } catch (error) {
    if (error instanceof RdbError || error instanceof SourceError)
      return finding({ error: carryError(error) });
    throw error;
  }
}

function matches(record: KeyRecord, { key, db }: InspectOptions): boolean {
  return key !== undefined && (db === undefined || db === record.db) && sameKey(record, key);
}

function sameKey({ keyBuffer, keyStart, keyLength }: KeyRecord, key: Uint8Array): boolean {
  if (keyLength !== key.length) return false;
  for (let i = 0; i < keyLength; i++) if (keyBuffer[keyStart + i] !== key[i]) return false;
  return true;
}

function layoutOf(
  record: KeyRecord,
  facts: SnapshotFacts,
  visitor: LayoutVisitor,
  model: MemoryModel,
  options: InspectOptions,
): KeyLayout {
  return {
    key: keyOf(record),
    db: options.db ?? (options.offset === undefined ? record.db : undefined),
    type: record.dataType,
    typeCode: record.typeCode,
    typeName: record.typeName,
    moduleName: record.moduleName,
    encoding: model.encoding,
    memoryBytes: model.memoryBytes,
    memoryProfile: describeProfile(model.profile),
    offset: record.offset,
    serializedBytes: record.serializedBytes,
    valueBytes: record.valueBytes,
    elements: known(record.elementCount),
    payloadBytes: known(record.payloadBytes),
    longestBytes: known(record.longestElementBytes),
    packing: record.packing,
    blobBytes: record.packing === undefined ? undefined : record.blobBytes,
    expiresAtMs: record.hasExpiry ? String(record.expiresAtExact ?? record.expiresAtMs) : undefined,
    createdAtMs: known(facts.createdAtMs),
    idleSeconds: known(record.idleSeconds),
    freq: known(record.freq),
    fieldsWithTtl: record.dataType === 'hash' ? known(record.fieldsWithTtl) : undefined,
    firstFieldExpiryMs: known(record.firstFieldExpiryMs),
    longest: visitor.longestElements(),
    expiring: visitor.soonestExpiries(),
    nodes: visitor.nodesLayout(),
    stream: record.dataType === 'stream' ? visitor.streamLayout(record) : undefined,
  };
}

function known(value: number): number | undefined {
  return value === UNKNOWN ? undefined : value;
}
