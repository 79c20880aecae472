/**
 * Whether a packed score's text is a number; `nan` is none. Only a filter for what is certainly wrong: the text of
 * a number has digits, signs, a point and an exponent, or is an infinity. Source: util.c d2string, string2d (Redis 7.2).
 */
export function spellsNumber(bytes: Uint8Array, at: number, length: number): boolean {
  let digits = 0;
  let onlyNumeric = length > 0;
  for (let i = at; i < at + length; i++) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) digits++;
    else if (byte !== POINT && byte !== MINUS && byte !== PLUS && byte !== LOWER_E && byte !== UPPER_E) {
      onlyNumeric = false;
      break;
    }
  }
  if (onlyNumeric) return digits > 0;
  return /^[-+]?inf(inity)?$/i.test(
    Buffer.from(bytes.subarray(at, at + Math.min(length, 16))).toString('latin1'),
  );
}

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const MINUS = 0x2d;
const PLUS = 0x2b;
const LOWER_E = 0x65;
const UPPER_E = 0x45;
