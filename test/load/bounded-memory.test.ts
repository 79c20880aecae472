import { execFile, spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fileWith, scratchFolder } from '../source/reading.js';
import { isInstalled } from '../source/tools.js';

const run = promisify(execFile);
const folder = scratchFolder();
const load = fileURLToPath(new URL('../../dist/load.js', import.meta.url));
const LIMIT_MB = 256;

/** Loads in a process of its own; its peak resident memory in MB and what it found. */
async function loadApart(
  path: string,
): Promise<{ readonly peakMb: number; readonly keys: number; readonly error?: string }> {
  const script = `
    import { loadSnapshot } from ${JSON.stringify(load)};
    const result = await loadSnapshot({ input: process.argv[1], output: process.argv[1] + '.sqlite' });
    const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(JSON.stringify({ peakMb, keys: result.files[0].facts.keysRead, error: result.error?.code }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, path]);
  return JSON.parse(stdout);
}

const MEBIBYTE = 2 ** 20;

/** Header of a file with one string key of `mebibytes` MiB, zeros all of it; the trailer says "no checksum". */
function stringHeader(mebibytes: number): Buffer {
  const length = Buffer.alloc(9);
  length[0] = 0x81; // a 64-bit length follows
  length.writeBigUInt64BE(BigInt(mebibytes) * BigInt(MEBIBYTE), 1);
  return Buffer.concat([Buffer.from('REDIS0011\xfe\x00\x00\x01k', 'latin1'), length]);
}
const TRAILER = Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 0]);

describe(`peak memory stays under ${LIMIT_MB} MiB`, () => {
  it('when a small gzip file inflates to half a gigabyte', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * MEBIBYTE));
    const members = [
      gzipSync(stringHeader(512)),
      ...Array.from({ length: 8 }, () => zeros),
      gzipSync(TRAILER),
    ];
    const result = await loadApart(fileWith(folder, 'bomb.gz', Buffer.concat(members)));
    expect(result).toMatchObject({ keys: 1 });
    expect(result.error).toBeUndefined();
    expect(result.peakMb).toBeLessThan(LIMIT_MB);
  });

  it.each(
    [
      ['zstd', ['-q', '-1']],
      ['zstd', ['-q', '-1', '--long=26']],
      ['lz4', ['-q', '-B7', '-BD']],
    ].filter(([program]) => isInstalled(program as string)) as [string, string[]][],
  )('when %s %j data does', async (program, flags) => {
    const bare = `${folder}/half-gigabyte.rdb`;
    const descriptor = openSync(bare, 'w');
    const header = stringHeader(512);
    writeSync(descriptor, header, 0, header.length, 0);
    writeSync(descriptor, TRAILER, 0, TRAILER.length, header.length + 512 * MEBIBYTE); // sparse before it
    closeSync(descriptor);
    const packed = `${folder}/${program}${flags.join('')}`;
    expect(
      spawnSync(program, [...flags, '-f', bare, ...(program === 'zstd' ? ['-o'] : []), packed]).status,
    ).toBe(0);
    const result = await loadApart(packed);
    expect(result).toMatchObject({ keys: 1 });
    expect(result.peakMb).toBeLessThan(LIMIT_MB);
  });
});
