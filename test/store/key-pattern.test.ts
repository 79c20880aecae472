import DatabaseConstructor from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { registerFunctions } from '../../src/store/functions.js';

const database = new DatabaseConstructor(':memory:');
registerFunctions(database);
const prefix = database.prepare('SELECT key_prefix(?, ?, ?)').pluck();

function pattern(key: string | Uint8Array, separators = ':', depth = 0): unknown {
  return prefix.get(typeof key === 'string' ? key : Buffer.from(key), separators, depth);
}

const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const HEX40 = 'da39a3ee5e6b4b0d3255bfef95601890afd80709';

describe('ids become placeholders', () => {
  it.each([
    ['user:1042:session', 'user:{n}:session'],
    ['1042', '{n}'],
    [`session:${UUID}`, 'session:{uuid}'],
    [`session:{${UUID}}`, 'session:{{uuid}}'],
    [`${UUID}:s`, '{uuid}:s'],
    [`abcdefab-4f89-41d3-9a0c-0305e82c3301:s`, '{uuid}:s'],
    ['deadbeef-cafe-babe-face-feedfacedead', '{uuid}'],
    [`tok_${HEX40}`, 'tok_{hex}'],
    [HEX40, '{hex}'],
    ['etag:0A1B2C3D', 'etag:{hex}'],
    ['sku-123', 'sku-{n}'],
    ['daily:2026-11-30', 'daily:{date}'],
    ['daily:20261130', 'daily:{date}'],
    ['daily:2026-11-30T12', 'daily:{date}T12'],
    ['rate|203.0.113.9|17', 'rate|{ip}|{n}'],
    ['order20417', 'order{n}'],
    ['{1042}:cart', '{{n}}:cart'],
    ['{user:1042}.following', '{user:{n}}.following'],
    ['img/thumb/77/0a1b2c3d4e.jpg', 'img/thumb/{n}/{hex}.jpg'],
  ])('%s', (key, expected) => {
    expect(pattern(key)).toBe(expected);
  });
});

describe('names stay', () => {
  it.each([
    'config',
    'v2:api',
    'db0',
    'sha256:sum',
    'oauth2:md5',
    'deadbeef', // no digit
    'facade:added',
    'a1b2c3d', // seven hexadecimal digits
    'Grüße:日本',
    '{tenant}:x',
    'a::b',
    'a:',
  ])('%s', (key) => {
    expect(pattern(key)).toBe(key);
  });
});

describe('what only looks like an id', () => {
  it.each([
    ['1.2.3', '{n}.{n}.{n}'],
    ['1.2.3.4.5', '{n}.{n}.{n}.{n}.{n}'],
    ['1.2.3.400', '{n}.{n}.{n}.{n}'],
    ['1.2.3.4x', '{n}.{n}.{n}.4x'],
    ['2026-13-30', '{n}-{n}-{n}'],
    ['20261330', '{n}'],
    ['99991231', '{n}'],
    [`${UUID}0`, '{hex}-{n}f89-{n}d3-{n}a0c-{hex}'],
  ])('%s', (key, expected) => {
    // The last one is no UUID, for it has a digit too many; what its parts become does not matter, `{uuid}` would.
    if (key === `${UUID}0`) expect(pattern(key)).not.toContain('{uuid}');
    else expect(pattern(key)).toBe(expected);
  });
});

describe('separators', () => {
  it('may be several, and each stays where it stood', () => {
    expect(pattern('a:1|b/2', ':|/')).toBe('a:{n}|b/{n}');
    expect(pattern('a:1|b/2', ':|/', 2)).toBe('a:{n}');
    expect(pattern('a:1|b/2', ':', 2)).toBe('a:{n}|b/{n}');
  });

  it('do not cut ids that contain them', () => {
    expect(pattern(`x-${UUID}-y`, '-', 2)).toBe('x-{uuid}');
    expect(pattern(`abcdefab-4f89-41d3-9a0c-0305e82c3301-y`, '-', 1)).toBe('{uuid}');
    expect(pattern('x-2026-11-30-y', '-', 2)).toBe('x-{date}');
    expect(pattern('x.10.0.0.1.y', '.', 2)).toBe('x.{ip}');
  });

  it.each(['a', '7', 'é', '\0', '\x01'])('can not be %j', (separator) => {
    expect(() => pattern('x', separator)).toThrow('cannot separate');
  });
});

describe('patterns of hostile keys', () => {
  it('are printable, and tell a text like a placeholder from a placeholder', () => {
    expect(pattern('{n}:1')).toBe('\\x7bn}:{n}');
    expect(pattern('{*}')).toBe('\\x7b*}');
    expect(pattern('a\x01\x02:b\x1b[31m')).toBe('a\\x01\\x02:b\\x1b[31m');
    expect(pattern(Uint8Array.of(0xff, 0x00, 0x3a, 0xc3))).toBe('\\xff\\x00:\\xc3');
    expect(pattern('')).toBe('{empty}');
    expect(pattern(':a')).toBe('{empty}:a');
  });

  it('cut segments after 64 bytes', () => {
    expect(pattern(`${'a'.repeat(64)}:b`)).toBe(`${'a'.repeat(64)}:b`);
    expect(pattern(`${'a'.repeat(65)}:b`)).toBe(`${'a'.repeat(64)}…:b`);
    expect(pattern(`${'word-'.repeat(100)}:b`)).toMatch(/^(word-)+w?o?r?d?…:b$/);
    expect(pattern(`${'a'.repeat(63)}-1:b`)).toBe(`${'a'.repeat(63)}…:b`);
    expect(pattern(`${'1-'.repeat(100_000)}:b`)).toMatch(/^(\{n\}-?)+…:b$/);
  });
});

it('the same words give the same pattern wherever they stand in the key', () => {
  // The core looks at the first 64 bytes in another way than at the rest.
  const tail = `x:1042:${UUID}:2026-11-30:10.1.2.3:tok_${HEX40}:sku-7:Grüße`;
  const expected = 'x:{n}:{uuid}:{date}:{ip}:tok_{hex}:sku-{n}:Grüße';
  for (let shift = 0; shift < 130; shift++) {
    const head = 'h'.repeat(shift % 60) + (shift >= 60 ? `:${'i'.repeat(shift - 60)}` : '');
    const shown = pattern(`${head}:${tail}`) as string;
    expect(shown.endsWith(expected), `${shift}: ${shown}`).toBe(true);
  }
});
