import { type ByteReader, MAX_CONTIGUOUS } from './byte-reader.js';
import { RdbError } from './errors.js';
import { decimalLength, integerClassOf, integerClassOfText } from './integer-class.js';
import { readLength, readLengthOrSpecial } from './length.js';
import { inflateLzfPrefix, LzfSource, lzfPrefixInput } from './lzf.js';
import { INTEGER_CLASS, type IntegerClass } from './records.js';

/*
 * STR: raw bytes with a length, an integer, or LZF. Every string of a snapshot is one: keys, elements, whole blobs.
 * Source: rdb.c rdbGenericLoadStringObject, rdb.h RDB_ENC_INT8 .. RDB_ENC_LZF (Redis 7.4).
 */

const SPECIAL_LZF = 3;

/** First bytes of integers of one and of four bytes, in length form. Source: rdb.h RDB_ENCVAL, RDB_ENC_INT8, RDB_ENC_INT32 (Redis 7.2). */
export const FIRST_INTEGER = 0xc0;
export const LAST_INTEGER = 0xc2;

/** @param sizeLog2 0, 1 or 2: of a signed little-endian integer of one, two or four bytes */
export function readIntegerAt(buffer: Uint8Array, at: number, sizeLog2: number): number {
  if (sizeLog2 === 0) return (buffer[at]! << 24) >> 24;
  const low = buffer[at]! | (buffer[at + 1]! << 8);
  return sizeLog2 === 1 ? (low << 16) >> 16 : low | (buffer[at + 2]! << 16) | (buffer[at + 3]! << 24);
}

/** Text that may be an integer is at most this long; longer strings need no look. Source: object.c tryObjectEncoding. */
const LONGEST_INTEGER_TEXT = 20;

export type StringForm = 'raw' | 'integer' | 'lzf';

/** What stands before a string's bytes. Reused by `readStringHead`. */
export interface StringHead {
  form: StringForm;
  /** Length of the logical string, in bytes. */
  length: number;
  /** Bytes in the file that are still to come. */
  stored: number;
  /** The number, for `integer`. */
  integer: number;
}

export function newStringHead(): StringHead {
  return { form: 'raw', length: 0, stored: 0, integer: 0 };
}

/** Reads up to the string's first stored byte. An integer is read whole. */
export function readStringHead(reader: ByteReader, head: StringHead): void {
  const length = readLengthOrSpecial(reader);
  if (length >= 0) {
    head.form = 'raw';
    head.length = length;
    head.stored = length;
    return;
  }
  const special = -1 - length;
  if (special === SPECIAL_LZF) {
    head.form = 'lzf';
    head.stored = readLength(reader);
    head.length = readLength(reader);
    return;
  }
  head.integer = readInteger(reader, special);
  head.form = 'integer';
  head.length = decimalLength(head.integer);
  head.stored = 0;
}

/** Passes over a whole string and returns its logical length. */
export function skipString(reader: ByteReader): number {
  const length = readLengthOrSpecial(reader);
  if (length >= 0) {
    reader.skip(length);
    return length;
  }
  if (-1 - length === SPECIAL_LZF) {
    const stored = readLength(reader);
    const inflated = readLength(reader);
    reader.skip(stored);
    return inflated;
  }
  return decimalLength(readInteger(reader, -1 - length));
}

/** The class of the integer that the string at hand spells; passes over the string. */
export function skipAndClassify(reader: ByteReader, head: StringHead): IntegerClass {
  if (head.form === 'integer') return integerClassOf(head.integer);
  let integer: IntegerClass = INTEGER_CLASS.none;
  if (head.form === 'raw' && head.length <= LONGEST_INTEGER_TEXT) {
    reader.ensure(head.length);
    integer = integerClassOfText(reader.buffer, reader.pos, head.length);
  }
  reader.skip(head.stored);
  return integer;
}

/**
 * Bytes of a string in a buffer that is reused: `bytes[at .. at + kept)` holds its first bytes, all of them unless it
 * is longer than the cap given. Grows as bytes arrive, never by what a length says.
 */
export class StringBytes {
  bytes = new Uint8Array(256);
  kept = 0;
  /** Length of the whole string. */
  length = 0;
  private readonly lzf: LzfSource;

  /** @param reader where compressed strings come from: the snapshot's own */
  constructor(reader: ByteReader) {
    this.lzf = new LzfSource(reader);
  }

  /** Reads the string whose head is at hand, keeping at most `cap` bytes of it. */
  read(reader: ByteReader, head: StringHead, cap: number): void {
    if (head.form === 'integer') this.setText(String(head.integer));
    else if (head.form === 'raw') this.readRaw(reader, head.length, cap);
    else this.readLzf(head, cap);
  }

  /** Reads `length` plain bytes, keeping at most `cap`. */
  readRaw(reader: ByteReader, length: number, cap: number): void {
    this.length = length;
    this.kept = 0;
    let left = Math.min(length, cap);
    while (left > 0) {
      const piece = Math.min(left, MAX_CONTIGUOUS);
      reader.ensure(piece);
      this.append(reader.buffer.subarray(reader.pos, reader.pos + piece));
      reader.pos += piece;
      left -= piece;
    }
    reader.skip(length - this.kept);
  }

  /** Takes text that is not in the file as such: an integer's digits. @param text at most 256 characters of ASCII */
  setText(text: string): void {
    for (let i = 0; i < text.length; i++) this.bytes[i] = text.charCodeAt(i);
    this.length = this.kept = text.length;
  }

  /** The kept bytes as a copy of their own. */
  copy(): Uint8Array {
    return this.bytes.slice(0, this.kept);
  }

  /** The kept bytes as text, invalid UTF-8 replaced. */
  text(): string {
    return new TextDecoder().decode(this.bytes.subarray(0, this.kept));
  }

  private readLzf(head: StringHead, cap: number): void {
    this.length = head.length;
    this.kept = 0;
    this.lzf.open(head.stored, head.length);
    const piece = new Uint8Array(2 ** 12);
    while (this.kept < Math.min(cap, head.length)) {
      const count = this.lzf.read(piece, 0);
      if (count === 0) break;
      this.append(piece.subarray(0, Math.min(count, cap - this.kept)));
    }
    this.lzf.close();
  }

  private append(piece: Uint8Array): void {
    if (this.kept + piece.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.kept + piece.length));
      grown.set(this.bytes.subarray(0, this.kept));
      this.bytes = grown;
    }
    this.bytes.set(piece, this.kept);
    this.kept += piece.length;
  }
}

/**
 * The first bytes of the string at hand without passing over it, for a blob's header: they are `bytes[at ..
 * at + count)`. A compressed one is inflated only as far as needed.
 */
export class StringPeek {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  count = 0;
  private readonly scratch = new Uint8Array(64);

  /** @param wanted at most 16 */
  look(reader: ByteReader, head: StringHead, wanted: number): void {
    if (head.form === 'integer') {
      throw new RdbError('bad-blob', 'an integer stands where a packed blob is expected', {
        offset: reader.offset,
      });
    }
    const input = Math.min(head.stored, head.form === 'raw' ? wanted : lzfPrefixInput(wanted));
    reader.ensure(input);
    if (head.form === 'raw') {
      this.bytes = reader.buffer;
      this.at = reader.pos;
      this.count = input;
      return;
    }
    this.bytes = this.scratch;
    this.at = 0;
    this.count = inflateLzfPrefix(
      reader.buffer,
      reader.pos,
      reader.pos + input,
      this.scratch,
      Math.min(wanted, head.length),
      reader.offset,
    );
  }
}

function readInteger(reader: ByteReader, special: number): number {
  switch (special) {
    case 0:
      return (reader.u8() << 24) >> 24;
    case 1:
      return (reader.u16le() << 16) >> 16;
    case 2:
      return reader.u32le() | 0;
    default:
      throw new RdbError('bad-string-encoding', `string encoding ${special} does not exist`, {
        offset: reader.offset - 1,
      });
  }
}
