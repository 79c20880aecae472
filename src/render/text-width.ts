import stringWidth from 'string-width';

/** Columns of a terminal that the text takes; wide characters take two. The table library measures the same way. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

const ASCII = /^[\x20-\x7e]*$/;
const ELLIPSIS = '…';

/** The text in at most `width` columns; when it is longer, its middle makes way for an ellipsis. */
export function cutMiddle(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  if (width <= 1) return width === 1 ? ELLIPSIS : '';
  const [first, last] = outerCharacters(text, width);
  const tailWidth = Math.floor((width - 1) / 2);
  let tail = '';
  for (let i = last.length - 1; i >= 0 && textWidth(last[i]! + tail) <= tailWidth; i--) {
    tail = last[i]! + tail;
  }
  let head = '';
  const headWidth = width - 1 - textWidth(tail);
  for (const character of first) {
    if (textWidth(head + character) > headWidth) break;
    head += character;
  }
  return head + ELLIPSIS + tail;
}

/**
 * The characters that a text begins and ends with, as many as `width` columns may need. Only the ends of a long text
 * are taken apart: a segment holds its whole input, so one for each letter of a long key would fill the memory.
 */
function outerCharacters(text: string, width: number): [first: string[], last: string[]] {
  const units = width * UNITS_PER_COLUMN;
  if (text.length <= 2 * units) {
    const all = charactersOf(text);
    return [all, all];
  }
  // The character at a cut may be half of one.
  return [charactersOf(text.slice(0, units)).slice(0, -1), charactersOf(text.slice(-units)).slice(1)];
}

function charactersOf(text: string): string[] {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(graphemes.segment(text), (grapheme) => grapheme.segment);
}

/** UTF-16 units for a column: room for emoji that are joined of several. */
const UNITS_PER_COLUMN = 16;

/** Made when it is needed: its tables take a while to load. */
let graphemes: Intl.Segmenter | undefined;

/** Lines of at most `width` columns, broken at spaces; a longer word stands alone on its line, cut in the middle. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = cutMiddle(word, width);
  }
  return line === '' ? lines : [...lines, line];
}

/** A bar of `width` columns, `ratio` of it full. */
export function bar(ratio: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, ratio)) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}
