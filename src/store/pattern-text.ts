import { printableBytes } from '../rdb-parser/printable.js';
import { PLACEHOLDER } from './id-patterns.js';
import { MARK, type SegmentScanner } from './segment-scanner.js';

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
 * A node's text from its parent's. An empty first segment is `{empty}`, so that no pattern is an empty text.
 * @param separator the byte between them, 0 below the root
 */
export function joinedPattern(parentText: string, separator: number, segment: Uint8Array): string {
  if (separator !== 0) return `${parentText}${String.fromCharCode(separator)}${segmentText(segment)}`;
  return segment.length === 0 ? '{empty}' : segmentText(segment);
}

/**
 * The pattern of a key's first segments, as the prefix tree writes it where it folds nothing.
 * @param depth how many segments; 0 for all
 */
export function keyPattern(scanner: SegmentScanner, key: Uint8Array, depth: number): string {
  let text = '';
  scanner.start(key, 0, key.length);
  for (let segments = 1; ; segments++) {
    scanner.next();
    const { buffer, segmentStart: start, segmentLength } = scanner;
    text = joinedPattern(text, scanner.separator, buffer.subarray(start, start + segmentLength));
    if (scanner.isLast || segments === depth) return text;
  }
}

function literalText(bytes: Uint8Array): string {
  return printableBytes(bytes).replace(LIKE_PLACEHOLDER, '\\x7b');
}
