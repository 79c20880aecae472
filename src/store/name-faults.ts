import { utf8Length } from '../rdb-parser/printable.js';

/**
 * What a key's name may have that naming rules speak of, as `name_faults(key)` tells it: names in this order, parted by
 * blanks. `dash` is a matter of taste, the others are trouble of one kind or another.
 */
export const NAME_FAULTS = [
  'empty',
  'first-character', // no letter; a hash tag's brace is passed over
  'control', // 0x00 - 0x1f, 0x7f
  'space',
  'quote', // ' " `
  'backslash',
  'glob', // * ? [ ]
  'bracket', // ( ) and braces that are no single hash tag
  'symbol', // other ASCII but letters, digits, | _ . : -
  'dash',
  'not-ascii', // valid UTF-8 beyond ASCII
  'not-utf8',
] as const;
export type NameFault = (typeof NAME_FAULTS)[number];

/**
 * The faults of a key's name as a bit mask, bit i for NAME_FAULTS[i]; 0 for a clean name.
 * @param key bytes; or text, which is looked at as it is: most names are, and turning it into bytes takes longer
 */
export function nameFaultMask(key: Uint8Array | string): number {
  if (key.length === 0) return EMPTY;
  let mask = typeof key === 'string' ? maskOfText(key) : maskOfBytes(key);
  if ((mask & BRACE) !== 0) mask = (mask & ~BRACE) | (isOneTag(key) ? 0 : BRACKET);
  if ((mask & NOT_ASCII) !== 0 && typeof key !== 'string' && !isUtf8(key)) {
    mask = (mask & ~NOT_ASCII) | NOT_UTF8;
  }
  const first = byteAt(key, byteAt(key, 0) === OPEN_BRACE && key.length > 1 ? 1 : 0);
  return isLetter(first) ? mask : mask | FIRST_CHARACTER;
}

function maskOfText(key: string): number {
  let mask = 0;
  for (let at = 0; at < key.length; at++) {
    const unit = key.charCodeAt(at);
    mask |= unit < 0x80 ? FAULT_OF_BYTE[unit]! : NOT_ASCII;
  }
  return mask;
}

function maskOfBytes(key: Uint8Array): number {
  let mask = 0;
  for (let at = 0; at < key.length; at++) mask |= FAULT_OF_BYTE[key[at]!]!;
  return mask;
}

/** Whether the braces of a name are those of a single hash tag that holds something. */
function isOneTag(key: Uint8Array | string): boolean {
  let open = -1;
  let tags = 0;
  for (let at = 0; at < key.length; at++) {
    const byte = byteAt(key, at);
    if (byte === OPEN_BRACE) {
      if (open >= 0 || tags > 0) return false;
      open = at;
    } else if (byte === CLOSE_BRACE) {
      if (open < 0 || at === open + 1) return false;
      open = -1;
      tags++;
    }
  }
  return open < 0;
}

/** A byte; of text a UTF-16 unit, which is above ASCII where a byte would be. */
function byteAt(key: Uint8Array | string, at: number): number {
  return typeof key === 'string' ? key.charCodeAt(at) : key[at]!;
}

/** The same as text, `null` for a clean name. Texts are kept: there are few different ones. */
export function nameFaultText(mask: number): string | null {
  if (mask === 0) return null;
  let text = TEXTS.get(mask);
  if (text === undefined) {
    text = NAME_FAULTS.filter((_, bit) => (mask & (1 << bit)) !== 0).join(' ');
    TEXTS.set(mask, text);
  }
  return text;
}

const TEXTS = new Map<number, string>();

function bitOf(fault: NameFault): number {
  return 1 << NAME_FAULTS.indexOf(fault);
}

const EMPTY = bitOf('empty');
const FIRST_CHARACTER = bitOf('first-character');
const BRACKET = bitOf('bracket');
const NOT_ASCII = bitOf('not-ascii');
const NOT_UTF8 = bitOf('not-utf8');

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** No fault yet: there is a brace. */
const BRACE = 1 << NAME_FAULTS.length;

const FAULT_OF_BYTE = Uint16Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return NOT_ASCII;
  if (byte < 0x20 || byte === 0x7f) return bitOf('control');
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9|_.:]/.test(character)) return 0;
  if (/[{}]/.test(character)) return BRACE;
  if (character === ' ') return bitOf('space');
  if (character === '-') return bitOf('dash');
  if (character === '\\') return bitOf('backslash');
  if (/['"`]/.test(character)) return bitOf('quote');
  if (/[*?[\]]/.test(character)) return bitOf('glob');
  return bitOf(/[()]/.test(character) ? 'bracket' : 'symbol');
});

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isUtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) {
    const length = utf8Length(bytes, at);
    if (length === 0 || at + length > bytes.length) return false;
    at += length;
  }
  return true;
}
