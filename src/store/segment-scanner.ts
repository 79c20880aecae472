import { StoreError } from './errors.js';
import {
  idEnd,
  idKind,
  isAlphanumeric,
  isDigit,
  isHexLetter,
  PLACEHOLDER,
  trailingIdStart,
} from './id-patterns.js';

/**
 * In a segment's canonical bytes this one is followed by a PLACEHOLDER. A byte of the key that equals it is doubled,
 * so the canonical bytes of different patterns never meet.
 */
export const MARK = 1;

/** Longest canonical segment; what comes after is dropped, and the segment marked as cut. */
export const SEGMENT_BYTES = 64;

const DIGIT = 1;
const HEX_LETTER = 2;
const OTHER_LETTER = 4;
const SEPARATOR = 8;
const GLUE = 16;
const HIGH = 32;
const NUL = 64;
const BRACE = 128;
const BOUNDARY = SEPARATOR | GLUE;

/**
 * Cuts a key into segments and replaces the ids in them, in one pass over the bytes and without allocating.
 *
 * A segment is words (letters, digits, bytes above 127) and what glues them. Words that are ids become marks: `{n}`
 * decimal digits; `{hex}` 8 or more hexadecimal digits, a digit and a letter among them; `{uuid}`; `{date}`
 * (2026-11-30, 20261130); `{ip}` (IPv4). So `sku-123` is `sku-{n}`, and a hash tag keeps its braces: `{1042}` is
 * `{{n}}`. UUIDs, dates and addresses stay whole even where `-` or `.` is a separator.
 */
export class SegmentScanner {
  /** The segment that `next` found, in canonical bytes: `buffer[segmentStart .. segmentStart + segmentLength)`. */
  buffer: Uint8Array = new Uint8Array(0);
  segmentStart = 0;
  segmentLength = 0;
  /** The separator before that segment, 0 for the key's first. */
  separator = 0;
  /** Canonical bytes up to and with the first glue (`tok_`), 0 without one. */
  stemLength = 0;
  /** Whether the segment just read was the key's last. */
  isLast = true;

  private readonly scratch = new Uint8Array(SEGMENT_BYTES + 2);
  private readonly classes: Uint8Array;
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private end = 0;
  private nextSeparator = 0;
  private seen = 0;

  /** @throws StoreError when a separator is a letter, a digit or no single byte. */
  constructor(separators: string) {
    this.classes = classTable(separators);
  }

  /** Begins a key, `bytes[start .. start + length)`; then call `next` until `isLast`. */
  start(bytes: Uint8Array, start: number, length: number): void {
    this.bytes = bytes;
    this.at = start;
    this.end = start + length;
    this.nextSeparator = 0;
    this.seen = 0;
  }

  /** Reads the next segment. */
  next(): void {
    const { bytes, classes, end } = this;
    const from = this.at;
    let at = from;
    let bits = 0;
    let boundary = 0;
    while (at < end) {
      const byteClass = classes[bytes[at]!]!;
      if ((byteClass & BOUNDARY) !== 0) {
        boundary = byteClass;
        break;
      }
      bits |= byteClass;
      at++;
    }
    // Most segments are one word without digits: no need to copy it.
    if ((bits & DIGIT) !== 0 || (boundary & GLUE) !== 0 || at - from > SEGMENT_BYTES) {
      this.readComposed(from, at, bits);
      return;
    }
    this.seen |= bits | boundary;
    this.separator = this.nextSeparator;
    this.buffer = bytes;
    this.segmentStart = from;
    this.segmentLength = at - from;
    this.stemLength = 0;
    this.isLast = at >= end;
    if (at < end) this.nextSeparator = bytes[at]!;
    this.at = at + 1;
  }

  /**
   * Reads a segment that may hold ids or glue, into `scratch`.
   * @param from where it starts
   * @param firstEnd where its first word ends, which is made of `firstBits`
   */
  private readComposed(from: number, firstEnd: number, firstBits: number): void {
    const { bytes, classes, scratch, end } = this;
    let wordStart = from;
    let at = firstEnd;
    let bits = firstBits;
    let out = 0;
    let stem = 0;
    let seen = this.seen;
    let last = true;
    let cut = false;
    this.separator = this.nextSeparator;
    for (;;) {
      seen |= bits;
      let literalEnd = at;
      let kind = 0;
      // A UUID's first eight digits may all be letters.
      if ((bits & DIGIT) !== 0 || (bits === HEX_LETTER && at - wordStart === 8)) {
        if ((bits & ~(DIGIT | HEX_LETTER)) === 0) {
          kind = idKind(bytes, wordStart, at, end, (bits & DIGIT) !== 0, (bits & HEX_LETTER) !== 0);
        }
        if (kind !== 0) {
          literalEnd = wordStart;
          at = idEnd(kind, bytes, wordStart, at, end);
        } else {
          literalEnd = trailingIdStart(bytes, wordStart, at);
          if (literalEnd < at) kind = PLACEHOLDER.n;
        }
      }
      if (!cut) {
        const room = wordStart + SEGMENT_BYTES - out;
        cut = literalEnd > room;
        const copyEnd = cut ? room : literalEnd;
        for (let i = wordStart; i < copyEnd; i++) scratch[out++] = bytes[i]!;
        if (kind !== 0 && !cut) {
          cut = out + 2 > SEGMENT_BYTES;
          if (!cut) {
            scratch[out++] = MARK;
            scratch[out++] = kind;
          }
        }
      }
      if (at >= end) break;
      const byte = bytes[at]!;
      const byteClass = classes[byte]!;
      if ((byteClass & BOUNDARY) !== 0) {
        seen |= byteClass;
        at++;
        if ((byteClass & SEPARATOR) !== 0) {
          this.nextSeparator = byte;
          last = false;
          break;
        }
        cut ||= out + 2 > SEGMENT_BYTES;
        if (!cut) {
          if (byte === MARK) scratch[out++] = MARK;
          scratch[out++] = byte;
          if (stem === 0) stem = out;
        }
      }
      wordStart = at;
      bits = 0;
      while (at < end) {
        const wordClass = classes[bytes[at]!]!;
        if ((wordClass & BOUNDARY) !== 0) break;
        bits |= wordClass;
        at++;
      }
    }
    if (cut) {
      scratch[out++] = MARK;
      scratch[out++] = PLACEHOLDER.cut;
    }
    this.at = at;
    this.buffer = scratch;
    this.segmentStart = 0;
    this.segmentLength = out;
    this.stemLength = stem;
    this.seen = seen;
    this.isLast = last;
  }

  /** Passes over what is left of the key, whatever it is. */
  skipRest(): void {
    const { bytes, classes, end } = this;
    let seen = this.seen;
    for (let at = this.at; at < end; at++) seen |= classes[bytes[at]!]!;
    this.seen = seen;
    this.at = end;
    this.isLast = true;
  }

  /** Whether the key, now passed over, had a byte above 127. */
  get hasHighBytes(): boolean {
    return (this.seen & HIGH) !== 0;
  }

  get hasNul(): boolean {
    return (this.seen & NUL) !== 0;
  }

  /** Whether an opening brace was there, without which there is no hash tag. */
  get hasBrace(): boolean {
    return (this.seen & BRACE) !== 0;
  }
}

/** Canonical bytes up to and with the first glue of a segment (`tok_` of `tok_{hex}`), 0 without glue. */
export function stemLength(segment: Uint8Array): number {
  for (let i = 0; i < segment.length; i++) {
    if (segment[i] === MARK) {
      if (segment[++i] === MARK) return i + 1;
    } else if (!isAlphanumeric(segment[i]!)) return i + 1;
  }
  return 0;
}

function classTable(separators: string): Uint8Array {
  const classes = new Uint8Array(256).fill(GLUE);
  for (let byte = 0; byte < 256; byte++) {
    if (byte >= 0x80) classes[byte] = OTHER_LETTER | HIGH;
    else if (isDigit(byte)) classes[byte] = DIGIT;
    else if (isHexLetter(byte)) classes[byte] = HEX_LETTER;
    else if (isAlphanumeric(byte)) classes[byte] = OTHER_LETTER;
  }
  for (const separator of separators) {
    const byte = separator.codePointAt(0) ?? 0;
    if (byte <= MARK || byte > 0x7f || isAlphanumeric(byte)) {
      throw new StoreError(
        'bad-option',
        `${JSON.stringify(separator)} cannot separate segments: use punctuation`,
        '',
      );
    }
    classes[byte] = SEPARATOR;
  }
  classes[0] = GLUE | NUL;
  classes[0x7b] = classes[0x7b]! | BRACE;
  return classes;
}
