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

/** The faults of a key's name as a bit mask, bit i for NAME_FAULTS[i]; 0 for a clean name. */
export function nameFaultMask(key: Uint8Array): number {
  const length = key.length;
  if (length === 0) return EMPTY;
  let mask = 0;
  let open = -1;
  let badBraces = false;
  let braces = 0;
  for (let at = 0; at < length; at++) {
    const byte = key[at]!;
    if (byte >= 0x80) {
      mask |= NOT_ASCII;
      continue;
    }
    mask |= FAULT_OF_BYTE[byte]!;
    if (byte === OPEN_BRACE) {
      if (open >= 0 || braces > 0) badBraces = true;
      open = at;
    } else if (byte === CLOSE_BRACE) {
      if (open < 0 || at === open + 1) badBraces = true;
      open = -1;
      braces++;
    }
  }
  if (badBraces || open >= 0) mask |= BRACKET;
  if ((mask & NOT_ASCII) !== 0 && !isUtf8(key)) mask = (mask & ~NOT_ASCII) | NOT_UTF8;
  const first = key[0] === OPEN_BRACE && length > 1 ? key[1]! : key[0]!;
  if (!isLetter(first)) mask |= FIRST_CHARACTER;
  return mask;
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

/** By ASCII byte. */
const FAULT_OF_BYTE = Uint16Array.from({ length: 128 }, (_, byte) => {
  if (byte < 0x20 || byte === 0x7f) return bitOf('control');
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9|_.:{}]/.test(character)) return 0;
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
