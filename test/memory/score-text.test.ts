import { describe, expect, it } from 'vitest';
import { scoreIntegerClass, scoreTextLength } from '../../src/memory/score-text.js';
import { INTEGER_CLASS } from '../../src/rdb-parser/index.js';

/** As Redis 7.2 prints them (ZSCORE of a packed set) and as printf("%.17g") does. */
const TEXTS: readonly (readonly [score: number, shortest: string, seventeen: string])[] = [
  [1.5, '1.5', '1.5'],
  [-1.5, '-1.5', '-1.5'],
  [0.1, '0.1', '0.10000000000000001'],
  [0.001, '0.001', '0.001'],
  [0.00001, '0.00001', '1.0000000000000001e-05'],
  [1e-7, '1e-7', '9.9999999999999995e-08'],
  [1e22, '1e+22', '1e+22'],
  [1.25e30, '1.25e+30', '1.25e+30'],
  [1.7976931348623157e308, '1.7976931348623157e+308', '1.7976931348623157e+308'],
  [5e-324, '5e-324', '4.9406564584124654e-324'],
  [Number.POSITIVE_INFINITY, 'inf', 'inf'],
  [Number.NEGATIVE_INFINITY, '-inf', '-inf'],
  [Number.NaN, 'nan', 'nan'],
];

describe('a packed score', () => {
  it.each(TEXTS)('%d has the length of its text', (score, shortest, seventeen) => {
    expect(scoreTextLength(score, 'shortest')).toBe(shortest.length);
    expect(scoreTextLength(score, 'seventeen')).toBe(seventeen.length);
  });

  it('is an integer where the server stores one', () => {
    expect(scoreIntegerClass(12, 'shortest')).toBe(INTEGER_CLASS.to12);
    expect(scoreIntegerClass(-4096, 'shortest')).toBe(INTEGER_CLASS.int13);
    expect(scoreIntegerClass(1.5, 'shortest')).toBe(INTEGER_CLASS.none);
    expect(scoreIntegerClass(2 ** 62, 'shortest')).toBe(INTEGER_CLASS.int64);
    expect(scoreIntegerClass(2 ** 63, 'shortest')).toBe(INTEGER_CLASS.none);
    expect(scoreIntegerClass(1e16, 'ziplist')).toBe(INTEGER_CLASS.int64);
    expect(scoreIntegerClass(1e17, 'ziplist')).toBe(INTEGER_CLASS.none);
  });

  it('of minus zero is a text up to 6.2 and the integer 0 since', () => {
    expect(scoreIntegerClass(-0, 'ziplist')).toBe(INTEGER_CLASS.none);
    expect(scoreTextLength(-0, 'ziplist')).toBe(2);
    expect(scoreIntegerClass(-0, 'seventeen')).toBe(INTEGER_CLASS.to12);
    expect(scoreIntegerClass(-0, 'shortest')).toBe(INTEGER_CLASS.to12);
  });
});
