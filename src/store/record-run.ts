import type { ValueCosts } from '../memory/index.js';
import { CONTENT_FROM_BYTES, CONTENT_LOOK_BYTES, contentKindIndex } from '../rdb-parser/content.js';
import type { RecordWindow, TakenRecords } from '../rdb-parser/record-run.js';
import {
  type DataType,
  type Dialect,
  INTEGER_CLASS,
  type KeyRecord,
  UNKNOWN,
} from '../rdb-parser/records.js';
import type { ValueLayout, ValueType } from '../rdb-parser/value-context.js';
import { valueTypeTable } from '../rdb-parser/value-types.js';
import { CostTables } from './cost-tables.js';
import { type DuplicateFinder, HASHED_ROWS } from './duplicates.js';
import { EARLIEST_EXPIRY_MS, type ExpiryBuckets } from './expiry-buckets.js';
import type { KeyCore } from './key-core.js';
import type { KeyKind } from './key-kinds.js';
import type { PageWriter } from './page-writer.js';
import type { PrefixMarks } from './prefix-marks.js';

// How a value is written; also in assembly/plain-record.ts.
const FORM = {
  text: 1,
  listpack: 2,
  ziplist: 3,
  intset: 4,
  elements: 5,
  stream: 6,
  pairs: 8,
  hash: 16,
  node: 32,
  container: 64,
  scored: 128,
  moreNumbers: 256,
} as const;

// Why the core ended a run; also in assembly/record-run.ts. LEFT, which is 0: the next record is the decoder's.
const LEFT = 0;
const HASHES_FULL = 2;
const PAGE_FULL = 8;
const TABLE_UNTOLD = 16;

// What it tells of a run, in this order.
const REASON = 0;
const BYTES = 1;
const KEYS = 2;
const KEYS_WITH_EXPIRY = 3;
const KEYS_EXPIRED = 4;
const FULL_PART = 5;
const LONG_STRINGS = 6;
const TABLE = 7;
const TABLE_COUNT = 8;
const OUTCOME_NUMBERS = 9;

/** Expiries that the core gathers, a pair of numbers each. */
const EXPIRIES = 1024;
/** Long strings that it gathers. */
const CONTENTS = 256;
const CONTENT_ENTRY_BYTES = 64;

const VALUE_TYPES = 256;
const NO_LIMIT = 2 ** 31 - 1;

/** What is counted of a run besides what the core counts itself. */
export interface RunSums {
  readonly expiries: ExpiryBuckets;
  readonly marks: PrefixMarks;
  readonly duplicates: DuplicateFinder | undefined;
}

/**
 * Loads whole records out of the decoder's window without JavaScript, when the figure of such a key is known already.
 *
 * A value that is one string, and a stream of one node, costs by its type and length and by the integer that it spells;
 * a string that may share its key's block by the key's length, too. Such answers are learned from the keys that come the
 * ordinary way. What a key costs beside its value, and plain collections, the model was asked before: see CostTables.
 */
export class StoredRun implements TakenRecords {
  bytes = 0;
  keys = 0;
  keysWithExpiry = 0;
  /** Of the keys taken last: those past their time when the snapshot was taken. */
  keysExpired = 0;

  private readonly core: KeyCore;
  private readonly writer: PageWriter;
  private readonly sums: RunSums;
  private readonly tables: CostTables;
  private readonly outcome: Int32Array;
  private readonly waiting: Float64Array;
  private readonly contents: Uint8Array;
  private readonly contentNumbers: Float64Array;
  private readonly contentNodes: Int32Array;
  private readonly layouts: (ValueLayout | undefined)[] = new Array(VALUE_TYPES).fill(undefined);
  private costs: ValueCosts | undefined = undefined;
  private dialect: Dialect | undefined = undefined;
  private createdAtMs = UNKNOWN;
  /** UNKNOWN: not told to the core. */
  private db = UNKNOWN;

  /** @param core whose pages the writer fills */
  constructor(core: KeyCore, writer: PageWriter, sums: RunSums) {
    this.core = core;
    this.writer = writer;
    this.sums = sums;
    this.tables = new CostTables(core);
    const { exports, bytes } = core;
    const { buffer } = bytes;
    this.outcome = new Int32Array(buffer, exports.outcomeAddress(), OUTCOME_NUMBERS);
    this.waiting = new Float64Array(buffer, exports.expiriesAddress(), EXPIRIES * 2);
    const contents = exports.contentsAddress();
    this.contents = new Uint8Array(buffer, contents, CONTENTS * CONTENT_ENTRY_BYTES);
    this.contentNumbers = new Float64Array(buffer, contents, this.contents.length / 8);
    this.contentNodes = new Int32Array(buffer, contents, this.contents.length / 4);
  }

  /** Keys are of this file from now on. @param costs of the model whose figures are to be learned */
  startFile(fileId: number, createdAtMs: number, costs: ValueCosts | undefined): void {
    this.core.exports.startRunFile(fileId, Math.min(costs?.jointBelow ?? 0, NO_LIMIT));
    this.costs = costs;
    this.createdAtMs = createdAtMs;
    this.db = UNKNOWN;
    this.dialect = undefined;
    this.tables.startFile(costs);
  }

  /** Takes what it can; the fields above tell of it. */
  take(window: RecordWindow, db: number, dialect: Dialect): void {
    this.bytes = this.keys = this.keysWithExpiry = this.keysExpired = 0;
    const { core, writer, outcome, costs } = this;
    if (window.buffer !== core.window || costs === undefined) return;
    if (db !== this.db) this.startDatabase(db);
    if (dialect !== this.dialect) this.setTypes(dialect, costs);
    const start = core.window.byteOffset;
    const { pos, end, offset } = window;
    for (;;) {
      core.exports.takeRun(start + pos + this.bytes, start + end, offset + this.bytes, writer.rows + 1);
      if (outcome[KEYS]! > 0) this.countTaken();
      const reason = outcome[REASON]!;
      if (reason === LEFT) return;
      if ((reason & HASHES_FULL) !== 0) this.sums.duplicates?.putDown(outcome[FULL_PART]!);
      if ((reason & PAGE_FULL) !== 0) writer.turnPage();
      if ((reason & TABLE_UNTOLD) !== 0) this.tables.tell(outcome[TABLE]!, outcome[TABLE_COUNT]!);
    }
  }

  /** Keeps what the memory model said of a key that came the ordinary way, if it holds for all that are alike. */
  learn(record: KeyRecord, memoryBytes: number, headBytes: number, kind: KeyKind, totalsCell: number): void {
    const layout = this.layouts[record.typeCode];
    if (record.db !== this.db || layout === undefined) return;
    const size = sizeOf(record, layout);
    if (size !== UNKNOWN) {
      const isText = layout.holds === 'text';
      this.core.exports.learnShape(
        record.typeCode,
        record.hasExpiry ? 1 : 0,
        record.keyLength,
        size,
        isText ? integerWidth(record) : 0,
        isText ? 1 : 0,
        memoryBytes,
        headBytes,
        kind.id,
        kind.typeIndex,
        totalsCell,
      );
    } else this.tables.learn(layout.holds, kind, totalsCell);
  }

  /** Counts what the core took, wherever it does not do that itself. */
  private countTaken(): void {
    const { outcome, sums } = this;
    const keys = outcome[KEYS]!;
    const withExpiry = outcome[KEYS_WITH_EXPIRY]!;
    this.writer.rows += keys;
    this.bytes += outcome[BYTES]!;
    this.keys += keys;
    this.keysWithExpiry += withExpiry;
    this.keysExpired += outcome[KEYS_EXPIRED]!;
    sums.expiries.addPairs(this.waiting, withExpiry);
    const longStrings = outcome[LONG_STRINGS]!;
    for (let entry = 0; entry < longStrings; entry++) this.addContent(entry);
  }

  private addContent(entry: number): void {
    const { contents, contentNumbers } = this;
    const at = entry * CONTENT_ENTRY_BYTES;
    const numbers = at / 8 + CONTENT_LOOK_BYTES / 8;
    this.sums.marks.addContent(
      contentKindIndex(contents, at, CONTENT_LOOK_BYTES),
      this.contentNodes[(numbers + 4) * 2]!,
      contentNumbers[numbers]!,
      contentNumbers[numbers + 1]!,
      contentNumbers[numbers + 2]!,
      contentNumbers[numbers + 3]!,
    );
  }

  private startDatabase(db: number): void {
    this.db = db;
    this.core.exports.startRunDatabase(
      db,
      db,
      this.createdAtMs,
      EARLIEST_EXPIRY_MS,
      this.sums.expiries.latestMs,
      this.sums.duplicates === undefined ? 0 : HASHED_ROWS,
      CONTENT_FROM_BYTES,
    );
  }

  private setTypes(dialect: Dialect, costs: ValueCosts): void {
    this.dialect = dialect;
    const types = valueTypeTable(dialect);
    for (let code = 0; code < VALUE_TYPES; code++) {
      const type = types[code];
      const layout = type?.layout;
      this.layouts[code] = layout;
      if (type === undefined || layout === undefined) this.core.exports.setRunType(code, 0, 0);
      else this.core.exports.setRunType(code, formOf(layout, type.dataType), keptUpTo(type, layout, costs));
    }
  }
}

/** Length of the string by which such a value costs; UNKNOWN where its elements mattered. */
function sizeOf(record: KeyRecord, layout: ValueLayout): number {
  switch (layout.holds) {
    case 'text':
      return record.payloadBytes;
    case 'members':
    case 'scored':
    case 'pairs':
      return UNKNOWN;
    case 'stream': {
      const { nodes, groups, listpackBytes } = record.stream;
      return nodes === 1 && groups === 0 ? listpackBytes : UNKNOWN;
    }
    default:
      // The elements of a packed value were looked at if their lengths are known.
      return record.payloadBytes === UNKNOWN && record.listNodes <= 1 ? record.blobBytes : UNKNOWN;
  }
}

function formOf(layout: ValueLayout, dataType: DataType): number {
  switch (layout.holds) {
    case 'text':
      return FORM.text;
    case 'members':
      return FORM.elements;
    case 'scored':
      return FORM.elements + FORM.scored;
    case 'pairs':
      return FORM.elements + FORM.pairs + FORM.hash;
    case 'stream':
      return FORM.stream + (layout.version > 1 ? FORM.moreNumbers : 0);
    default: {
      let form: number = FORM[layout.holds];
      if (layout.pairs === true) form += FORM.pairs;
      if (dataType === 'hash') form += FORM.hash;
      if (layout.node !== undefined) form += FORM.node;
      if (layout.node === 'contained') form += FORM.container;
      return form;
    }
  }
}

function keptUpTo({ dataType }: ValueType, layout: ValueLayout, costs: ValueCosts): number {
  const { holds } = layout;
  if (holds !== 'listpack' && holds !== 'ziplist' && holds !== 'intset') return 0;
  return Math.min(costs.keptUpTo(dataType, holds), NO_LIMIT);
}

/** 0 for text that spells no integer, 1 for integers of up to 32 bits, 2 for others. */
function integerWidth(record: KeyRecord): number {
  if (record.integerClass === INTEGER_CLASS.none) return 0;
  return record.integerClass === INTEGER_CLASS.int64 ? 2 : 1;
}
