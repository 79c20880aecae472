import type { ByteReader } from './byte-reader.js';
import type { ValueChecks } from './checks/value-checks.js';
import { ElementTotals } from './element-totals.js';
import { HashTemplates } from './hash-templates.js';
import { decimalLength, integerClassOf, integerClassOfText } from './integer-class.js';
import type { MutableKeyRecord } from './key-record.js';
import { LONGEST_SHORT } from './length.js';
import { PackedCursor } from './packed/cursor.js';
import { announcedElements, HEADER_BYTES } from './packed/header.js';
import {
  type DataType,
  type Dialect,
  type ElementVisitor,
  INTEGER_CLASS,
  type IntegerClass,
  type Packing,
  type ProblemCode,
  type ValueMeter,
} from './records.js';
import { type LengthCounter, ShortLengths } from './short-lengths.js';
import {
  FIRST_INTEGER,
  LAST_INTEGER,
  newStringHead,
  readIntegerAt,
  readStringHead,
  StringBytes,
  type StringHead,
  StringPeek,
  skipAndClassify,
  skipString,
} from './string.js';

/**
 * How a value is laid out, for who takes whole records (see RecordRun). It is one string: text or a blob, whose elements
 * may come in `pairs`; a list's only `node` has a count of nodes before it, and a `contained` one what holds it. Or a
 * count, then strings: members, members with binary scores, fields with values. Or a stream as of that version, see
 * values/stream.ts.
 */
export type ValueLayout =
  | { readonly holds: 'text' }
  | {
      readonly holds: 'ziplist' | 'listpack' | 'intset';
      readonly pairs?: true;
      readonly node?: 'bare' | 'contained';
    }
  | { readonly holds: 'members' | 'scored' | 'pairs' }
  | { readonly holds: 'stream'; readonly version: 1 | 2 | 3 };

/** One way the file format writes a value. */
export interface ValueType {
  readonly code: number;
  /** As in the server's rdb.h, without RDB_TYPE_. */
  readonly name: string;
  readonly dataType: DataType;
  readonly dialects: readonly Dialect[];
  /** Which servers write it, for the table of formats. */
  readonly writers: string;
  /** Of the types that are common. */
  readonly layout?: ValueLayout;
  /** Reads the value at `context.reader` into `context.record`. */
  readonly decode: (context: ValueContext) => void;
}

const LONGEST_INTEGER_RECORD = 5;

/** What a value's decoder works with: one object for the whole snapshot, nothing of it is allocated per key. */
export class ValueContext {
  meter: ValueMeter;
  visitor: ElementVisitor | undefined;
  /** Walk packed blobs for their longest element. */
  deep: boolean;
  /** Looks into every value for what is wrong with it; is the meter too then. */
  checks: ValueChecks | undefined = undefined;
  /** Of the element read last by `element` or `elementKept`. */
  integer: IntegerClass = INTEGER_CLASS.none;
  readonly reader: ByteReader;
  readonly record: MutableKeyRecord;
  readonly head = newStringHead();
  readonly peek = new StringPeek();
  readonly cursor: PackedCursor;
  readonly text: StringBytes;
  readonly secondText: StringBytes;
  /** Of the short text read last by `readText`. */
  readonly expiryText: StringBytes;
  readonly totals = new ElementTotals();
  readonly lengths: ShortLengths;
  readonly pairLengths: ShortLengths;
  readonly templates = new HashTemplates();
  readonly problem: (
    code: ProblemCode,
    severity: 'info' | 'warning' | 'error',
    text: string,
    offset?: number,
  ) => void;

  constructor(parts: {
    readonly reader: ByteReader;
    readonly record: MutableKeyRecord;
    readonly meter: ValueMeter;
    readonly visitor: ElementVisitor | undefined;
    readonly deep: boolean;
    readonly lengthCounter: LengthCounter | undefined;
    readonly problem: ValueContext['problem'];
  }) {
    this.reader = parts.reader;
    this.record = parts.record;
    this.meter = parts.meter;
    this.visitor = parts.visitor;
    this.deep = parts.deep;
    this.problem = parts.problem;
    this.lengths = new ShortLengths(false, parts.lengthCounter);
    this.pairLengths = new ShortLengths(true, parts.lengthCounter);
    this.cursor = new PackedCursor(parts.reader);
    this.text = new StringBytes(parts.reader);
    this.secondText = new StringBytes(parts.reader);
    this.expiryText = new StringBytes(parts.reader);
  }

  /** Passes over one plain element; returns its length and leaves its integer class, if the meter wants it. */
  element(): number {
    const { reader } = this;
    const { classify } = this.meter;
    if (classify && this.checks !== undefined) return this.checks.element();
    const at = reader.pos;
    if (at < reader.end) {
      // nearly all elements are short raw strings that lie in the window whole
      const first = reader.buffer[at]!;
      if (first <= LONGEST_SHORT && at + 1 + first <= reader.end) {
        this.integer = classify ? integerClassOfText(reader.buffer, at + 1, first) : INTEGER_CLASS.none;
        reader.pos = at + 1 + first;
        return first;
      }
      // and most of the others small integers
      if (first >= FIRST_INTEGER && first <= LAST_INTEGER && at + LONGEST_INTEGER_RECORD <= reader.end) {
        const value = readIntegerAt(reader.buffer, at + 1, first - FIRST_INTEGER);
        reader.pos = at + 1 + (1 << (first - FIRST_INTEGER));
        this.integer = classify ? integerClassOf(value) : INTEGER_CLASS.none;
        return decimalLength(value);
      }
    }
    if (!classify) {
      this.integer = INTEGER_CLASS.none;
      return skipString(reader);
    }
    readStringHead(reader, this.head);
    this.integer = skipAndClassify(reader, this.head);
    return this.head.length;
  }

  /** The same, keeping the element's text in `into` for a visitor. */
  elementKept(into: StringBytes, visitor: ElementVisitor): number {
    readStringHead(this.reader, this.head);
    into.read(this.reader, this.head, visitor.keepBytes);
    const isWhole = into.kept === into.length;
    this.integer =
      this.meter.classify && isWhole ? integerClassOfText(into.bytes, 0, into.kept) : INTEGER_CLASS.none;
    return into.length;
  }

  /** Reads a string that is text by its meaning, a number say, into `expiryText`. */
  readText(head: StringHead): void {
    readStringHead(this.reader, head);
    this.expiryText.read(this.reader, head, 64);
  }

  /**
   * Reads up to the first stored byte of a packed blob; returns the elements that it announces, UNKNOWN when its header
   * does not tell. Then either `cursor.open(packing, head)` or `skipBlob`.
   */
  openBlob(packing: Packing): number {
    readStringHead(this.reader, this.head);
    this.peek.look(this.reader, this.head, HEADER_BYTES[packing]);
    return announcedElements(packing, this.peek, this.head.length, this.reader.offset);
  }

  /** Passes over the blob whose head was read last. */
  skipBlob(): void {
    this.reader.skip(this.head.stored);
  }
}
