import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/*
 * Snapshots made to hurt a reader, in processes of their own, at a hundredth of their full size; `npm run fuzz` decodes
 * them whole.
 */

const HOSTILE = fileURLToPath(new URL('hostile.mjs', import.meta.url));
/** The bound for the whole process, at any size. */
const MOST_RSS = 256 * 2 ** 20;

interface Outcome {
  readonly keys: number;
  readonly complete: boolean;
  readonly error?: string;
  readonly elements: number;
  readonly problems: readonly string[];
  readonly rssBytes: number;
}

async function decodeHostile(name: string, way: string, scale = 0.01): Promise<Outcome> {
  const { stdout } = await promisify(execFile)(process.execPath, [HOSTILE, name, way, String(scale)]);
  return JSON.parse(stdout) as Outcome;
}

const whole: readonly (readonly [name: string, scale: number, expected: Partial<Outcome>])[] = [
  ['lzf-bomb', 0.02, { keys: 2, elements: 2_640_001 }],
  ['lzf-strings', 0.02, { keys: 20 }],
  ['empty-collections', 0.01, { keys: 10_000, elements: 0 }],
  ['aux-fields', 0.05, { keys: 0 }],
  ['functions', 0.01, { keys: 0 }],
  ['databases', 0.05, { keys: 50_000 }],
  ['long-list', 0.01, { elements: 1_000_000 }],
  ['large-set', 0.02, { elements: 100_000 }],
  ['groups', 0.02, { keys: 1 }],
  ['long-group-names', 0.05, { keys: 1 }],
  ['pending', 0.01, { keys: 1 }],
  ['templates', 0.05, { keys: 0 }],
  ['many-keys', 0.01, { keys: 150_000 }],
  ['sparse-string', 0.05, { keys: 1 }],
];

describe.each(['plain', 'check'])('decoded %s', (way) => {
  it.each(whole)('82, 89: %s (at %d of its size) stays within bounds', async (name, scale, expected) => {
    const outcome = await decodeHostile(name, way, scale);
    expect(outcome).toMatchObject({ complete: true, problems: [], ...expected });
    expect(outcome.rssBytes).toBeLessThan(MOST_RSS);
  });

  it('keys of megabytes with a problem each stay within bounds', async () => {
    const outcome = await decodeHostile('long-keys', way, 0.1);
    expect(outcome).toMatchObject({ complete: true, keys: 30 });
    expect(outcome.rssBytes).toBeLessThan(MOST_RSS);
  });

  it.each(['endless-counts', 'endless-string'])('%s end where the input ends', async (name) => {
    const outcome = await decodeHostile(name, way);
    expect(outcome).toMatchObject({ complete: false, error: 'truncated' });
  });
});
