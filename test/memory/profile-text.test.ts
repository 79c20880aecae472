import { expect, it } from 'vitest';
import { describeProfile, type ProfileRequest, parseProfile, profileFor } from '../../src/memory/index.js';

it.each([
  { serverVersion: '7.2.6' },
  { serverVersion: 'valkey-8.1', wordBits: 32 },
  { serverVersion: 'keydb-6.3', allocator: 'libc' },
  { serverVersion: '7.0', cluster: true, allocator: 'jemalloc-q16' },
  { serverVersion: '6.2', thresholds: { hashMaxListpackEntries: 64, listMaxListpackSize: -1 } },
] satisfies ProfileRequest[])('reads again what it told of %o', (request) => {
  const text = describeProfile(profileFor(request).profile);
  const parsed = parseProfile(text)!;
  expect(describeProfile(parsed)).toBe(text);
  expect(parsed.thresholds).toEqual(profileFor(request).profile.thresholds);
});

it('takes the first of several and nothing from other text', () => {
  expect(describeProfile(parseProfile('redis 7.0, 64-bit, libc; valkey 8.1, 64-bit, jemalloc')!)).toBe(
    'redis 7.0, 64-bit, libc',
  );
  expect(parseProfile('dragonfly')).toBeUndefined();
});
