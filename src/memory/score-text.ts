import { integerClassOf } from '../rdb-parser/integer-class.js';
import { INTEGER_CLASS, type IntegerClass } from '../rdb-parser/records.js';

/**
 * How a sorted set's score lies in a packed blob: as an integer, else as decimal text.
 * `ziplist`: printed with up to 17 digits, an integer where that text is one (up to Redis 6.2).
 * `seventeen`: integral scores as integers, others with up to 17 digits (7.0).
 * `shortest`: integral scores as integers, others with as few digits as tell them apart (7.2, Valkey).
 */
export type ScoreText = 'ziplist' | 'seventeen' | 'shortest';

/** Class of the integer that a score is stored as, 0 when it is stored as text. */
export function scoreIntegerClass(score: number, text: ScoreText): IntegerClass {
  if (!Number.isInteger(score)) return INTEGER_CLASS.none;
  if (text === 'ziplist' && (Math.abs(score) >= 1e17 || Object.is(score, -0))) return INTEGER_CLASS.none;
  // Source: util.c, `double2ll` (Redis 7.0): beyond half of a 64-bit integer's range the text is stored
  if (text !== 'ziplist' && Math.abs(score) > 2 ** 62) return INTEGER_CLASS.none;
  return integerClassOf(score);
}

/** Characters of the text that a score is stored as when it is no integer. Allocates: meant for packed sets only. */
export function scoreTextLength(score: number, text: ScoreText): number {
  if (Number.isNaN(score)) return 3;
  if (!Number.isFinite(score)) return score > 0 ? 3 : 4;
  return text === 'shortest' ? shortestLength(score) : seventeenLength(score);
}

/** The decimal digits of a number and the power of ten of the first one. */
interface Decimal {
  readonly digits: number;
  readonly exponent: number;
}

function decimal(exponential: string): Decimal {
  const [mantissa, exponent] = exponential.split('e') as [string, string];
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '').length || 1;
  return { digits, exponent: Number(exponent) };
}

/** Source: fpconv_dtoa.c, `emit_digits` (Redis 7.0 deps): which of plain, fractional, scientific, and how long. */
function shortestLength(score: number): number {
  const { digits, exponent } = decimal(Math.abs(score).toExponential());
  const sign = score < 0 || Object.is(score, -0) ? 1 : 0;
  const lastPlace = exponent - digits + 1;
  const size = Math.abs(exponent);
  if (lastPlace >= 0 && size < digits + 7) return sign + digits + lastPlace;
  if (lastPlace < 0 && (lastPlace > -7 || size < 4)) {
    return exponent < 0 ? sign + digits + 2 + (size - 1) : sign + digits + 1;
  }
  const kept = Math.min(digits, 18 - sign);
  return sign + (kept > 1 ? kept + 1 : 1) + 2 + (size > 99 ? 3 : size > 9 ? 2 : 1);
}

/** C's `%.17g`. */
function seventeenLength(score: number): number {
  const { digits, exponent } = decimal(Math.abs(score).toExponential(16));
  const sign = score < 0 || Object.is(score, -0) ? 1 : 0;
  if (exponent < -4 || exponent >= 17) {
    return sign + (digits > 1 ? digits + 1 : 1) + 2 + (Math.abs(exponent) > 99 ? 3 : 2);
  }
  if (exponent < 0) return sign + 1 - exponent + digits;
  return sign + (digits > exponent + 1 ? digits + 1 : exponent + 1);
}
