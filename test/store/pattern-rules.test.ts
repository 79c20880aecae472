import { describe, expect, it } from 'vitest';
import { KeyCore } from '../../src/store/key-core.js';
import { joinedPattern } from '../../src/store/key-pattern.js';
import { parsePatternRules } from '../../src/store/pattern-rules.js';
import { compileSegments } from '../../src/store/segment-automata.js';
import { seededRandom } from '../seeded.js';

/** A key's pattern under a rules file. */
function patternOf(rules: string, key: string | Uint8Array, separators = ':'): string {
  return patternIn(coreWith(rules, separators), key);
}

function coreWith(rules: string, separators = ':'): KeyCore {
  const core = new KeyCore({
    limits: { childrenPerNode: 1, nodes: 1, depth: 1 },
    patternRules: parsePatternRules(rules, 'names.rules'),
  });
  core.setSeparators(separators);
  return core;
}

function patternIn(core: KeyCore, key: string | Uint8Array): string {
  let text = '';
  core.readSegments(typeof key === 'string' ? Buffer.from(key) : key, 0, (separator, segment) => {
    text = joinedPattern(text, separator, segment, core.patternNames);
  });
  return text;
}

function faultOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('a rule', () => {
  it.each([
    ['{sku} = [A-Z]{3}-\\d{4}', 'product:ABC-1234', 'product:{sku}'],
    ['{sku} = ^[A-Z]{3}-\\d{4}$', 'product:ABC-1234:price', 'product:{sku}:price'],
    ['{sku}=[A-Z]{3}-\\d{4}', 'ABC-1234', '{sku}'],
    ['{sku} = [A-Z]{3}-\\d{4}', 'product:ABC-12345', 'product:ABC-{n}'],
    ['{sku} = [A-Z]{3}-\\d{4}', 'product:xABC-1234', 'product:xABC-{n}'],
    ['{country} = de|fr|[a-z]{2}-[A-Z]{2}', 'shop:fr:pt-BR:defr', 'shop:{country}:{country}:defr'],
    ['{name} = \\p{Lu}\\p{L}+', 'user:Jürgen:Østergård:plain', 'user:{name}:{name}:plain'],
    ['{emoji} = .', 'mood:😀:😀😀:é', 'mood:{emoji}:😀😀:{emoji}'],
    ['{eq} = a=b', 'x:a=b', 'x:{eq}'],
    ['{hash} = #\\w+', 'x:#tag', 'x:{hash}'],
    ['{dollar} = \\d\\$', 'x:5$:5', 'x:{dollar}:{n}'],
    ['{none} = ', 'x', undefined],
    ['{tag} = \\{[a-z]+\\}', '{acme}:cart', '{tag}:cart'],
    ['{empty-or-x} = x?', 'a::x:y', 'a:{empty-or-x}:{empty-or-x}:y'],
  ])('%j makes of %j: %j', (rules, key, expected) => {
    if (expected === undefined) expect(() => patternOf(rules, key)).toThrow('has no expression');
    else expect(patternOf(rules, key)).toBe(expected);
  });

  it('of a name of ours adds to what we know', () => {
    expect(patternOf('{hex} = [0-9a-f]{6}', 'color:ff00aa:deadbeef1')).toBe('color:{hex}:{hex}');
  });

  it('that stands first wins', () => {
    const rules = '# two of them\n\n{a} = x+\n{b} = x|y\r\n{a} = z';
    expect(patternOf(rules, 'x:xx:y:z')).toBe('{a}:{a}:{b}:{a}');
  });

  it('below a prefix is for that place only', () => {
    const rules = 'user:{name} = .+\nuser:{name}:{device} = [a-z]+\norder:{n}:{state} = [a-z]+';
    expect(patternOf(rules, 'user:alice')).toBe('user:{name}');
    expect(patternOf(rules, 'user:alice:phone:alice')).toBe('user:{name}:{device}:alice');
    expect(patternOf(rules, 'admin:user:alice')).toBe('admin:user:alice');
    expect(patternOf(rules, 'order:17:open')).toBe('order:{n}:{state}');
    expect(patternOf(rules, 'order:x:open')).toBe('order:x:open');
    expect(patternOf('d:{date}:{x} = .+', 'd:2026-11-30:a')).toBe('d:{date}:{x}');
    expect(patternOf('d:{date}:{x} = .+', 'd:20261130:a')).toBe('d:{date}:{x}');
    expect(patternOf('a/b:{x} = .+', 'a/b:c', '/:')).toBe('a/b:{x}');
    expect(patternOf('{empty}:{x} = .+', ':c')).toBe('{empty}:{x}');
    expect(patternOf('a\\x01:{x} = .+', 'a\x01:c')).toBe('a\\x01:{x}');
  });

  it('does not see segments that are no UTF-8, or longer than 64 bytes', () => {
    expect(patternOf('{any} = [^]*', Buffer.from('61ff3a62', 'hex'))).toBe('a\\xff:{any}');
    for (const bad of ['c080', 'e08080', 'eda080', 'f4908080', 'c3', 'e282', 'fe']) {
      expect(patternOf('{any} = [^]*', Buffer.from(bad, 'hex')), bad).not.toBe('{any}');
    }
    expect(patternOf('{any} = .*', 'z'.repeat(64))).toBe('{any}');
    expect(patternOf('{any} = .*', 'z'.repeat(65))).toBe(`${'z'.repeat(64)}…`);
  });

  it('is told from text of a key that reads like its placeholder', () => {
    expect(patternOf('{sku} = [A-Z]{3}', 'a:{sku}:ABC:{other}')).toBe('a:\\x7bsku}:{sku}:{other}');
  });

  it('matches the rest of the key as it stands where ids do not end at a separator', () => {
    expect(patternOf('{day} = \\d{4}-\\d\\d-\\d\\d', 'x-2026-11-30-y', '-')).toBe('x-{day}-y');
  });
});

describe('expressions', () => {
  it('mean what they mean in JavaScript', () => {
    const expressions = [
      'a*b',
      '(a|bc)+',
      '[^a-y]',
      'a{2,3}|z?',
      '(?:ab?){1,2}c*',
      '.b.',
      '\\w\\W?',
      'é|[à-ü]+',
      '[a-c]\\d*',
    ];
    const random = seededRandom('expressions');
    const below = (limit: number): number => Math.floor(random() * limit);
    const letters = [...'abcz1-é', '😀'];
    for (const expression of expressions) {
      const wanted = new RegExp(`^(?:${expression})$`, 'u');
      const core = coreWith(`{it} = ${expression}`);
      let matched = 0;
      for (let round = 0; round < 500; round++) {
        const text = Array.from({ length: below(5) }, () => letters[below(letters.length)]!).join('');
        const isMatched = patternIn(core, `k:${text}`).endsWith(':{it}');
        expect(isMatched, `${expression} and ${text}`).toBe(wanted.test(text));
        if (isMatched) matched++;
      }
      expect(matched, expression).toBeGreaterThan(0);
    }
  });

  it('take no longer the more they could be tried in vain', () => {
    const rules = '{slow} = (?:(?:a+)+)+b\n{slower} = (?:a|a|aa)+c\n{slowest} = (?:a*)*d';
    const core = coreWith(rules);
    // Trying all ways would take longer than there is time.
    for (let i = 0; i < 1000; i++) expect(patternIn(core, `k:${'a'.repeat(64)}`)).toBe(`k:${'a'.repeat(64)}`);
  });
});

describe('anything at all', () => {
  const random = seededRandom('anything');
  const below = (limit: number): number => Math.floor(random() * limit);

  it('as a key: matched as JavaScript would, when it is UTF-8 of at most 64 bytes', () => {
    const expression = '[^ab]*[\\u0100-\\u{10ffff}][^a]?';
    const core = coreWith(`{it} = ${expression}`);
    const wanted = new RegExp(`^(?:${expression})$`, 'u');
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    let matched = 0;
    for (let round = 0; round < 3000; round++) {
      const length = round % 3 === 0 ? 60 + below(10) : below(9);
      const text = Array.from({ length }, () =>
        String.fromCodePoint(below(4) === 0 ? below(0x110000) : below(0x200)),
      );
      const bytes = Buffer.from(text.join('').replaceAll(':', ';'));
      if (round % 4 === 0 && bytes.length > 0) bytes[below(bytes.length)] = 0x80 + below(0x80);
      let isWanted = bytes.length <= 64;
      try {
        isWanted &&= wanted.test(utf8.decode(bytes));
      } catch {
        isWanted = false;
      }
      const isMatched = patternIn(core, bytes) === '{it}';
      expect(isMatched, bytes.toString('hex')).toBe(isWanted);
      if (isMatched) matched++;
    }
    expect(matched).toBeGreaterThan(300);
  });

  it('as a rules file: used, or refused with its name', () => {
    const pieces = [
      '{a}',
      '{b-c}',
      '=',
      ' = ',
      'user:',
      '\n',
      '[a-',
      ']',
      '(',
      ')',
      '{2,',
      '}',
      '\\d',
      '\\',
      '.*',
      '+',
      '|',
      '#',
      '\0',
      '€',
    ];
    const outcomes = { used: 0, refused: 0 };
    for (let round = 0; round < 600; round++) {
      const start = round % 4 === 0 ? '' : '{a} = x';
      const text = start + Array.from({ length: 1 + below(8) }, () => pieces[below(pieces.length)]).join('');
      const message = faultOf(() => compileSegments(parsePatternRules(text, 'r')));
      if (message === '') outcomes.used++;
      else outcomes.refused++;
      expect(message, JSON.stringify(text)).toMatch(/^$|^r(:\d)?: /);
    }
    expect(Math.min(outcomes.used, outcomes.refused)).toBeGreaterThan(40);
  });
});

describe('a rules file that cannot be used', () => {
  it.each([
    ['nothing', '', /^names\.rules: has no rule in it/],
    ['comments only', '# nothing\n\n', /^names\.rules: has no rule in it/],
    [
      'no placeholder',
      '{a} = a\nsku',
      /^names\.rules:2: a rule is a placeholder, = and a regular expression/,
    ],
    ['half a placeholder', '{a} = a\n\n{b = b', /^names\.rules:3: a rule is/],
    ['a bare name', 'sku = [A-Z]', /^names\.rules:1: a rule is/],
    ['the rest', '{*} = x', /^names\.rules:1: \{\*\} has a meaning of its own/],
    ['the empty segment', '{empty} = x', /^names\.rules:1: \{empty\} has a meaning of its own/],
    ['a digit for a name', '{9} = x', /^names\.rules:1: \{9\} is no name/],
    ['a long name', `{${'a'.repeat(40)}} = x`, /is no name/],
    ['a name that steers a terminal', '{\x1b[31m} = x', /is no name/],
    ['an open class', '{a} = [A-Z', /^names\.rules:1: Invalid regular expression/],
    ['an open group', '{a} = (', /^names\.rules:1: Invalid regular expression/],
    ['an escape that is none', '{a} = \\-', /^names\.rules:1: Invalid regular expression/],
    ['look-behind', '{a} = (?<=x)y', /^names\.rules:1: look-around/],
    ['a word border', '{a} = x\\by', /look-around/],
    ['a reference', '{a} = (.*)\\1', /^names\.rules:1: references to groups/],
    ['a million repeats', '{a} = (?:a{1000}){1000}', /^names\.rules:1: the expression is too large/],
    ['states that explode', '{a} = (?:a|b)*a(?:a|b){20}', /^names\.rules:1: the expression is too large/],
    ['a long expression', `{a} = ${'x'.repeat(1001)}`, /longer than 1000 characters/],
    ['many rules', '{a} = a\n'.repeat(101), /^names\.rules:101: there may be 100 rules at most/],
    ['a large file', '#'.repeat(70_000), /too long for a rules file/],
    ['bytes', '\0\0\0', /^names\.rules:1: a rule is/],
  ])('%s', (_, text, message) => {
    expect(faultOf(() => coreWith(text))).toMatch(message);
  });

  it.each([
    ['user/{name} = .+', /^names\.rules:1: "user\/" must end with what parts segments \(:\)/],
    ['{*}:{name} = .+', /^names\.rules:1: \{\*\} is no part of keys/],
    [`${'{date}:'.repeat(12)}{x} = .+`, /too much \{date\}/],
  ])('with these separators: %j', (text, message) => {
    expect(faultOf(() => patternOf(text, 'k'))).toMatch(message);
  });
});
