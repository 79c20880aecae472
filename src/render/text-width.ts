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
  const characters = [...GRAPHEMES.segment(text)].map((grapheme) => grapheme.segment);
  const tailWidth = Math.floor((width - 1) / 2);
  let tail = '';
  for (let i = characters.length - 1; i >= 0 && textWidth(characters[i]! + tail) <= tailWidth; i--) {
    tail = characters[i]! + tail;
  }
  let head = '';
  const headWidth = width - 1 - textWidth(tail);
  for (const character of characters) {
    if (textWidth(head + character) > headWidth) break;
    head += character;
  }
  return head + ELLIPSIS + tail;
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

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
