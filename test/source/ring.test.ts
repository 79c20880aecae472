import { describe, expect, it } from 'vitest';
import { Ring, RingSource, RingWriter } from '../../src/source/ring.js';
import { SourceError } from '../../src/source/source-error.js';
import { snapshotBytes } from './reading.js';

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const part = bytes.subarray(at, at + chunkBytes);
    reused.set(part);
    yield reused.subarray(0, part.length);
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads when something is there, as one thread that must not block can; null when nothing is. */
function readable(ring: Ring, taken: { slots: number }): boolean {
  return Atomics.load(ring.control, 0) !== taken.slots;
}

describe('the ring', () => {
  it.each([
    [64, 64, 1000],
    [64, 7, 1000],
    [64, 1000, 13],
    [1024, 300, 5000],
  ])(
    'carries slots of %i bytes, chunks of %i, reads of %i in order',
    async (slotBytes, chunkBytes, readBytes) => {
      const bytes = snapshotBytes(20_000);
      const ring = Ring.create(4, slotBytes);
      const sending = new RingWriter(ring).send(inChunks(bytes, chunkBytes));
      const source = new RingSource(Ring.attach(ring.memory));
      const window = new Uint8Array(readBytes);
      const got: Buffer[] = [];
      for (;;) {
        await tick();
        const count = source.read(window, 0);
        if (count === 0) break;
        got.push(Buffer.from(window.subarray(0, count)));
      }
      await sending;
      expect(Buffer.concat(got).equals(bytes)).toBe(true);
    },
  );

  it.each([2, 3, 5, 16])('wakes a writer that waits, with %i slots', async (slots) => {
    const bytes = snapshotBytes(5000);
    const ring = Ring.create(slots, 64);
    const sending = new RingWriter(ring).send(inChunks(bytes, 64));
    const source = new RingSource(Ring.attach(ring.memory));
    const window = new Uint8Array(64);
    let got = 0;
    for (;;) {
      // Long enough for the writer to fill every slot that is free, and to wait.
      for (let turn = 0; turn < 2 * slots + 4; turn++) await tick();
      const count = source.read(window, 0);
      if (count === 0) break;
      expect(Buffer.compare(window.subarray(0, count), bytes.subarray(got, got + count))).toBe(0);
      got += count;
    }
    await sending;
    expect(got).toBe(bytes.length);
  });

  it('serves one snapshot after another, also behind one that was not read to its end', async () => {
    const ring = Ring.create(4, 64);
    const window = new Uint8Array(64);
    for (const [length, reads] of [
      [3000, 5],
      [100, 1000],
      [3000, 1],
      [0, 1000],
      [3000, 1000],
    ] as const) {
      ring.reset();
      const bytes = snapshotBytes(length);
      const writer = new RingWriter(ring);
      const sending = writer.send(inChunks(bytes, 50));
      const source = new RingSource(Ring.attach(ring.memory));
      const got: Buffer[] = [];
      for (let read = 0; read < reads; read++) {
        for (let turn = 0; turn < 12; turn++) await tick();
        const count = source.read(window, 0);
        if (count === 0) break;
        got.push(Buffer.from(window.subarray(0, count)));
      }
      source.close();
      writer.abandon();
      await sending;
      const whole = Buffer.concat(got);
      expect(whole.equals(bytes.subarray(0, whole.length))).toBe(true);
      expect(whole.length).toBe(reads === 1000 ? length : 50 * reads);
    }
  });

  it('gives the end again and again', async () => {
    const ring = Ring.create(2, 64);
    await new RingWriter(ring).send(inChunks(new Uint8Array(10), 10));
    const source = new RingSource(ring);
    const window = new Uint8Array(100);
    expect([source.read(window, 0), source.read(window, 0), source.read(window, 0)]).toEqual([10, 0, 0]);
  });

  it('brings an error behind the bytes before it, whole', async () => {
    const fault = {
      code: 'damaged-container',
      input: 'é.gz',
      problem: 'is damaged',
      advice: 'Copy it again.',
    } as const;
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('REDIS');
      throw new SourceError(fault);
    }
    const ring = Ring.create(4, 256);
    await new RingWriter(ring).send(broken());
    const source = new RingSource(ring);
    const window = new Uint8Array(10);
    expect(source.read(window, 0)).toBe(5);
    for (let i = 0; i < 2; i++) {
      try {
        source.read(window, 0);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(SourceError);
        expect((error as SourceError).fault).toEqual(fault);
      }
    }
  });

  it('lets the writer go when the reader stops early', async () => {
    let released = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield new Uint8Array(64);
      } finally {
        released = true;
      }
    }
    const ring = Ring.create(2, 64);
    const sending = new RingWriter(ring).send(endless());
    const taken = { slots: 0 };
    while (!readable(ring, taken)) await tick();
    const source = new RingSource(ring);
    source.read(new Uint8Array(64), 0);
    source.close();
    await sending;
    expect(released).toBe(true);
  });

  it('lets a waiting writer go when it is abandoned', async () => {
    const ring = Ring.create(2, 64);
    const writer = new RingWriter(ring);
    const sending = writer.send(inChunks(new Uint8Array(1000), 64));
    await tick();
    writer.abandon();
    await sending;
    expect(Atomics.load(ring.control, 0)).toBe(2);
  });
});
