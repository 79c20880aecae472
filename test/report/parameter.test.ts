import { describe, expect, it } from 'vitest';
import type { ParameterKind } from '../../src/report/definition.js';
import { NO_LIMIT, parseParameter } from '../../src/report/parameter.js';

const parse = (kind: ParameterKind, text: string, choices: string[] = []) =>
  parseParameter({ name: 'p', kind, choices }, text);

describe('a parameter', () => {
  it.each([
    ['limit', '20', 20n],
    ['limit', '0', NO_LIMIT],
    ['count', '5000', 5000n],
    ['bytes', '10KB', 10_000n],
    ['bytes', '64 KiB', 65_536n],
    ['bytes', '1.5 GB', 1_500_000_000n],
    ['bytes', '7', 7n],
    ['seconds', '15min', 900n],
    ['seconds', '30d', 2_592_000n],
    ['duration_ms', '500ms', 500n],
    ['duration_ms', '2h', 7_200_000n],
    ['ratio', '2%', 0.02],
    ['ratio', '0.5', 0.5],
    ['number', '-1.5', -1.5],
    ['text', ' as it is ', ' as it is '],
  ] as const)('of kind %s takes %j', (kind, text, value) => {
    expect(parse(kind, text)).toBe(value);
  });

  it('that is a choice takes one of its words', () => {
    expect(parse('choice', 'elements', ['memory', 'elements'])).toBe('elements');
    expect(() => parse('choice', 'size', ['memory', 'elements'])).toThrow(
      'p is one of memory, elements, not "size"',
    );
  });

  it.each([
    ['limit', '-1'],
    ['count', '1.5'],
    ['bytes', '10 apples'],
    ['bytes', '99999999TB'],
    ['seconds', ''],
    ['ratio', 'half'],
    ['number', '1e400'],
  ] as const)('of kind %s refuses %j and says what it wants', (kind, text) => {
    expect(() => parse(kind, text)).toThrow(/^p is .+, not "/);
  });
});
