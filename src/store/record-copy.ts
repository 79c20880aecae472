import type { KeyRecord } from '../rdb-parser/records.js';

/** A record that stays as it is when the decoder goes on. */
export function copyRecord(record: KeyRecord): KeyRecord {
  const { keyStart, keyLength, stream } = record;
  return {
    db: record.db,
    keyBuffer: record.keyBuffer.slice(keyStart, keyStart + keyLength),
    keyStart: 0,
    keyLength,
    typeCode: record.typeCode,
    typeName: record.typeName,
    dataType: record.dataType,
    packing: record.packing,
    blobBytes: record.blobBytes,
    elementCount: record.elementCount,
    payloadBytes: record.payloadBytes,
    longestElementBytes: record.longestElementBytes,
    integerClass: record.integerClass,
    contentKind: record.contentKind,
    listNodes: record.listNodes,
    hasExpiry: record.hasExpiry,
    expiresAtMs: record.expiresAtMs,
    expiresAtExact: record.expiresAtExact,
    idleSeconds: record.idleSeconds,
    freq: record.freq,
    fieldsWithTtl: record.fieldsWithTtl,
    firstFieldExpiryMs: record.firstFieldExpiryMs,
    moduleName: record.moduleName,
    moduleVersion: record.moduleVersion,
    stream: {
      nodes: stream.nodes,
      groups: stream.groups,
      consumers: stream.consumers,
      pending: stream.pending,
      listpackBytes: stream.listpackBytes,
      lastIdMs: stream.lastIdMs,
      lastIdSeq: stream.lastIdSeq,
      oldestPendingMs: stream.oldestPendingMs,
      groupFacts: [...stream.groupFacts],
    },
    offset: record.offset,
    serializedBytes: record.serializedBytes,
    valueBytes: record.valueBytes,
  };
}
