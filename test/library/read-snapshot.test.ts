import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ElementBytes,
  printableBytes,
  RdbError,
  readSnapshot,
  type SnapshotKey,
  visitKey,
} from '../../src/rdb-parser/index.js';
import { readFixture } from '../fixtures.js';
import { RdbBytes } from '../rdb-bytes.js';

const PATH = fileURLToPath(new URL('../../fixtures/shop.rdb', import.meta.url));
const bytes = readFixture('shop.rdb');
const folder = mkdtempSync(join(tmpdir(), 'rdbscope-library-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* pieces(data: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += pieceBytes) yield data.subarray(at, at + pieceBytes);
}

async function all(keys: AsyncIterable<SnapshotKey>): Promise<SnapshotKey[]> {
  const gathered: SnapshotKey[] = [];
  for await (const key of keys) gathered.push(key);
  return gathered;
}

describe('readSnapshot', () => {
  it('gives every key as an object of its own, from bytes and from a path', () => {
    const keys = [...readSnapshot(bytes)];
    expect(keys).toHaveLength(4181);
    expect([...readSnapshot(PATH)]).toEqual(keys);
    expect(new Set(keys.map(({ db, key }) => `${db} ${printableBytes(key)}`)).size).toBe(4181);
    expect(keys.find(({ key }) => printableBytes(key) === 'rank:global')).toMatchObject({
      db: 0,
      type: 'zset',
      typeName: 'ZSET_2',
      elements: 3000,
      packing: undefined,
      expiresAtMs: undefined,
      idleSeconds: undefined,
      moduleName: undefined,
    });
  });

  it('tells facts of the whole snapshot', () => {
    const snapshot = readSnapshot(bytes);
    for (const _ of snapshot);
    expect(snapshot.facts).toMatchObject({
      keysRead: 4181,
      checksum: 'ok',
      complete: true,
      magic: 'REDIS0010',
    });
  });

  it('keeps an expiry exactly', () => {
    const [key] = [...readSnapshot(new RdbBytes().hex('fc ffffffffffffff7f 00 K 01 76').end())];
    expect(key!.expiresAtMs).toBe(2n ** 63n - 1n);
  });

  it('throws where the snapshot is damaged, and has given what stands before', () => {
    const given: SnapshotKey[] = [];
    expect(() => {
      for (const key of readSnapshot(new RdbBytes().hex('00 K 01 76 c8').end())) given.push(key);
    }).toThrow(RdbError);
    expect(given).toHaveLength(1);
  });

  it('passes a missing file’s error through', () => {
    expect(() => [...readSnapshot(join(folder, 'nowhere.rdb'))]).toThrow(/ENOENT/);
  });

  it('leaves no file open when it is not read to its end', () => {
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 5; i++) for (const _ of readSnapshot(PATH)) break;
    expect(open()).toBe(before);
  });

  it('shows elements of the keys that are asked for', () => {
    const fields: string[] = [];
    const text = ({ bytes: from, kept }: ElementBytes): string => printableBytes(from.subarray(0, kept));
    const visitor = {
      keepBytes: 4,
      pair: (field: ElementBytes) => fields.push(`${text(field)}/${field.length}`),
    };
    const visit = ({ key }: { key: Uint8Array }) => (printableBytes(key) === 'h' ? visitor : undefined);
    const two = new RdbBytes()
      .hex('04 01 68 01 06 6669656c6473 01 76 04 01 69 01 01 66 01 76')
      .sentinel()
      .end();
    expect([...readSnapshot(two, { visit })]).toHaveLength(3);
    expect(fields).toEqual(['fiel/6']);
  });
});

describe('readSnapshot of a stream', () => {
  it.each([1000, 65_536, 10_000_000])('gives the same keys, in pieces of %i bytes', async (pieceBytes) => {
    const snapshot = readSnapshot(pieces(bytes, pieceBytes));
    expect(snapshot.facts).toBeUndefined();
    const keys = await all(snapshot);
    expect(keys).toEqual([...readSnapshot(bytes)]);
    expect(snapshot.facts).toMatchObject({ keysRead: 4181, checksum: 'ok', complete: true });
  });

  it('reads a file stream, and bytes that come one at a time', async () => {
    expect(await all(readSnapshot(createReadStream(PATH)))).toHaveLength(4181);
    const small = new RdbBytes().hex('00 K 01 76').sentinel().end();
    expect(await all(readSnapshot(pieces(small, 1)))).toEqual([...readSnapshot(small)]);
  });

  it('throws where the snapshot is damaged, after the keys before it', async () => {
    const given: SnapshotKey[] = [];
    const reading = async (): Promise<void> => {
      for await (const key of readSnapshot(pieces(bytes.subarray(0, 100_000), 9000))) given.push(key);
    };
    await expect(reading()).rejects.toMatchObject({
      name: 'RdbError',
      code: 'truncated',
      at: { offset: 100_000 },
    });
    expect(given.length).toBeGreaterThan(500);
  });

  it("throws the stream's own error, after the keys before it", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 50_000);
      throw new Error('the network is gone');
    }
    const given: SnapshotKey[] = [];
    const reading = async (): Promise<void> => {
      for await (const key of readSnapshot(failing())) given.push(key);
    };
    await expect(reading()).rejects.toThrow('the network is gone');
    expect(given.length).toBeGreaterThan(100);
  });

  it('lets go of a stream that is not read to its end', async () => {
    const stream = createReadStream(PATH, { highWaterMark: 1000 });
    for await (const _ of readSnapshot(stream)) break;
    expect(stream.destroyed).toBe(true);
    const never = new Readable({ read() {} });
    never.push(bytes.subarray(0, 200_000));
    for await (const _ of readSnapshot(never)) break;
    expect(never.destroyed).toBe(true);
  });

  it('gives all keys to a slow consumer', async () => {
    let taken = 0;
    for await (const _ of readSnapshot(pieces(bytes, 5000))) {
      if (++taken % 1000 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(taken).toBe(4181);
  });
});

describe('visitKey', () => {
  it('shows the elements of one key and tells the rest', () => {
    let members = 0;
    const key = visitKey(PATH, 'rank:global', { keepBytes: 0, scored: () => members++ });
    expect(key).toMatchObject({ type: 'zset', elements: 3000 });
    expect(members).toBe(3000);
  });

  it('looks in the database that is asked for', () => {
    const two = new RdbBytes().hex('fe 00 00 K 01 76 fe 01 01 K 01 01 61').sentinel().end();
    const visitor = { keepBytes: 1 };
    expect(visitKey(two, 'k', visitor, { db: 1 })).toMatchObject({ db: 1, type: 'list' });
    expect(visitKey(two, Buffer.from('k'), visitor)).toMatchObject({ db: 0, type: 'string' });
    expect(visitKey(two, 'k', visitor, { db: 2 })).toBeUndefined();
  });
});
