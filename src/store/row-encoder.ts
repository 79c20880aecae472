import { type KeyRecord, UNKNOWN } from '../rdb-parser/records.js';
import type { KeyRow } from './key-row.js';
import {
  bytesSerialType,
  contentBytes,
  SERIAL,
  serialType,
  varintBytes,
  writeContent,
  writeVarint,
} from './record-encoding.js';

/** Index of the number columns in `values`: KEY_COLUMNS without the key and without `stream_last_id`, the last. */
const EXPIRES_AT = 11;
const IDLE_SECONDS = 12;
const STREAM_NODES = 16;
const NUMBERS = 21;

/** Keys shorter than this are copied byte by byte: cheaper than a call of `set`. */
const SHORT_KEY_BYTES = 96;

/**
 * Encodes one row of `key_rows` as SQLite's record: a header with the serial types, then the key, the numbers and, for
 * streams only, the last id's text. Columns that are NULL at the end are left out. Reused, allocates nothing.
 */
export class RowEncoder {
  headerBytes = 0;
  /** What comes after the key. */
  bodyBytes = 0;
  payloadBytes = 0;

  private record: KeyRecord | undefined;
  private keySerial = 0;
  private columns = 0;
  private readonly values = new Float64Array(NUMBERS);
  private readonly serials = new Uint8Array(NUMBERS);
  private readonly exactExpiry = new DataView(new ArrayBuffer(8));
  private lastId = '';

  /** Takes a row in and computes its sizes; the record must not change until it is written. */
  prepare(record: KeyRecord, row: KeyRow): void {
    const { values, serials } = this;
    this.record = record;
    values[0] = row.kindId;
    values[1] = record.db;
    values[2] = row.fileId;
    values[3] = row.prefixId;
    values[4] = row.slot;
    values[5] = record.elementCount;
    values[6] = row.memoryBytes;
    values[7] = record.serializedBytes;
    values[8] = record.offset;
    values[9] = record.payloadBytes;
    values[10] = record.longestElementBytes;
    let columns = EXPIRES_AT;
    let bytes = 0;
    for (let i = 0; i < EXPIRES_AT; i++) {
      const value = values[i]!;
      const serial = value === UNKNOWN ? SERIAL.null : serialType(value);
      serials[i] = serial;
      bytes += contentBytes(serial);
    }
    serials[EXPIRES_AT] = SERIAL.null;
    if (record.hasExpiry) {
      const serial = record.expiresAtExact === undefined ? serialType(record.expiresAtMs) : SERIAL.int64;
      values[EXPIRES_AT] = record.expiresAtMs;
      if (record.expiresAtExact !== undefined) this.exactExpiry.setBigInt64(0, record.expiresAtExact);
      serials[EXPIRES_AT] = serial;
      bytes += contentBytes(serial);
      columns = EXPIRES_AT + 1;
    }
    this.columns = columns;
    this.lastId = '';
    if (record.idleSeconds !== UNKNOWN || record.freq !== UNKNOWN || row.fieldsWithTtl !== UNKNOWN) {
      bytes += this.prepareRareColumns(record, row.fieldsWithTtl);
    } else if (record.dataType === 'stream') bytes += this.prepareRareColumns(record, row.fieldsWithTtl);
    this.keySerial = bytesSerialType(record.keyLength, row.keyIsText);
    this.headerBytes = 2 + varintBytes(this.keySerial) + this.columns + (this.lastId === '' ? 0 : 1);
    this.bodyBytes = bytes;
    this.payloadBytes = this.headerBytes + record.keyLength + bytes;
  }

  writeHeader(into: Uint8Array, start: number): number {
    const { serials, columns } = this;
    into[start] = this.headerBytes;
    into[start + 1] = SERIAL.null; // the row id stands in its place
    let at = writeVarint(into, start + 2, this.keySerial);
    for (let i = 0; i < columns; i++) into[at++] = serials[i]!;
    if (this.lastId !== '') into[at++] = bytesSerialType(this.lastId.length, true);
    return at;
  }

  writeKey(into: Uint8Array, start: number): number {
    const { keyBuffer, keyStart, keyLength } = this.record!;
    if (keyLength >= SHORT_KEY_BYTES) into.set(keyBuffer.subarray(keyStart, keyStart + keyLength), start);
    else for (let i = 0; i < keyLength; i++) into[start + i] = keyBuffer[keyStart + i]!;
    return start + keyLength;
  }

  writeBody(into: Uint8Array, start: number): number {
    const { values, serials, columns } = this;
    let at = start;
    for (let i = 0; i < columns; i++) {
      if (i === EXPIRES_AT && this.record!.expiresAtExact !== undefined) {
        for (let byte = 0; byte < 8; byte++) into[at++] = this.exactExpiry.getUint8(byte);
      } else at = writeContent(into, at, values[i]!, serials[i]!);
    }
    for (let i = 0; i < this.lastId.length; i++) into[at++] = this.lastId.charCodeAt(i);
    return at;
  }

  /** Idle time, counter, field expiries, and what only streams have. Returns the bytes they take. */
  private prepareRareColumns(record: KeyRecord, fieldsWithTtl: number): number {
    const { values, serials } = this;
    values[IDLE_SECONDS] = record.idleSeconds;
    values[IDLE_SECONDS + 1] = record.freq;
    values[IDLE_SECONDS + 2] = fieldsWithTtl;
    values[IDLE_SECONDS + 3] = record.firstFieldExpiryMs;
    let columns = STREAM_NODES;
    if (record.dataType === 'stream') {
      const { nodes, groups, consumers, pending, oldestPendingMs, lastIdMs, lastIdSeq } = record.stream;
      values[STREAM_NODES] = nodes;
      values[STREAM_NODES + 1] = groups;
      values[STREAM_NODES + 2] = consumers;
      values[STREAM_NODES + 3] = pending;
      values[STREAM_NODES + 4] = oldestPendingMs;
      this.lastId = `${lastIdMs}-${lastIdSeq}`;
      columns = NUMBERS;
    }
    let bytes = this.lastId.length;
    let last = this.columns;
    for (let i = IDLE_SECONDS; i < columns; i++) {
      const serial = values[i] === UNKNOWN ? SERIAL.null : serialType(values[i]!);
      serials[i] = serial;
      bytes += contentBytes(serial);
      if (serial !== SERIAL.null) last = i + 1;
    }
    // A text at the end needs every column before it.
    this.columns = this.lastId === '' ? last : NUMBERS;
    return bytes;
  }
}
