import { CONTENT_FROM_BYTES } from './content.js';
import { FORM_32_BIT, LONGEST_SHORT } from './length.js';
import { OPCODE_AUX, OPCODE_EXPIRETIME_MS, OPCODE_FREQ, OPCODE_IDLE } from './opcodes.js';
import type { RecordRun, RecordWindow, TakenRecords } from './record-run.js';
import { FIRST_INTEGER, LAST_INTEGER } from './string.js';

/** Source: rdb.h RDB_TYPE_STRING (Redis 7.2). */
const TYPE_STRING = 0;
/** First byte of a compressed string. Source: rdb.h RDB_ENCVAL, RDB_ENC_LZF (Redis 7.2). */
const FORM_LZF = 0xc3;

/** More than an attribute, or a type byte or a string's head of the forms that are passed over, takes. */
const STEP_BYTES = 16;

/**
 * Passes over keys that hold strings, for who wants nothing of them but their number. Whatever the decoder would look at
 * or object to is left to it.
 */
export class StringSkim implements RecordRun {
  private readonly taken = { bytes: 0, keys: 0, keysWithExpiry: 0 };
  /** Where what was passed over last ends. */
  private behind = 0;
  /** The length read last. */
  private length = 0;

  take({ buffer, pos, end }: RecordWindow): TakenRecords {
    let at = pos;
    let done = pos;
    let keys = 0;
    let withExpiry = 0;
    let expires = 0;
    while (at + STEP_BYTES <= end) {
      const first = buffer[at]!;
      if (first === TYPE_STRING) {
        if (!this.passKey(buffer, at + 1, end) || !this.passValue(buffer, this.behind, end)) break;
        at = this.behind;
        // An AUX field may belong to the key before it.
        if (at >= end || buffer[at] === OPCODE_AUX) break;
        done = at;
        keys++;
        withExpiry += expires;
        expires = 0;
      } else if (first === OPCODE_EXPIRETIME_MS) {
        expires = 1;
        at += 9;
      } else if (first === OPCODE_FREQ) at += 2;
      else if (first === OPCODE_IDLE && this.passLength(buffer, at + 1)) at = this.behind;
      else break;
    }
    const { taken } = this;
    taken.bytes = done - pos;
    taken.keys = keys;
    taken.keysWithExpiry = withExpiry;
    return taken;
  }

  /** Keys are raw strings. */
  private passKey(buffer: Uint8Array, at: number, end: number): boolean {
    if (!this.passLength(buffer, at)) return false;
    this.behind += this.length;
    return this.behind + STEP_BYTES <= end;
  }

  private passValue(buffer: Uint8Array, at: number, end: number): boolean {
    const first = buffer[at]!;
    if (this.passLength(buffer, at)) this.behind += this.length;
    else if (first >= FIRST_INTEGER && first <= LAST_INTEGER) {
      this.behind = at + 1 + (1 << (first - FIRST_INTEGER));
    } else return first === FORM_LZF && this.passCompressed(buffer, at + 1, end);
    return this.behind <= end;
  }

  /** A compressed string so short that what it holds is not looked at. */
  private passCompressed(buffer: Uint8Array, at: number, end: number): boolean {
    if (!this.passLength(buffer, at)) return false;
    const stored = this.length;
    if (!this.passLength(buffer, this.behind)) return false;
    this.behind += stored;
    return this.length < CONTENT_FROM_BYTES && this.behind <= end;
  }

  /** A length of one or two bytes. */
  private passLength(buffer: Uint8Array, at: number): boolean {
    const first = buffer[at]!;
    if (first <= LONGEST_SHORT) {
      this.length = first;
      this.behind = at + 1;
      return true;
    }
    if (first >= FORM_32_BIT) return false;
    this.length = ((first & LONGEST_SHORT) << 8) | buffer[at + 1]!;
    this.behind = at + 2;
    return true;
  }
}
