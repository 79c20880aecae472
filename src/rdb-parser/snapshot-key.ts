import {
  type DataType,
  type KeyRecord,
  type Packing,
  type SnapshotFacts,
  type StreamFacts,
  UNKNOWN,
} from './records.js';

/** A key's name and kind, as known before its value is read. */
export interface SnapshotKeyName {
  readonly db: number;
  /** A copy of the key's bytes; not always text. */
  readonly key: Uint8Array;
  readonly type: DataType;
}

/** One key as a plain object of its own. What the snapshot does not tell is undefined. */
export interface SnapshotKey extends SnapshotKeyName {
  /** The value type's name in the server's rdb.h, without RDB_TYPE_. */
  readonly typeName: string;
  /** The module's own name for its type, `ReJSON-RL`. */
  readonly moduleName: string | undefined;
  /** LLEN, SCARD, ZCARD, HLEN, XLEN; 1 for a string. */
  readonly elements: number | undefined;
  /** The user's own bytes: STRLEN, or the sum of the elements' lengths. */
  readonly payloadBytes: number | undefined;
  readonly longestElementBytes: number | undefined;
  /** The blob that the whole value is written as. */
  readonly packing: Packing | undefined;
  /** Milliseconds since the epoch, exact. */
  readonly expiresAtMs: bigint | undefined;
  readonly idleSeconds: number | undefined;
  /** LFU counter, 0 to 255. */
  readonly freq: number | undefined;
  /** Hash fields with an expiry of their own. */
  readonly fieldsWithTtl: number | undefined;
  /** Milliseconds since the epoch. */
  readonly firstFieldExpiryMs: number | undefined;
  readonly stream: StreamFacts | undefined;
  /** Where the key's record starts. */
  readonly offset: number;
  /** File bytes from the value type byte to the value's last byte. */
  readonly serializedBytes: number;
}

/** The name of the key at hand, copied out of the record. */
export function snapshotKeyName(record: KeyRecord): SnapshotKeyName {
  const { db, keyBuffer, keyStart, keyLength } = record;
  return { db, key: keyBuffer.slice(keyStart, keyStart + keyLength), type: record.dataType };
}

/** The key at hand, copied out of the record that is reused for the next one. */
export function snapshotKey(record: KeyRecord): SnapshotKey {
  return {
    ...snapshotKeyName(record),
    typeName: record.typeName,
    moduleName: record.moduleName,
    elements: known(record.elementCount),
    payloadBytes: known(record.payloadBytes),
    longestElementBytes: known(record.longestElementBytes),
    packing: record.packing,
    expiresAtMs: record.hasExpiry ? (record.expiresAtExact ?? BigInt(record.expiresAtMs)) : undefined,
    idleSeconds: known(record.idleSeconds),
    freq: known(record.freq),
    fieldsWithTtl: record.dataType === 'hash' ? known(record.fieldsWithTtl) : undefined,
    firstFieldExpiryMs: known(record.firstFieldExpiryMs),
    stream: record.dataType === 'stream' ? copyOfStream(record.stream) : undefined,
    offset: record.offset,
    serializedBytes: record.serializedBytes,
  };
}

/** The facts as plain data of their own. */
export function copyOfFacts(facts: SnapshotFacts): SnapshotFacts {
  const { aux, databases, functions, moduleAux, problems } = facts;
  return {
    dialect: facts.dialect,
    product: facts.product,
    magic: facts.magic,
    rdbVersion: facts.rdbVersion,
    serverVersion: facts.serverVersion,
    createdAtMs: facts.createdAtMs,
    usedMemoryBytes: facts.usedMemoryBytes,
    wordBits: facts.wordBits,
    aux: [...aux],
    databases: databases.map((database) => ({ ...database })),
    functions: [...functions],
    moduleAux: [...moduleAux],
    slotRecords: facts.slotRecords,
    problems: problems.map((problem) => ({ ...problem })),
    keysRead: facts.keysRead,
    recordsSkipped: facts.recordsSkipped,
    complete: facts.complete,
    checksum: facts.checksum,
    checksumStored: facts.checksumStored,
    checksumComputed: facts.checksumComputed,
    snapshotBytes: facts.snapshotBytes,
    trailingBytes: facts.trailingBytes,
    trailingKind: facts.trailingKind,
  };
}

function copyOfStream(stream: StreamFacts): StreamFacts {
  return { ...stream, groupFacts: [...stream.groupFacts] };
}

function known(value: number): number | undefined {
  return value === UNKNOWN ? undefined : value;
}
