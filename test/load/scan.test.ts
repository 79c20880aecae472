import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type LoadProgress, scanSnapshot } from '../../src/load.js';
import { bytesSource, Decoder, RdbError } from '../../src/rdb-parser/index.js';
import { SourceError } from '../../src/source/source-error.js';
import { fileWith, pipeOf, scratchFolder } from '../source/reading.js';
import { isInstalled, runTool } from '../source/tools.js';

const folder = scratchFolder();
const shop = fileURLToPath(new URL('../../fixtures/shop.rdb', import.meta.url));
const bytes = readFileSync(shop);
const keys = countKeys();

function countKeys(): number {
  const decoder = new Decoder(bytesSource(bytes));
  let count = 0;
  while (decoder.next()) count++;
  return count;
}

/** String keys with values that do not compress; the trailer says "no checksum". */
function noisySnapshot(keyCount: number, valueBytes: number): Buffer {
  const parts = [Buffer.from('REDIS0011', 'latin1')];
  for (let i = 0; i < keyCount; i++) {
    const key = Buffer.from(`key:${i}`);
    const length = [0x40 | (valueBytes >> 8), valueBytes & 0xff]; // a 14-bit length
    parts.push(Buffer.of(0, key.length), key, Buffer.from(length), randomBytes(valueBytes));
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 0])]);
}

describe('a scan over two threads', () => {
  it('finds what one thread finds', async () => {
    const result = await scanSnapshot({ input: shop });
    expect(result.complete).toBe(true);
    expect(result.error).toBeUndefined();
    expect(result.files[0]).toMatchObject({
      input: shop,
      container: 'plain',
      inputBytes: bytes.length,
      complete: true,
      facts: { keysRead: keys, checksum: 'ok', snapshotBytes: bytes.length, trailingBytes: 0 },
    });
  });

  it.each([64, 4096, 65536, bytes.length])('finds the same in a pipe in chunks of %i', async (chunkBytes) => {
    const result = await scanSnapshot({ input: '-', stdin: pipeOf(bytes, chunkBytes) });
    expect(result.files[0]?.facts).toMatchObject({ keysRead: keys, checksum: 'ok' });
    expect(result.files[0]).toMatchObject({ input: 'standard input', inputBytes: undefined });
  });

  it('finds the same in compressed data', async () => {
    const result = await scanSnapshot({ input: fileWith(folder, 'shop.gz', gzipSync(bytes)) });
    expect(result.files[0]).toMatchObject({ container: 'gzip', facts: { keysRead: keys, checksum: 'ok' } });
  });

  it.each(
    [
      { container: 'gzip', command: ['gzip', '-1', '-c'] },
      { container: 'zstd', command: ['zstd', '-q', '-1', '-c'] },
      { container: 'lz4', command: ['lz4', '-q', '-c'] },
    ].filter(({ command }) => isInstalled(command[0]!)),
  )('finds the same in a file of $container data larger than any buffer', async ({ container, command }) => {
    const noisy = noisySnapshot(3000, 2000);
    const packed = runTool(command, noisy)!;
    expect(packed.length).toBeGreaterThan(5 * 2 ** 20);
    const result = await scanSnapshot({ input: fileWith(folder, `noisy.${container}`, packed) });
    expect(result.error).toBeUndefined();
    expect(result.files[0]).toMatchObject({
      container,
      facts: { keysRead: 3000, snapshotBytes: noisy.length },
    });
  });

  it('takes several inputs one after another', async () => {
    const result = await scanSnapshot({ input: [shop, fileWith(folder, 'again.gz', gzipSync(bytes))] });
    expect(result.files.map((file) => file.facts.keysRead)).toEqual([keys, keys]);
  });

  it('tells how far it is, up to the end', async () => {
    const told: LoadProgress[] = [];
    await scanSnapshot({ input: [shop, shop] }, (progress) => told.push(progress));
    expect(told.at(-1)).toMatchObject({
      fileNumber: 2,
      files: 2,
      bytesRead: bytes.length,
      totalBytes: bytes.length,
    });
    expect(told.at(-1)?.keys).toBe(2 * keys);
  });

  it('checks the mark of a replication capture', async () => {
    const mark = 'a'.repeat(40);
    const whole = Buffer.concat([Buffer.from(`\n\n$EOF:${mark}\r\n`), bytes, Buffer.from(mark)]);
    const [file] = (await scanSnapshot({ input: '-', stdin: pipeOf(whole, 5000) })).files;
    expect(file).toMatchObject({ container: 'replication', complete: true });
    expect(file?.facts).toMatchObject({
      keysRead: keys,
      trailingBytes: 40,
      trailingKind: 'replication-mark',
    });
  });
});

describe('a damaged snapshot', () => {
  it('that is cut keeps what came before, and says where', async () => {
    const result = await scanSnapshot({ input: '-', stdin: pipeOf(bytes.subarray(0, 200_000), 65536) });
    expect(result.complete).toBe(false);
    expect(result.error).toBeInstanceOf(RdbError);
    expect(result.error).toMatchObject({ code: 'truncated' });
    expect((result.error as RdbError).at.offset).toBeGreaterThan(190_000);
    expect((result.error as RdbError).at.key).toBeInstanceOf(Uint8Array);
    expect(result.files[0]?.facts.keysRead).toBeGreaterThan(100);
  });

  it('whose packing is cut keeps what came before', async () => {
    const packed = gzipSync(bytes);
    const cut = packed.subarray(0, packed.length >> 1);
    const result = await scanSnapshot({ input: '-', stdin: pipeOf(cut, 65536) });
    expect(result.error).toBeInstanceOf(SourceError);
    expect(result.error).toMatchObject({ code: 'truncated-container' });
    expect(result.files[0]?.facts.keysRead).toBeGreaterThan(100);
  });

  it('whose reading ends early does not hold up the rest', async () => {
    const broken = Buffer.concat([bytes.subarray(0, 100_000), Buffer.alloc(20 * 2 ** 20, 0xee)]);
    const result = await scanSnapshot({ input: [fileWith(folder, 'broken.rdb', broken), shop] });
    expect(result.files[0]?.complete).toBe(false);
    expect(result.files[1]).toMatchObject({ complete: true, facts: { keysRead: keys } });
  });

  it('with a wrong checksum is read to its end', async () => {
    const wrong = Buffer.from(bytes);
    wrong[wrong.length - 1] = wrong[wrong.length - 1]! ^ 1;
    const result = await scanSnapshot({ input: fileWith(folder, 'wrong.rdb', wrong) });
    expect(result.files[0]?.facts).toMatchObject({ keysRead: keys, checksum: 'mismatch' });
    expect(result.complete).toBe(false);
  });
});

describe('nothing to read', () => {
  it('is an error of the source', async () => {
    await expect(scanSnapshot({ input: `${folder}/none.rdb` })).rejects.toMatchObject({ code: 'missing' });
    await expect(scanSnapshot({ input: fileWith(folder, 'a.zip', 'PK\x03\x04') })).rejects.toBeInstanceOf(
      SourceError,
    );
    await expect(scanSnapshot({ input: [shop, `${folder}/none.rdb`] })).rejects.toMatchObject({
      code: 'missing',
    });
  });

  it('is an error of the decoder when only the letters are right', async () => {
    const path = fileWith(folder, 'letters.rdb', 'REDISabcd and more');
    await expect(scanSnapshot({ input: path })).rejects.toMatchObject({ name: 'RdbError', code: 'not-rdb' });
  });
});

describe('stopping', () => {
  it('ends a scan of a pipe that says nothing', async () => {
    const { PassThrough } = await import('node:stream');
    const stop = new AbortController();
    const scanning = scanSnapshot({ input: '-', stdin: new PassThrough(), signal: stop.signal });
    setTimeout(() => stop.abort(new Error('stopped by the test')), 50);
    await expect(scanning).rejects.toThrow('stopped by the test');
  });

  it('ends a scan that waits for its input', async () => {
    const { PassThrough } = await import('node:stream');
    const stdin = new PassThrough();
    stdin.write(bytes.subarray(0, 100_000));
    const stop = new AbortController();
    const scanning = scanSnapshot({ input: '-', stdin, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('stopped by the test')), 300);
    await expect(scanning).rejects.toThrow('stopped by the test');
    expect(stdin.destroyed).toBe(true);
  });
});
