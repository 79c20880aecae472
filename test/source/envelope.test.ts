import { expect, it } from 'vitest';
import { xxHash32 } from '../../src/source/xxhash32.js';
import { readPiped, snapshotBytes } from './reading.js';

const original = snapshotBytes(50_000);

/** An LZ4 frame of one block that is stored as it is. */
function storedFrame(bytes: Uint8Array): Buffer {
  const descriptor = Buffer.from([0x60, 0x40]); // version 1, independent blocks; blocks of 64 KiB at most
  const size = Buffer.alloc(4);
  size.writeUInt32LE(2 ** 31 + bytes.length);
  const magic = Buffer.from([0x04, 0x22, 0x4d, 0x18]);
  const headerChecksum = Buffer.of((xxHash32(descriptor) >> 8) & 0xff);
  return Buffer.concat([magic, descriptor, headerChecksum, size, bytes, Buffer.alloc(4)]);
}

it.each([
  ['VCS', [0x56, 0x43, 0x53, 1, 1, 0, 1]],
  ['VKCS', [0x56, 0x4b, 0x43, 0x53, 1, 1, 0, 1]],
])('takes the envelope %s off', async (_, header) => {
  const outcome = await readPiped(Buffer.concat([Buffer.from(header), storedFrame(original)]), 11);
  expect(outcome.fault).toBeUndefined();
  expect(outcome.bytes.equals(original)).toBe(true);
  expect(outcome.container).toBe('valkey-envelope+lz4');
});

it('does not care which codec the envelope names when the frame is known', async () => {
  const outcome = await readPiped(
    Buffer.concat([Buffer.from([0x56, 0x43, 0x53, 1, 9, 3, 7]), storedFrame(original)]),
  );
  expect(outcome.bytes.equals(original)).toBe(true);
});

it('names the codec of an unknown frame', async () => {
  const outcome = await readPiped(Buffer.from([0x56, 0x43, 0x53, 1, 9, 0, 1, 9, 9, 9, 9]));
  expect(outcome.fault?.code).toBe('unsupported');
  expect(outcome.fault?.problem).toContain('codec (9)');
});

it('says when the envelope or its frame is cut', async () => {
  const whole = Buffer.concat([Buffer.from([0x56, 0x43, 0x53, 1, 1, 0, 1]), storedFrame(original)]);
  for (const length of [7, 9, 12, 30_000, whole.length - 1]) {
    expect((await readPiped(whole.subarray(0, length))).fault?.code).toBe('truncated-container');
  }
});
