import {
  type DataType,
  INTEGER_CLASS,
  type IntegerClass,
  type KeyRecord,
  type Packing,
  type StreamFacts,
  type StreamGroupFacts,
  UNKNOWN,
} from './records.js';

/** The stream part of the reused record, as decoders fill it. */
export class MutableStreamFacts implements StreamFacts {
  nodes = 0;
  groups = 0;
  consumers = 0;
  pending = 0;
  listpackBytes = 0;
  lastIdMs = 0n;
  lastIdSeq = 0n;
  oldestPendingMs = UNKNOWN;
  groupFacts: StreamGroupFacts[] = [];
}

/** The reused record, as decoders fill it. */
export class MutableKeyRecord implements KeyRecord {
  db = 0;
  keyBuffer: Uint8Array = new Uint8Array(0);
  keyStart = 0;
  keyLength = 0;
  typeCode = 0;
  typeName = '';
  dataType: DataType = 'string';
  packing: Packing | undefined = undefined;
  blobBytes = 0;
  elementCount = UNKNOWN;
  payloadBytes = UNKNOWN;
  longestElementBytes = UNKNOWN;
  integerClass: IntegerClass = INTEGER_CLASS.none;
  contentKind = 0;
  listNodes = 0;
  hasExpiry = false;
  expiresAtMs = 0;
  expiresAtExact: bigint | undefined = undefined;
  idleSeconds = UNKNOWN;
  freq = UNKNOWN;
  fieldsWithTtl = 0;
  firstFieldExpiryMs = UNKNOWN;
  moduleName: string | undefined = undefined;
  moduleVersion = 0;
  readonly stream = new MutableStreamFacts();
  offset = 0;
  serializedBytes = 0;
  valueBytes = 0;

  /** Forgets the last key's attributes: they hold for one key only. */
  clearAttributes(): void {
    this.hasExpiry = false;
    this.expiresAtMs = 0;
    this.expiresAtExact = undefined;
    this.idleSeconds = UNKNOWN;
    this.freq = UNKNOWN;
  }

  /** Forgets the last value. */
  clearValue(): void {
    this.packing = undefined;
    this.blobBytes = 0;
    this.elementCount = UNKNOWN;
    this.payloadBytes = UNKNOWN;
    this.longestElementBytes = UNKNOWN;
    this.integerClass = INTEGER_CLASS.none;
    this.contentKind = 0;
    this.listNodes = 0;
    this.fieldsWithTtl = 0;
    this.firstFieldExpiryMs = UNKNOWN;
    this.moduleName = undefined;
    this.moduleVersion = 0;
  }

  /** Counts a field with an expiry of its own. */
  addFieldExpiry(atMs: number): void {
    this.fieldsWithTtl++;
    if (this.firstFieldExpiryMs === UNKNOWN || atMs < this.firstFieldExpiryMs) this.firstFieldExpiryMs = atMs;
  }

  /** A plain collection: its elements were all seen. */
  setPlain(elementCount: number, payloadBytes: number, longestElementBytes: number): void {
    this.elementCount = elementCount;
    this.payloadBytes = payloadBytes;
    this.longestElementBytes = longestElementBytes;
  }
}
