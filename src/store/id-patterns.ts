/**
 * What an id was replaced by, as written in a segment's canonical bytes. `shortDate` is `20261130`: shown as a date,
 * but it may turn out to be one number among many. `rest`: anything (a node whose children were folded); `cut`: more
 * bytes followed.
 */
export const PLACEHOLDER = { n: 2, uuid: 3, hex: 4, date: 5, shortDate: 6, ip: 7, rest: 8, cut: 9 } as const;

/** Shortest run of hexadecimal digits that is taken for an id. */
const HEX_ID_DIGITS = 8;
/** Shortest run of digits at the end of a word that is taken for an id: `v2`, `db0`, `sha256` are names. */
const TRAILING_ID_DIGITS = 4;
const UUID_BYTES = 36;
const DATE_BYTES = 10;

const DASH = 0x2d;
const DOT = 0x2e;

/**
 * The kind of id that starts at `from`, where a word of nothing but hexadecimal digits ends at `to`; 0 for none.
 * @param hasDigit, hasLetter what the word is made of
 * @param end where the key ends; UUIDs, dates and addresses reach beyond the word, see `idEnd`
 */
export function idKind(
  bytes: Uint8Array,
  from: number,
  to: number,
  end: number,
  hasDigit: boolean,
  hasLetter: boolean,
): number {
  const length = to - from;
  const next = to < end ? bytes[to]! : 0;
  if (length === 8 && next === DASH && isUuid(bytes, from, end)) return PLACEHOLDER.uuid;
  if (hasLetter) return hasDigit && length >= HEX_ID_DIGITS ? PLACEHOLDER.hex : 0;
  if (length === 4 && next === DASH && isDate(bytes, from, end)) return PLACEHOLDER.date;
  if (length <= 3 && next === DOT && addressEnd(bytes, from, end) > 0) return PLACEHOLDER.ip;
  if (
    length === 8 &&
    isPlausibleDay(digits(bytes, from, 4), digits(bytes, from + 4, 2), digits(bytes, from + 6, 2))
  ) {
    return PLACEHOLDER.shortDate;
  }
  return PLACEHOLDER.n;
}

/** Where an id of that kind ends that starts at `from`, in a word that ends at `to`. */
export function idEnd(kind: number, bytes: Uint8Array, from: number, to: number, end: number): number {
  if (kind === PLACEHOLDER.uuid) return from + UUID_BYTES;
  if (kind === PLACEHOLDER.date) return from + DATE_BYTES;
  return kind === PLACEHOLDER.ip ? addressEnd(bytes, from, end) : to;
}

/** Where the digits begin that end a word (`order20417`) when they are an id, else `to`. */
export function trailingIdStart(bytes: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && isDigit(bytes[at - 1]!)) at--;
  return to - at >= TRAILING_ID_DIGITS ? at : to;
}

/** 8-4-4-4-12 hexadecimal digits, with no further letter or digit behind them. */
function isUuid(bytes: Uint8Array, from: number, end: number): boolean {
  const to = from + UUID_BYTES;
  if (to > end || (to < end && isAlphanumeric(bytes[to]!))) return false;
  if (bytes[from + 8] !== DASH || bytes[from + 13] !== DASH) return false;
  if (bytes[from + 18] !== DASH || bytes[from + 23] !== DASH) return false;
  // A table and no branch per byte: digits and letters alternate at random, which branch prediction can't follow.
  let hexDigits = 0;
  for (let at = from + 9; at < to; at++) hexDigits += HEX_DIGIT[bytes[at]!]!;
  return hexDigits === UUID_BYTES - 9 - 3;
}

const HEX_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => Number(isDigit(byte) || isHexLetter(byte)));

/** `2026-11-30`. */
function isDate(bytes: Uint8Array, from: number, end: number): boolean {
  const to = from + DATE_BYTES;
  if (to > end || (to < end && isDigit(bytes[to]!)) || bytes[from + 7] !== DASH) return false;
  const month = digits(bytes, from + 5, 2);
  const day = digits(bytes, from + 8, 2);
  return isPlausibleDay(digits(bytes, from, 4), month, day);
}

function isPlausibleDay(year: number, month: number, day: number): boolean {
  return year >= 1970 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Where a dotted IPv4 address that starts at `from` ends, 0 when there is none. */
function addressEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && (at >= end || bytes[at++] !== DOT)) return 0;
    const start = at;
    let value = 0;
    while (at < end && at - start < 4 && isDigit(bytes[at]!)) value = value * 10 + bytes[at++]! - 0x30;
    if (at === start || at - start > 3 || value > 255) return 0;
  }
  // `1.2.3.4.5` and `1.2.3.4x` are something else.
  if (at < end && isAlphanumeric(bytes[at]!)) return 0;
  return at + 1 < end && bytes[at] === DOT && isDigit(bytes[at + 1]!) ? 0 : at;
}

/** The number that `count` bytes spell, NaN when one is no digit. */
function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    if (!isDigit(bytes[i]!)) return Number.NaN;
    value = value * 10 + bytes[i]! - 0x30;
  }
  return value;
}

export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

export function isHexLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66;
}

/** Letters, digits, and bytes above 127, which are taken for letters. */
export function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x7a) || byte >= 0x80;
}
