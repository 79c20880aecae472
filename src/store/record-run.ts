import type { MemoryModel } from '../memory/index.js';
import { CONTENT_FROM_BYTES, CONTENT_LOOK_BYTES, contentKindIndex } from '../rdb-parser/content.js';
import type { RecordWindow, TakenRecords } from '../rdb-parser/record-run.js';
import { type DataType, type Dialect, UNKNOWN } from '../rdb-parser/records.js';
import type { ValueLayout, ValueType } from '../rdb-parser/value-context.js';
import { valueTypeTable } from '../rdb-parser/value-types.js';
import { type DuplicateFinder, HASHED_ROWS } from './duplicates.js';
import { EARLIEST_EXPIRY_MS, type ExpiryBuckets } from './expiry-buckets.js';
import type { KeyCore } from './key-core.js';
import { KeyFigures, type UntoldKey } from './key-figures.js';
import type { KeyKinds } from './key-kinds.js';
import type { PageWriter } from './page-writer.js';
import type { PrefixMarks } from './prefix-marks.js';
import type { StreamGroups } from './stream-groups.js';
import type { Totals } from './totals.js';

// How a value is written; also in assembly/plain-record.ts and, for packed values, blob-head.ts.
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
  version: 256,
} as const;

// Why the core ended a run; also in assembly/record-run.ts. LEFT, which is 0: the next record is the decoder's.
const LEFT = 0;
const HASHES_FULL = 2;
const PAGE_FULL = 8;
const FIGURE_UNTOLD = 16;

// What it tells of a run, in this order.
const REASON = 0;
const BYTES = 1;
const KEYS = 2;
const KEYS_WITH_EXPIRY = 3;
const KEYS_EXPIRED = 4;
const FULL_PART = 5;
const LONG_STRINGS = 6;
const TABLE = 7;
const ELEMENTS = 8;
const TYPE_CODE = 9;
const KEY_BYTES = 10;
const HAS_EXPIRY = 11;
const VALUE_BYTES = 12;
const INTEGER_WIDTH = 13;
const GROUPS_END = 14;
const OUTCOME_NUMBERS = 15;

/** Long strings that it gathers. */
const CONTENTS = 256;
const CONTENT_ENTRY_BYTES = 64;

const VALUE_TYPES = 256;
const NO_LIMIT = 2 ** 31 - 1;

/** What a run counts in, besides what the core counts itself. */
export interface RunSums {
  readonly kinds: KeyKinds;
  readonly totals: Totals;
  readonly expiries: ExpiryBuckets;
  readonly marks: PrefixMarks;
  readonly duplicates: DuplicateFinder | undefined;
  readonly streamGroups: StreamGroups;
}

/**
 * Loads whole records out of the decoder's window without JavaScript, when what such a key takes follows from numbers
 * that stand at the beginning of its value, or from the lengths of its parts: a value that is one string by its type and
 * length and by the integer that it spells; a string that may share its key's block by the key's length, too; a plain
 * collection by its elements; a stream by its nodes, ids and groups. The model is asked once for each, or for the rule of
 * all; see KeyFigures.
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
  private readonly figures: KeyFigures;
  private readonly outcome: Int32Array;
  private readonly contents: Uint8Array;
  private readonly contentNumbers: Float64Array;
  private readonly contentNodes: Int32Array;
  private model: MemoryModel | undefined = undefined;
  private types: readonly (ValueType | undefined)[] = [];
  private dialect: Dialect | undefined = undefined;
  private createdAtMs = UNKNOWN;
  /** UNKNOWN: not told to the core. */
  private db = UNKNOWN;

  /** @param core whose pages the writer fills */
  constructor(core: KeyCore, writer: PageWriter, sums: RunSums) {
    this.core = core;
    this.writer = writer;
    this.sums = sums;
    this.figures = new KeyFigures(core, sums.kinds, sums.totals);
    const { exports, bytes } = core;
    const { buffer } = bytes;
    this.outcome = new Int32Array(buffer, exports.outcomeAddress(), OUTCOME_NUMBERS);
    const contents = exports.contentsAddress();
    this.contents = new Uint8Array(buffer, contents, CONTENTS * CONTENT_ENTRY_BYTES);
    this.contentNumbers = new Float64Array(buffer, contents, this.contents.length / 8);
    this.contentNodes = new Int32Array(buffer, contents, this.contents.length / 4);
  }

  /** Keys are of this file from now on. @param model says what they take; without one none is taken */
  startFile(fileId: number, createdAtMs: number, model: MemoryModel | undefined): void {
    const jointBelow = Math.min(model?.jointBelow ?? 0, NO_LIMIT);
    // A 32-bit server keeps larger integers as text.
    this.core.exports.startRunFile(fileId, jointBelow, model?.profile.wordBits === 64 ? 2 : 1);
    this.model = model;
    this.createdAtMs = createdAtMs;
    this.db = UNKNOWN;
    this.dialect = undefined;
    this.figures.startFile(model);
  }

  /** Takes what it can; the fields above tell of it. */
  take(window: RecordWindow, db: number, dialect: Dialect): void {
    this.bytes = this.keys = this.keysWithExpiry = this.keysExpired = 0;
    const { core, writer, outcome, model } = this;
    if (window.buffer !== core.window || model === undefined) return;
    if (db !== this.db) this.startDatabase(db);
    if (dialect !== this.dialect) this.setTypes(dialect, model);
    const start = core.window.byteOffset;
    const { pos, end, offset } = window;
    for (;;) {
      core.exports.takeRun(start + pos + this.bytes, start + end, offset + this.bytes, writer.rows + 1);
      if (outcome[KEYS]! > 0) this.countTaken();
      const reason = outcome[REASON]!;
      if (reason === LEFT) return;
      if ((reason & HASHES_FULL) !== 0) this.sums.duplicates?.putDown(outcome[FULL_PART]!);
      if ((reason & PAGE_FULL) !== 0) writer.turnPage();
      if ((reason & FIGURE_UNTOLD) !== 0) this.tellFigure(db);
    }
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
    // Only the first rows are looked at.
    sums.duplicates?.wants(this.writer.rows);
    const longStrings = outcome[LONG_STRINGS]!;
    for (let entry = 0; entry < longStrings; entry++) this.addContent(entry);
    sums.streamGroups.addFrom(this.core, outcome[GROUPS_END]!);
  }

  private tellFigure(db: number): void {
    const { outcome } = this;
    const key: UntoldKey = {
      table: outcome[TABLE]!,
      elements: outcome[ELEMENTS]!,
      typeCode: outcome[TYPE_CODE]!,
      keyBytes: outcome[KEY_BYTES]!,
      hasExpiry: outcome[HAS_EXPIRY] === 1,
      valueBytes: outcome[VALUE_BYTES]!,
      integerWidth: outcome[INTEGER_WIDTH]!,
    };
    this.figures.tell(key, this.types[key.typeCode]!, db);
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

  private setTypes(dialect: Dialect, model: MemoryModel): void {
    this.dialect = dialect;
    this.types = valueTypeTable(dialect);
    for (let code = 0; code < VALUE_TYPES; code++) {
      const type = this.types[code];
      const layout = type?.layout;
      if (type === undefined || layout === undefined) this.core.exports.setRunType(code, 0, 0);
      else this.core.exports.setRunType(code, formOf(layout, type.dataType), keptUpTo(type, layout, model));
    }
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
      return FORM.stream + layout.version * FORM.version;
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

function keptUpTo({ dataType }: ValueType, layout: ValueLayout, model: MemoryModel): number {
  const { holds } = layout;
  if (holds !== 'listpack' && holds !== 'ziplist' && holds !== 'intset') return 0;
  // Settings may be below what 32 bits hold, too.
  return Math.max(-1, Math.min(model.keptUpTo(dataType, holds), NO_LIMIT));
}
