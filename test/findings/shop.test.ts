import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findings, loaded } from './found.js';

const FOLDER = new URL('../../fixtures/', import.meta.url);

/** Every fault that was put into the shop; fixtures/README.md says what each is. */
const PLANTED = [
  'warning heavy-key rank:global: 1',
  'warning heavy-key queue:mail: 1',
  'warning short-lived-no-ttl session: 800',
  'warning expiry-burst 1796097600000: 800',
  'warning big-string export:catalog.csv: 1',
  'warning hash-tag tenant-7: 120',
  'warning long-name report:v…172: 1',
  'warning control-characters line\\x0abreak: 1',
  'warning unsafe-characters User Profile:12: 1',
  'warning not-utf8 bin:\\xff\\x00\\xfe: 1',
  'warning unsafe-characters note:"quoted": 1',
  'warning unsafe-characters tmp*: 1',
  'note spread-objects product: 1250',
  'note other-characters cache:page: 800',
  'note other-databases db 1: 12',
  'note repeated-segment order: 1',
  'note first-character 9lives:cat: 1',
  'note other-characters kunde:müller: 1',
];

it('finds every fault that was planted in the shop, and nothing else', async () => {
  const database = await loaded(readFileSync(new URL('shop.rdb', FOLDER)));
  expect(findings(database)).toEqual(PLANTED);
  database.close();
});

it('the fixtures’ README names every one of them', () => {
  const readme = readFileSync(new URL('README.md', FOLDER), 'utf8');
  const [shop = ''] = readme.slice(readme.indexOf('What is wrong in it')).split('\n## ');
  const rules = [...shop.matchAll(/^\| (\S.*?) +\| `([a-z0-9-]+)` +\|/gm)].map((match) => match[2]);
  expect(rules.sort()).toEqual(PLANTED.map((line) => line.split(' ')[1]).sort());
});
