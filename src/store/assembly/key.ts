// The key at hand: its bytes, and bit masks over the first 64 of them that say what each byte is.

import { reserve } from './memory';

/** Longest key that is copied here: the decoder keeps no more of one. */
export const KEY_BYTES: i32 = 1 << 24;

// Bits of a byte's class. Letters and digits are known without the table; it tells separators.
export const SEPARATOR: u32 = 1;
export const NUL: u32 = 2;
export const BRACE: u32 = 4;
const HIGH: u32 = 8;
export const DIGIT: u32 = 16;
export const HEX_LETTER: u32 = 32;
export const OTHER_LETTER: u32 = 64;
const WORD: u32 = DIGIT | HEX_LETTER | OTHER_LETTER;

const CLASSES = memory.data(256);

/** Address of the key's bytes; 64 bytes behind its end can be read. */
export let key: usize = 0;
export let length: i32 = 0;
/** Where keys are copied to that do not stand in this memory. */
export let copied: usize = 0;

let words: u64 = 0;
let digits: u64 = 0;
let hexLetters: u64 = 0;
/** Classes of all bytes of the key, joined. */
let seen: u32 = 0;

export function initKey(): void {
  copied = reserve(KEY_BYTES + 64);
  for (let byte: u32 = 0; byte < 256; byte++) {
    const lower = byte | 0x20;
    let byteClass: u32 = 0;
    if (byte >= 0x80) byteClass = OTHER_LETTER | HIGH;
    else if (byte - 0x30 < 10) byteClass = DIGIT;
    else if (lower - 0x61 < 6) byteClass = HEX_LETTER;
    else if (lower - 0x61 < 26) byteClass = OTHER_LETTER;
    else if (byte === 0) byteClass = NUL;
    else if (byte === 0x7b) byteClass = BRACE;
    store<u8>(CLASSES + byte, byteClass);
  }
}

/** Makes a byte that is no letter and no digit a separator. */
export function addSeparator(byte: u32): void {
  store<u8>(CLASSES + byte, load<u8>(CLASSES + byte) | SEPARATOR);
}

@inline
export function classOf(at: i32): u32 {
  return load<u8>(CLASSES + load<u8>(key + at));
}

/** Looks at the key that stands at an address. */
export function startKey(address: usize, keyLength: i32): void {
  key = address;
  length = keyLength;
  words = 0;
  digits = 0;
  hexLetters = 0;
  let high: u64 = 0;
  let nul: u64 = 0;
  let brace: u64 = 0;
  const masked = min(keyLength, 64);
  for (let at = 0; at < masked; at += 16) {
    const bytes = v128.load(key + at);
    const lower = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
    const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10));
    const isLetter = i8x16.lt_u(lower, i8x16.splat(26));
    const isHexLetter = i8x16.lt_u(lower, i8x16.splat(6));
    const word = v128.or(v128.or(isDigit, isLetter), bytes); // the top bit alone is looked at
    words |= (<u64>(<u32>i8x16.bitmask(word))) << at;
    digits |= (<u64>(<u32>i8x16.bitmask(isDigit))) << at;
    hexLetters |= (<u64>(<u32>i8x16.bitmask(isHexLetter))) << at;
    high |= (<u64>(<u32>i8x16.bitmask(bytes))) << at;
    nul |= (<u64>(<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0))))) << at;
    brace |= (<u64>(<u32>i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x7b))))) << at;
  }
  if (keyLength < 64) {
    const valid = ((<u64>1) << keyLength) - 1;
    words &= valid;
    digits &= valid;
    hexLetters &= valid;
    high &= valid;
    nul &= valid;
    brace &= valid;
  }
  seen = (high !== 0 ? HIGH : 0) | (nul !== 0 ? NUL : 0) | (brace !== 0 ? BRACE : 0);
  for (let at = 64; at < keyLength; at++) seen |= classOf(at);
}

@inline
export function hasHigh(): bool {
  return (seen & HIGH) !== 0;
}

@inline
export function hasNul(): bool {
  return (seen & NUL) !== 0;
}

@inline
export function hasBrace(): bool {
  return (seen & BRACE) !== 0;
}

/** Where the word ends that starts at `from`; `from` when there is none. */
@inline
export function wordEnd(from: i32): i32 {
  if (from < 64) {
    const rest = ~words >> from;
    if (rest !== 0) return from + <i32>ctz(rest);
    return longWordEnd(64);
  }
  return longWordEnd(from);
}

function longWordEnd(from: i32): i32 {
  let at = from;
  while (at < length && (classOf(at) & WORD) !== 0) at++;
  return min(at, length);
}

/** What a word is made of: DIGIT, HEX_LETTER, OTHER_LETTER. */
@inline
export function wordClasses(from: i32, to: i32): u32 {
  if (to > 64 || from === to) return longWordClasses(from, to);
  const mask = (~(<u64>0) >> (64 - (to - from))) << from;
  const others = mask & ~digits & ~hexLetters;
  return (
    ((digits & mask) !== 0 ? DIGIT : 0) |
    ((hexLetters & mask) !== 0 ? HEX_LETTER : 0) |
    (others !== 0 ? OTHER_LETTER : 0)
  );
}

function longWordClasses(from: i32, to: i32): u32 {
  let classes: u32 = 0;
  for (let at = from; at < to; at++) classes |= classOf(at);
  return classes & WORD;
}

/** Bytes of the key, checked against its end; -1 behind it. */
@inline
export function byteAt(at: i32): i32 {
  return at < length ? <i32>load<u8>(key + at) : -1;
}

@inline
export function isDigitAt(at: i32): bool {
  return at < length && <u32>load<u8>(key + at) - 0x30 < 10;
}

@inline
export function isWordAt(at: i32): bool {
  return at < length && (classOf(at) & WORD) !== 0;
}
