import { closeSync, mkdtempSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Ring, RingSource, RingWriter, type RunningChecksum } from '../../src/source/ring.js';
import { SourceError } from '../../src/source/source-error.js';
import { snapshotBytes } from './reading.js';

/** A checksum that shows order and boundaries: position-weighted sum. */
class Sum implements RunningChecksum {
  value = 0n;
  update(bytes: Uint8Array, start: number, end: number): void {
    let sum = 0;
    for (let i = start; i < end; i++) sum = (sum * 31 + bytes[i]!) % 1_000_003;
    this.value = this.value * 1_000_003n + BigInt(sum);
    this.value %= 2n ** 61n - 1n;
  }
}

function sumOf(bytes: Uint8Array, cuts: readonly number[]): bigint {
  const sum = new Sum();
  let from = 0;
  for (const cut of cuts) {
    sum.update(bytes, from, cut);
    from = cut;
  }
  return sum.value;
}

async function* inChunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  const reused = new Uint8Array(chunkBytes);
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const part = bytes.subarray(at, at + chunkBytes);
    reused.set(part);
    yield reused.subarray(0, part.length);
  }
}

function fileOf(bytes: Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'rdbscope-ring-')), 'dump.rdb');
  writeFileSync(file, bytes);
  return file;
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
      const sending = new RingWriter(ring, new Sum()).send(inChunks(bytes, chunkBytes));
      const source = new RingSource(Ring.attach(ring.memory), new Sum());
      const window = new Uint8Array(readBytes);
      const got: Buffer[] = [];
      const perSlot = Math.min(slotBytes, chunkBytes);
      for (;;) {
        await tick();
        const count = source.read(window, 0);
        if (count === 0) break;
        got.push(Buffer.from(window.subarray(0, count)));
        if (got.length === 1) expect(source.checksumBeforeRead).toBe(0n);
        if (perSlot <= readBytes && got.length === 2) {
          expect(source.checksumBeforeRead).toBe(sumOf(bytes, [got[0]!.length]));
        }
      }
      await sending;
      expect(Buffer.concat(got).equals(bytes)).toBe(true);
    },
  );

  it.each([2, 3, 5, 16])('wakes a writer that waits, with %i slots', async (slots) => {
    const bytes = snapshotBytes(5000);
    const ring = Ring.create(slots, 64);
    const sending = new RingWriter(ring, new Sum()).send(inChunks(bytes, 64));
    const source = new RingSource(Ring.attach(ring.memory), new Sum());
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
      const writer = new RingWriter(ring, new Sum());
      const sending = writer.send(inChunks(bytes, 50));
      const source = new RingSource(Ring.attach(ring.memory), new Sum());
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

  it('leaves the bytes in a file that both ends read', async () => {
    const bytes = snapshotBytes(20_000);
    const file = fileOf(Buffer.concat([Buffer.from('in front'), bytes]));
    const fd = openSync(file, 'r');
    const ring = Ring.create(4, 1024);
    const sending = new RingWriter(ring, new Sum(), false).send(inChunks(bytes, 300));
    const source = new RingSource(Ring.attach(ring.memory), new Sum(), bytes.length, {
      name: file,
      fd,
      start: 8,
    });
    const window = new Uint8Array(200);
    const got: Buffer[] = [];
    let before = 0;
    for (;;) {
      await tick();
      const count = source.read(window, 0);
      if (count === 0) break;
      const chunks = Array.from({ length: Math.floor(before / 300) }, (_, i) => (i + 1) * 300);
      expect(source.checksumBeforeRead).toBe(sumOf(bytes, before % 300 === 0 ? chunks : [...chunks, before]));
      before += count;
      got.push(Buffer.from(window.subarray(0, count)));
    }
    await sending;
    closeSync(fd);
    expect(Buffer.concat(got).equals(bytes)).toBe(true);
    expect(ring.slot(0).every((byte) => byte === 0)).toBe(true);
  });

  it('says so when that file becomes shorter', async () => {
    const bytes = snapshotBytes(1000);
    const file = fileOf(bytes);
    const fd = openSync(file, 'r');
    const ring = Ring.create(4, 1024);
    await new RingWriter(ring, new Sum(), false).send(inChunks(bytes, 1000));
    truncateSync(file, 400);
    const source = new RingSource(ring, new Sum(), bytes.length, { name: file, fd, start: 0 });
    expect(() => source.read(new Uint8Array(1000), 0)).toThrow(
      `${file} became shorter while it was read: byte 400 is gone`,
    );
    closeSync(fd);
  });

  it('knows the checksum before a part of a slot', async () => {
    const bytes = snapshotBytes(300);
    const ring = Ring.create(4, 128);
    await new RingWriter(ring, new Sum()).send(inChunks(bytes, 128));
    const source = new RingSource(ring, new Sum());
    source.read(new Uint8Array(128), 0);
    source.read(new Uint8Array(40), 0);
    expect(source.checksumBeforeRead).toBe(sumOf(bytes, [128]));
    source.read(new Uint8Array(40), 0);
    expect(source.checksumBeforeRead).toBe(sumOf(bytes, [128, 168]));
  });

  it('gives the end again and again', async () => {
    const ring = Ring.create(2, 64);
    await new RingWriter(ring, new Sum()).send(inChunks(new Uint8Array(10), 10));
    const source = new RingSource(ring, new Sum());
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
    await new RingWriter(ring, new Sum()).send(broken());
    const source = new RingSource(ring, new Sum());
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
    const sending = new RingWriter(ring, new Sum()).send(endless());
    const taken = { slots: 0 };
    while (!readable(ring, taken)) await tick();
    const source = new RingSource(ring, new Sum());
    source.read(new Uint8Array(64), 0);
    source.close();
    await sending;
    expect(released).toBe(true);
  });

  it('lets a waiting writer go when it is abandoned', async () => {
    const ring = Ring.create(2, 64);
    const writer = new RingWriter(ring, new Sum());
    const sending = writer.send(inChunks(new Uint8Array(1000), 64));
    await tick();
    writer.abandon();
    await sending;
    expect(Atomics.load(ring.control, 0)).toBe(2);
  });
});
