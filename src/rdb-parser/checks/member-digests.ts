import type { ByteReader } from '../byte-reader.js';
import { integerClassOfText } from '../integer-class.js';
import { INTEGER_CLASS } from '../records.js';
import { readStringHead, type StringHead } from '../string.js';
import { Digest } from './digest.js';
import { DigestSet } from './digest-set.js';
import type { ElementWalk } from './element-walk.js';
import type { WholeBlob } from './whole-blob.js';

/** Members of one collection that are compared at a time; of larger ones a part is (2 MiB of digests). */
const MOST_PLACES = 2 ** 18;
/** Longer text is no integer. Source: object.c tryObjectEncoding (Redis 7.2). */
const LONGEST_INTEGER_TEXT = 20;
/** Up to so many characters an integer's text is exact as a double. */
const EXACT_INTEGER_TEXT = 15;
/** Digests of integers and of text never meet. */
const TEXT = 1;
const INTEGER = 2;

/** Finds members or fields that come twice in one collection, by 64-bit digests of their text. */
export class MemberDigests {
  private readonly seen = new DigestSet(MOST_PLACES);
  private readonly digest = new Digest();

  /** Another collection starts. @param expected how many members it announces; a hint */
  begin(expected: number): void {
    this.seen.clear(expected);
  }

  /** The element at hand in a packed blob; true when it was there already. */
  repeatsPacked(walk: ElementWalk, bytes: Uint8Array): boolean {
    if (!walk.isInteger) return this.repeatsText(bytes, walk.textAt, walk.textLength);
    const { value } = walk;
    if (Math.abs(value) < 10 ** EXACT_INTEGER_TEXT) return this.repeatsInteger(value);
    const exact = (BigInt(walk.high) << 32n) | BigInt(walk.low >>> 0);
    const text = Buffer.from(String(exact));
    return this.repeatsText(text, 0, text.length);
  }

  /** Passes over a plain string; true when it was there already. Its length is left in `head`. */
  repeatsPlain(reader: ByteReader, head: StringHead, blob: WholeBlob): boolean {
    readStringHead(reader, head);
    if (head.form === 'integer') return this.repeatsInteger(head.integer);
    if (blob.take(reader, head)) return this.repeatsText(blob.bytes, blob.at, blob.length);
    reader.skip(head.stored); // too long to be looked at
    return false;
  }

  private repeatsText(bytes: Uint8Array, at: number, length: number): boolean {
    if (length <= LONGEST_INTEGER_TEXT && length > 0 && bytes[at]! <= NINE) {
      const integer = integerClassOfText(bytes, at, length);
      if (integer !== INTEGER_CLASS.none && length <= EXACT_INTEGER_TEXT) {
        return this.repeatsInteger(parseInteger(bytes, at, length));
      }
    }
    this.digest.start(TEXT);
    this.digest.addWord(length);
    this.digest.add(bytes, at, length);
    return this.put();
  }

  /** @param value less than 10^15 in size */
  private repeatsInteger(value: number): boolean {
    this.digest.start(INTEGER);
    this.digest.addWord(value | 0);
    this.digest.addWord(Math.floor(value / 2 ** 32));
    return this.put();
  }

  private put(): boolean {
    this.digest.finish();
    return this.seen.add(this.digest.high, this.digest.low);
  }
}

const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

function parseInteger(bytes: Uint8Array, at: number, length: number): number {
  const negative = bytes[at] === MINUS;
  let value = 0;
  for (let i = negative ? at + 1 : at; i < at + length; i++) value = value * 10 + (bytes[i]! - ZERO);
  return negative ? -value : value;
}
