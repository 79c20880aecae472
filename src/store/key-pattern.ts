import { printableBytes } from '../rdb-parser/printable.js';

/**
 * In a segment's canonical bytes this one is followed by the kind of an id. A byte of the key that equals it is
 * doubled, so the canonical bytes of different patterns never meet.
 */
export const MARK = 1;

/**
 * What an id was replaced by. `shortDate` is `20261130`: shown as a date, but it may turn out to be one number among
 * many. `rest`: anything (a node whose children were folded); `cut`: more bytes followed. Also in assembly/ids.ts.
 */
export const PLACEHOLDER = { n: 2, uuid: 3, hex: 4, date: 5, shortDate: 6, ip: 7, rest: 8, cut: 9 } as const;

/** The canonical bytes of `{*}`. */
export const REST_SEGMENT: Readonly<Uint8Array> = Uint8Array.of(MARK, PLACEHOLDER.rest);

const NAMES: Readonly<Record<number, string>> = {
  [PLACEHOLDER.n]: '{n}',
  [PLACEHOLDER.uuid]: '{uuid}',
  [PLACEHOLDER.hex]: '{hex}',
  [PLACEHOLDER.date]: '{date}',
  [PLACEHOLDER.shortDate]: '{date}',
  [PLACEHOLDER.ip]: '{ip}',
  [PLACEHOLDER.rest]: '{*}',
  [PLACEHOLDER.cut]: '…',
};

/** Text of a key that reads like a placeholder; its brace is escaped. */
const LIKE_PLACEHOLDER = /\{(?=(?:n|uuid|hex|date|ip|\*|empty)\})/g;

/** A segment's canonical bytes as people read them: printable, ids as `{n}`, `{uuid}` and so on. */
export function segmentText(segment: Uint8Array): string {
  let text = '';
  let runStart = 0;
  for (let i = 0; i < segment.length; i++) {
    if (segment[i] !== MARK) continue;
    const kind = segment[i + 1]!;
    text += literalText(segment.subarray(runStart, kind === MARK ? i + 1 : i)) + (NAMES[kind] ?? '');
    runStart = i + 2;
    i++;
  }
  return text + literalText(segment.subarray(runStart));
}

/**
 * A pattern's text from that of the pattern above it. An empty first segment is `{empty}`, so that no pattern but the
 * root's is an empty text.
 * @param separator the byte between them, 0 for a first segment
 */
export function joinedPattern(above: string, separator: number, segment: Uint8Array): string {
  if (separator !== 0) return `${above}${String.fromCharCode(separator)}${segmentText(segment)}`;
  return segment.length === 0 ? '{empty}' : segmentText(segment);
}

/** Canonical bytes up to and with the first glue behind a word (`tok_` of `tok_{hex}`), 0 without one. */
export function stemLength(segment: Uint8Array): number {
  let hasWord = false;
  for (let i = 0; i < segment.length; i++) {
    const isId = segment[i] === MARK && segment[i + 1] !== MARK;
    const isGlue = !isId && !isAlphanumeric(segment[i]!);
    if (segment[i] === MARK) i++;
    if (isGlue && hasWord) return i + 1;
    if (!isGlue) hasWord = true;
  }
  return 0;
}

/** Letters, digits, and bytes above 127, which are taken for letters. */
export function isAlphanumeric(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a) || byte >= 0x80;
}

function literalText(bytes: Uint8Array): string {
  return printableBytes(bytes).replace(LIKE_PLACEHOLDER, '\\x7b');
}
