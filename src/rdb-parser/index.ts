export { bytesSource } from './bytes-source.js';
export { COMPRESSED_KINDS, CONTENT_KINDS, type ContentKind } from './content.js';
export { Crc64, checksumText } from './crc64.js';
export { Decoder, type DecoderOptions, keyOf } from './decoder.js';
export { describeLocation, RdbError, type RdbErrorCode, type RdbLocation } from './errors.js';
export { friendlyModuleName } from './module-id.js';
export { type Opcode, opcodes } from './opcodes.js';
export { parsePrintable, printableBytes, printableText, utf8Length } from './printable.js';
export {
  type AsyncSnapshot,
  type ReadOptions,
  type ReadSyncOptions,
  readSnapshot,
  type Snapshot,
  type VisitOptions,
  visitKey,
} from './read-snapshot.js';
export type { RecordRun, RecordWindow, TakenRecords } from './record-run.js';
export * from './records.js';
export { type SnapshotKey, type SnapshotKeyName, snapshotKey } from './snapshot-key.js';
export type { ValueLayout, ValueType } from './value-context.js';
export { valueTypes } from './value-types.js';
