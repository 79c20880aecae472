import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInput } from '../../src/source/open-input.js';
import { xxHash32 } from '../../src/source/xxhash32.js';
import { type DecodedKey, decode } from '../decode.js';
import { RdbBytes } from '../rdb-bytes.js';

/* What surrounds a snapshot and has broken other tools; see bug-log.test.ts. */

const snapshot = new RdbBytes('VALKEY080').hex('fe 00 00 K 01 76').sentinel().end();

async function keysIn(input: Uint8Array, pieceBytes = input.length): Promise<readonly DecodedKey[]> {
  const pieces = Array.from({ length: Math.ceil(input.length / pieceBytes) }, (_, i) =>
    input.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  );
  const opened = await openInput('-', Readable.from(pieces, { objectMode: false }));
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened.chunks) chunks.push(chunk.slice());
  return decode(Buffer.concat(chunks)).keys;
}

/** An LZ4 frame of one block that is not compressed. */
function lz4Frame(bytes: Uint8Array): Uint8Array {
  const descriptor = Uint8Array.of(0x60, 0x40); // version 1, blocks on their own; blocks of at most 64 KiB
  const check = (xxHash32(descriptor) >>> 8) & 0xff;
  const size = Buffer.alloc(4);
  size.writeUInt32LE((bytes.length | 0x80000000) >>> 0);
  return Buffer.concat([
    Buffer.from('04224d18', 'hex'),
    descriptor,
    Buffer.of(check),
    size,
    bytes,
    Buffer.alloc(4),
  ]);
}

describe('containers', () => {
  const whole = decode(snapshot).keys;

  it.each([
    ['of seven bytes', Buffer.concat([Buffer.from('VCS'), Buffer.from('01010001', 'hex')])],
    ['of eight bytes', Buffer.concat([Buffer.from('VKCS'), Buffer.from('01010000', 'hex')])],
  ])("7: reads Valkey's compressed envelope %s", async (_, envelope) => {
    expect(await keysIn(Buffer.concat([envelope, lz4Frame(snapshot)]))).toEqual(whole);
  });

  it.each([
    [
      'an unknown codec',
      Buffer.concat([
        Buffer.from('VCS'),
        Buffer.from('01090001', 'hex'),
        Buffer.from('a frame of another kind'),
      ]),
      /codec/,
    ],
    [
      'a cut frame',
      Buffer.concat([
        Buffer.from('VCS'),
        Buffer.from('01010001', 'hex'),
        lz4Frame(snapshot).subarray(0, -30),
      ]),
      /LZ4|lz4/,
    ],
  ])('7: says that the envelope has %s', async (_, input, words) => {
    await expect(keysIn(input)).rejects.toThrow(words);
  });

  it.each([
    ['nothing', '', /empty/],
    ['a snapshot that starts at its byte 5', 'EY080\xfe\x00', /not an RDB file/],
    ['an append-only file', '*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n', /append-only/i],
    ['text', 'hello\n', /not an RDB file/],
  ])('8: says what %s is', async (_, text, words) => {
    await expect(keysIn(Buffer.from(text, 'latin1'), 1000)).rejects.toThrow(words);
  });

  it('8: reads gzip data whatever its name', async () => {
    expect(await keysIn(gzipSync(snapshot))).toEqual(whole);
  });

  it('6, 9: reads the snapshot at the start of an append-only file', async () => {
    const commands = Buffer.from('*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n');
    expect(await keysIn(Buffer.concat([snapshot, commands]))).toEqual(whole);
  });

  it.each([1, 7, 4096])('107: reads a pipe in pieces of %i bytes', async (pieceBytes) => {
    expect(await keysIn(snapshot, pieceBytes)).toEqual(whole);
    expect(await keysIn(gzipSync(snapshot), pieceBytes)).toEqual(whole);
  });
});
