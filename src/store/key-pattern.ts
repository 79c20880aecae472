import { printableBytes } from '../rdb-parser/printable.js';

/**
 * In a segment's canonical bytes this one is followed by the kind of an id. A byte of the key that equals it is
 * doubled, so the canonical bytes of different patterns never meet.
 */
export const MARK = 1;

/**
 * What an id was replaced by. `shortDate` is `20261130`: shown as a date, but it may turn out to be one number among
 * many. `rest`: anything (a node whose children were folded); `cut`: more bytes followed. Also in assembly/ids.ts. Kinds
 * from 16 on are those of a user's rules, see pattern-rules.ts.
 */
export const PLACEHOLDER = { n: 2, uuid: 3, hex: 4, date: 5, shortDate: 6, ip: 7, rest: 8, cut: 9 } as const;

/** What a user's rule may call a segment and mean one of ours. */
export const PLACEHOLDER_KINDS: Readonly<Record<string, number>> = {
  n: PLACEHOLDER.n,
  uuid: PLACEHOLDER.uuid,
  hex: PLACEHOLDER.hex,
  date: PLACEHOLDER.date,
  ip: PLACEHOLDER.ip,
};

/** How placeholders are written, and which text of a key reads like one: its brace is escaped. */
export interface PatternNames {
  readonly byKind: ReadonlyMap<number, string>;
  readonly likeOne: RegExp;
}

/** The canonical bytes of `{*}`. */
export const REST_SEGMENT: Readonly<Uint8Array> = Uint8Array.of(MARK, PLACEHOLDER.rest);

const NAMES: ReadonlyMap<number, string> = new Map([
  [PLACEHOLDER.n, '{n}'],
  [PLACEHOLDER.uuid, '{uuid}'],
  [PLACEHOLDER.hex, '{hex}'],
  [PLACEHOLDER.date, '{date}'],
  [PLACEHOLDER.shortDate, '{date}'],
  [PLACEHOLDER.ip, '{ip}'],
  [PLACEHOLDER.rest, '{*}'],
  [PLACEHOLDER.cut, '…'],
]);

/** Our placeholders and those of a user's rules. @param own by kind, without braces */
export function patternNames(own: ReadonlyMap<number, string>): PatternNames {
  return {
    byKind: new Map([...NAMES, ...[...own].map(([kind, name]) => [kind, `{${name}}`] as const)]),
    likeOne: new RegExp(`\\{(?=(?:${placeholderNames([...own.values()])})\\})`, 'g'),
  };
}

/** All placeholders in a pattern's text. @param own names of a user's rules, without braces */
export function placeholderText(own: readonly string[]): RegExp {
  return new RegExp(`\\{(?:${placeholderNames(own)})\\}`, 'g');
}

/** What may stand between a placeholder's braces, as alternatives of an expression. @param own names of a user's rules */
export function placeholderNames(own: readonly string[]): string {
  return ['n', 'uuid', 'hex', 'date', 'ip', '\\*', 'empty', ...own].join('|');
}

/** The names where there are no rules. */
export const OUR_NAMES: PatternNames = patternNames(new Map());

/** A segment's canonical bytes as people read them: printable, ids as `{n}`, `{uuid}` and so on. */
function segmentText(segment: Uint8Array, names: PatternNames = OUR_NAMES): string {
  let text = '';
  let runStart = 0;
  for (let i = 0; i < segment.length; i++) {
    if (segment[i] !== MARK) continue;
    const kind = segment[i + 1]!;
    text += literalText(segment.subarray(runStart, kind === MARK ? i + 1 : i), names);
    text += names.byKind.get(kind) ?? '';
    runStart = i + 2;
    i++;
  }
  return text + literalText(segment.subarray(runStart), names);
}

/**
 * A pattern's text from that of the pattern above it. An empty first segment is `{empty}`, so that no pattern but the
 * root's is an empty text.
 * @param separator the byte between them, 0 for a first segment
 */
export function joinedPattern(
  above: string,
  separator: number,
  segment: Uint8Array,
  names: PatternNames = OUR_NAMES,
): string {
  if (separator !== 0) return `${above}${String.fromCharCode(separator)}${segmentText(segment, names)}`;
  return segment.length === 0 ? '{empty}' : segmentText(segment, names);
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

function literalText(bytes: Uint8Array, { likeOne }: PatternNames): string {
  return printableBytes(bytes).replace(likeOne, '\\x7b');
}
