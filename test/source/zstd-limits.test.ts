import { describe, expect, it } from 'vitest';
import { MAX_WINDOW_BYTES } from '../../src/source/zstd.js';
import { readPiped } from './reading.js';

/** A frame header: magic, descriptor, the fields after it, then an empty last block. */
function frame(descriptor: number, fields: readonly number[]): Buffer {
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor, ...fields, 1, 0, 0]);
}

describe('a zstd frame', () => {
  it('with a window above the limit is refused before memory is taken, with the way around', async () => {
    const { fault } = await readPiped(frame(0, [(17 << 3) | 0])); // 2^27
    expect(fault?.code).toBe('unsupported');
    expect(fault?.problem).toContain(`${2 ** 27} bytes; at most ${MAX_WINDOW_BYTES}`);
    expect(fault?.advice).toContain('zstd -dc --long=31');
  });

  it('with a window at the limit is not', async () => {
    expect((await readPiped(frame(0, [(16 << 3) | 0]))).fault?.code).toBe('empty');
  });

  it('that is one segment counts its content as its window', async () => {
    const { fault } = await readPiped(frame(0xe0, [0, 0, 0, 0, 1, 0, 0, 0])); // 2^32
    expect(fault?.problem).toContain(`${2 ** 32} bytes`);
  });

  it('that needs a dictionary says so', async () => {
    const { fault } = await readPiped(frame(0x01, [0, 7]));
    expect(fault?.problem).toContain('dictionary');
  });

  it('that is skippable is passed over, also in front of the first', async () => {
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const content = Buffer.from('REDIS0011');
    const raw = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length, (content.length << 3) | 1, 0, 0]);
    const whole = Buffer.concat([skippable, raw, content, skippable, raw, content]);
    for (const chunkBytes of [1, 5, 1000]) {
      const outcome = await readPiped(whole, chunkBytes);
      expect(outcome.fault).toBeUndefined();
      expect(outcome.bytes.toString()).toBe('REDIS0011REDIS0011');
    }
  });
});
