import { describe, expect, it } from 'vitest';
import { createMemoryModel, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder } from '../../src/rdb-parser/index.js';
import { RdbBytes } from '../rdb-bytes.js';

/** What is said of the one key of a snapshot. */
function misfit(build: (bytes: RdbBytes) => RdbBytes, serverVersion = '7.2'): string {
  const decoder = new Decoder(bytesSource(build(new RdbBytes()).end()));
  decoder.readHeader();
  const model = createMemoryModel(profileFor({ serverVersion }).profile);
  decoder.meter = model;
  expect(decoder.next()).toBe(true);
  return model.misfit;
}

function strings(code: string, count: number, elements: readonly string[]) {
  return (bytes: RdbBytes): RdbBytes => {
    bytes.hex(code).string('k').length(count);
    for (const element of elements) bytes.string(element);
    return bytes;
  };
}

const set = (members: readonly string[]) => strings('02', members.length, members);
const hash = (pairs: readonly (readonly [string, string])[]) => strings('04', pairs.length, pairs.flat());
const zset = (members: readonly string[]) => (bytes: RdbBytes) => {
  bytes.hex('05').string('k').length(members.length);
  for (const member of members) bytes.string(member).hex('000000000000f03f');
  return bytes;
};
const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(1000 + i));
const fields = (count: number, value: string): [string, string][] =>
  Array.from({ length: count }, (_, i) => [`f${i}`, value]);

describe('what alone keeps a collection from its compact encoding', () => {
  it.each([127, 128, 129, 500])('is one value of %i bytes from twice the limit on', (bytes) => {
    const one = [...fields(100, 'short'), ['long', 'v'.repeat(bytes)] as const];
    expect(misfit(hash(one))).toBe(bytes > 128 ? 'one-long-element' : '');
    expect(misfit(hash([...one].reverse()))).toBe(bytes > 128 ? 'one-long-element' : '');
  });

  it('is not one of two long values, nor one among too many', () => {
    const long = 'v'.repeat(500);
    expect(misfit(hash([...fields(9, 'v'), ['a', long], ['b', long]]))).toBe('');
    expect(misfit(hash([['a', long], ...fields(511, 'v')]))).toBe('one-long-element');
    expect(misfit(hash([['a', long], ...fields(512, 'v')]))).toBe('');
  });

  it('is told of sorted sets and sets alike', () => {
    const long = 'm'.repeat(200);
    expect(misfit(zset(['a', long, 'b']))).toBe('one-long-element');
    expect(misfit(zset([long, `${long}2`, 'b']))).toBe('');
    expect(misfit(set(['a', long, 'b']))).toBe('one-long-element');
    expect(misfit(set(['a', long, `${long}2`]))).toBe('');
    // Text was never packed in sets before 7.2.
    expect(misfit(set(['a', long, 'b']), '7.0')).toBe('');
  });

  it.each(['7.0', '7.2'])('is one member that is no integer, in %s', (version) => {
    for (const at of [0, 100, 299]) {
      expect(misfit(set(numbers(299).toSpliced(at, 0, 'text')), version)).toBe('one-text-member');
    }
    expect(misfit(set([...numbers(510), 'text', 'more']), version)).toBe('');
    expect(misfit(set([...numbers(511), 'text']), version)).toBe('one-text-member');
    expect(misfit(set([...numbers(512), 'text']), version)).toBe('');
    expect(misfit(set(numbers(512)), version)).toBe('');
  });

  it('is the number of integers, up to twice the limit', () => {
    expect(misfit(set(numbers(513)))).toBe('integers-over-limit');
    expect(misfit(set(numbers(1024)))).toBe('integers-over-limit');
    expect(misfit(set(numbers(1025)))).toBe('');
  });
});
