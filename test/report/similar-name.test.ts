import { expect, it } from 'vitest';
import { similarName } from '../../src/report/similar-name.js';

const NAMES = [
  'summary',
  'big-keys',
  'no-ttl',
  'prefixes',
  'expiry-clusters',
  'expiry-timeline',
  'hot',
  'slots',
  'what-if',
];

it.each([
  ['bigkeys', 'big-keys'],
  ['Big_Keys', 'big-keys'],
  ['big-kyes', 'big-keys'],
  ['nottl', 'no-ttl'],
  ['prefix', 'prefixes'],
  ['expiry', 'expiry-clusters'],
  ['expiry-time', 'expiry-timeline'],
  ['whatif', 'what-if'],
  ['slot', 'slots'],
  ['summarise', 'summary'],
  ['memory', undefined],
  ['x', undefined],
  ['', undefined],
  ['---', undefined],
  ['s'.repeat(100_000), undefined],
])('%.20s means %s', (written, meant) => {
  expect(similarName(written, NAMES)).toBe(meant);
});
