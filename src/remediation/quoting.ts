/**
 * An argument as a line of redis-cli takes it: any bytes survive. Source: sds.c, `sdssplitargs` (Redis 2.8 - 8.8): inside
 * double quotes `\xNN`, `\\` and `\"`. Nothing that a shell's single quotes would end or a line break would is left.
 */
export function redisQuoted(bytes: Uint8Array): string {
  let text = '"';
  for (const byte of bytes) {
    if (byte === QUOTE || byte === BACKSLASH) text += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x7f || byte === APOSTROPHE)
      text += `\\x${byte.toString(16).padStart(2, '0')}`;
    else text += String.fromCharCode(byte);
  }
  return `${text}"`;
}

/** A whole command; words of letters, digits and a few signs stay as they are. */
export function redisLine(words: readonly (string | number | Uint8Array)[]): string {
  return words
    .map((word) => {
      if (typeof word !== 'string' && typeof word !== 'number') return redisQuoted(word);
      const text = String(word);
      return /^[\w.:-]+$/.test(text) ? text : redisQuoted(Buffer.from(text));
    })
    .join(' ');
}

/** Text for a comment or a message: one line, ASCII only. */
export function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (character) =>
    [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;
