/**
 * The printed form of bytes, defined once: valid UTF-8 stays readable; control characters, invalid bytes, the
 * backslash itself and characters that change how text is laid out (bidirectional marks, line separators, zero-width
 * and private characters) become `\xNN` per byte. Reversible: `parsePrintable(printableBytes(b))` equals `b`.
 */
export function printableBytes(bytes: Uint8Array): string {
  let text = '';
  let runStart = 0;
  let i = 0;
  while (i < bytes.length) {
    const length = safeCharacterLength(bytes, i);
    if (length > 0) {
      i += length;
      continue;
    }
    text += utf8.decode(bytes.subarray(runStart, i));
    text += `\\x${bytes[i]!.toString(16).padStart(2, '0')}`;
    i++;
    runStart = i;
  }
  return text + utf8.decode(bytes.subarray(runStart, i));
}

/** The printed form of text that came from UTF-8. */
export function printableText(text: string): string {
  return SAFE_ASCII.test(text) ? text : printableBytes(new TextEncoder().encode(text));
}

/** The bytes that a printed form stands for. Anything that is no `\xNN` is taken as UTF-8 text. */
export function parsePrintable(text: string): Uint8Array {
  const parts = text.split(/\\x([0-9a-fA-F]{2})/);
  const chunks = parts.map((part, i) =>
    i % 2 === 1 ? Uint8Array.of(Number.parseInt(part, 16)) : new TextEncoder().encode(part),
  );
  return new Uint8Array(Buffer.concat(chunks));
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const SAFE_ASCII = /^[\x20-\x5b\x5d-\x7e]*$/;

/** Characters that are valid but must not reach a terminal or a page as they are. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Bytes of the character at `i` when it is valid UTF-8 and safe to print, else 0. */
function safeCharacterLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i]!;
  if (first < 0x80) return first >= 0x20 && first !== 0x7f && first !== 0x5c ? 1 : 0;
  const length = utf8Length(bytes, i);
  if (length === 0) return 0;
  return UNSAFE.test(utf8.decode(bytes.subarray(i, i + length))) ? 0 : length;
}

/**
 * Length of the well-formed UTF-8 sequence at `i`, 0 when there is none (overlong, surrogate, above U+10FFFF, cut).
 * Source: Unicode 15, table 3-7.
 */
export function utf8Length(bytes: Uint8Array, i: number): number {
  const first = bytes[i]!;
  if (first < 0x80) return 1;
  const second = bytes[i + 1] ?? 0;
  if (first >= 0xc2 && first <= 0xdf) return isTail(second) ? 2 : 0;
  const third = bytes[i + 2] ?? 0;
  if (first >= 0xe0 && first <= 0xef) {
    const low = first === 0xe0 ? 0xa0 : 0x80;
    const high = first === 0xed ? 0x9f : 0xbf;
    return second >= low && second <= high && isTail(third) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const low = first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high && isTail(third) && isTail(bytes[i + 3] ?? 0) ? 4 : 0;
  }
  return 0;
}

function isTail(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
