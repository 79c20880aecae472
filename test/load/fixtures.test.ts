import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../fixtures/', import.meta.url);
const readme = readFileSync(new URL('README.md', folder), 'utf8');

const snapshots = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.rdb'),
);

it('finds the fixtures', () => {
  expect(snapshots).toContain('shop.rdb');
});

it.each(snapshots)('%s has its row and its hash in the README', (name) => {
  const hash = createHash('sha256')
    .update(readFileSync(new URL(name, folder)))
    .digest('hex');
  const row = readme.split('\n').find((line) => line.includes(`\`${hash}\``));
  expect(row).toContain(`\`${name.replace('/dump.rdb', '')}\``);
});
