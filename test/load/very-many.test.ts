import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RdbBytes } from '../rdb-bytes.js';
import { scratchFolder } from '../store/key-feed.js';

/** More than the loader keeps sums of one by one. */
const DATABASES = 60_000;
/** What the sums of so many databases may add to what a load of one key takes: measured 89 MiB, with a view of each 164. */
const MOST_MORE_BYTES = 125 * 2 ** 20;

/** Loads in a process of its own; the most memory that it took, in bytes. */
async function peakOf(...snapshots: string[]): Promise<number> {
  const program = `
    import { loadSnapshot } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
    await loadSnapshot({ input: process.argv.slice(1), output: process.argv[1] + '.sqlite' });
    console.log(process.resourceUsage().maxRSS * 1024);`;
  const args = ['--input-type=module', '-e', program, ...snapshots];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
}

function snapshotOf(databases: number): string {
  const snapshot = new RdbBytes();
  for (let db = 0; db < databases; db++)
    snapshot.hex('fe').length(db).hex('00').string(`key:${db}`).string('v');
  const file = path.join(scratchFolder(), 'databases.rdb');
  writeFileSync(file, snapshot.end());
  return file;
}

describe('a damaged file that names very many databases', () => {
  it('is loaded in bounded memory', async () => {
    const [one, many] = [await peakOf(snapshotOf(1)), await peakOf(snapshotOf(DATABASES))];
    expect(many - one).toBeLessThan(MOST_MORE_BYTES);
  });
});

/** What the files of so large a set may add: measured 64 MiB, and 400 with a ring of its own for each. */
const FILES = 400;
const MOST_MORE_OF_FILES = 110 * 2 ** 20;

describe('a set of very many files', () => {
  it('is loaded in bounded memory', async () => {
    const file = snapshotOf(1);
    const many = Array.from({ length: FILES }, (_, number) => {
      const copy = `${file}.${number}`;
      copyFileSync(file, copy);
      return copy;
    });
    const more = (await peakOf(...many)) - (await peakOf(file));
    expect(more).toBeLessThan(MOST_MORE_OF_FILES);
  });
});
