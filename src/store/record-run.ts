import { CONTENT_FROM_BYTES } from '../rdb-parser/content.js';
import type { RecordWindow, TakenRecords } from '../rdb-parser/record-run.js';
import { type Dialect, INTEGER_CLASS, type KeyRecord, UNKNOWN } from '../rdb-parser/records.js';
import type { OneString } from '../rdb-parser/value-context.js';
import { valueTypeTable } from '../rdb-parser/value-types.js';
import { type DuplicateFinder, HASHED_ROWS } from './duplicates.js';
import { EARLIEST_EXPIRY_MS, type ExpiryBuckets } from './expiry-buckets.js';
import type { KeyCore } from './key-core.js';
import type { KeyKind } from './key-kinds.js';
import type { PageWriter } from './page-writer.js';

// How a value is written; also in assembly/plain-record.ts.
const FORM = {
  text: 1,
  listpack: 2,
  ziplist: 3,
  intset: 4,
  pairs: 8,
  hash: 16,
  node: 32,
  container: 64,
} as const;
// Why the core ended a run.
const EXPIRIES_FULL = 1;
const HASHES_FULL = 2;
/** Expiries that the core gathers, a pair of numbers each. */
const EXPIRIES = 1024;

const VALUE_TYPES = 256;

/**
 * Loads whole records out of the decoder's window without JavaScript: those whose value is one string that need not be
 * looked into, when the memory model has judged such keys before. The model's answer follows from the value's type and
 * length, the elements that it announces and the integer that it spells on the one hand, from the key's length and
 * whether it expires on the other, and for short strings from all of these. Answers are learned from the keys that come
 * the ordinary way.
 */
export class StoredRun implements TakenRecords {
  bytes = 0;
  keys = 0;
  keysWithExpiry = 0;
  /** Of the keys taken last: those past their time when the snapshot was taken. */
  keysExpired = 0;

  private readonly core: KeyCore;
  private readonly writer: PageWriter;
  private readonly expiries: ExpiryBuckets;
  private readonly duplicates: DuplicateFinder | undefined;
  private readonly outcome: Int32Array;
  private readonly waiting: Float64Array;
  private readonly learnable = new Uint8Array(VALUE_TYPES);
  private dialect: Dialect | undefined = undefined;
  private createdAtMs = UNKNOWN;
  /** UNKNOWN: not told to the core. */
  private db = UNKNOWN;

  /** @param core whose pages the writer fills */
  constructor(
    core: KeyCore,
    writer: PageWriter,
    expiries: ExpiryBuckets,
    duplicates: DuplicateFinder | undefined,
  ) {
    this.core = core;
    this.writer = writer;
    this.expiries = expiries;
    this.duplicates = duplicates;
    const { exports, bytes } = core;
    this.outcome = new Int32Array(bytes.buffer, exports.outcomeAddress(), 6);
    this.waiting = new Float64Array(bytes.buffer, exports.expiriesAddress(), EXPIRIES * 2);
  }

  /** Keys are of this file from now on. */
  startFile(fileId: number, createdAtMs: number): void {
    this.core.exports.startRunFile(fileId);
    this.createdAtMs = createdAtMs;
    this.db = UNKNOWN;
  }

  /** Takes what it can; the fields above tell of it. */
  take(window: RecordWindow, db: number, dialect: Dialect): void {
    this.bytes = this.keys = this.keysWithExpiry = this.keysExpired = 0;
    const { core, writer, outcome } = this;
    if (window.buffer !== core.window) return;
    if (db !== this.db) this.startDatabase(db);
    if (dialect !== this.dialect) this.setTypes(dialect);
    const start = core.window.byteOffset;
    const { pos, end, offset } = window;
    for (;;) {
      core.exports.takeRun(start + pos + this.bytes, start + end, offset + this.bytes, writer.rows + 1);
      const keys = outcome[2]!;
      if (keys > 0) {
        const withExpiry = outcome[3]!;
        writer.rows += keys;
        this.bytes += outcome[1]!;
        this.keys += keys;
        this.keysWithExpiry += withExpiry;
        this.keysExpired += outcome[4]!;
        this.expiries.addPairs(this.waiting, withExpiry);
      }
      const reason = outcome[0]!;
      if ((reason & HASHES_FULL) !== 0) this.duplicates?.putDown(outcome[5]!);
      if ((reason & (EXPIRIES_FULL | HASHES_FULL)) === 0) return;
    }
  }

  /** Keeps what the memory model said of a key that came the ordinary way, if it holds for all of its shape. */
  learn(record: KeyRecord, memoryBytes: number, headBytes: number, kind: KeyKind, totalsCell: number): void {
    if (record.db !== this.db || this.learnable[record.typeCode] === 0) return;
    const isText = record.dataType === 'string';
    // The elements of a packed value were looked at if their lengths are known.
    if (!isText && (record.payloadBytes !== UNKNOWN || record.listNodes > 1)) return;
    this.core.exports.learnShape(
      record.typeCode,
      record.hasExpiry ? 1 : 0,
      record.keyLength,
      isText ? record.payloadBytes : record.blobBytes,
      record.elementCount,
      isText ? integerWidth(record) : 0,
      isText ? 1 : 0,
      memoryBytes,
      headBytes,
      kind.id,
      kind.typeIndex,
      totalsCell,
    );
  }

  private startDatabase(db: number): void {
    this.db = db;
    this.core.exports.startRunDatabase(
      db,
      db,
      this.createdAtMs,
      EARLIEST_EXPIRY_MS,
      this.expiries.latestMs,
      this.duplicates === undefined ? 0 : HASHED_ROWS,
      CONTENT_FROM_BYTES,
    );
  }

  private setTypes(dialect: Dialect): void {
    this.dialect = dialect;
    const types = valueTypeTable(dialect);
    for (let code = 0; code < VALUE_TYPES; code++) {
      const type = types[code];
      const form = type?.oneString === undefined ? 0 : formOf(type.oneString, type.dataType === 'hash');
      this.learnable[code] = form;
      this.core.exports.setRunType(code, form);
    }
  }
}

function formOf(value: OneString, isHash: boolean): number {
  if (value.holds === 'text') return FORM.text;
  let form: number = FORM[value.holds];
  if (value.pairs === true) form += FORM.pairs;
  if (isHash) form += FORM.hash;
  if (value.node !== undefined) form += FORM.node;
  if (value.node === 'contained') form += FORM.container;
  return form;
}

/** 0 for text that spells no integer, 1 for integers of up to 32 bits, 2 for others. */
function integerWidth(record: KeyRecord): number {
  if (record.integerClass === INTEGER_CLASS.none) return 0;
  return record.integerClass === INTEGER_CLASS.int64 ? 2 : 1;
}
