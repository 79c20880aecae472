import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InspectRequest, inspectKey, KeyNotFound } from '../../src/inspect/inspect.js';
import type { KeyLayout } from '../../src/inspect/key-layout.js';
import { layoutDocument } from '../../src/inspect/layout-document.js';
import { loadSnapshot } from '../../src/load.js';
import { parsePrintable, printableBytes } from '../../src/rdb-parser/index.js';
import { renderers } from '../../src/render/index.js';
import { openStore } from '../../src/store/index.js';
import { decode } from '../decode.js';
import { readFixture, readTruthSet, truthById, truthId } from '../fixtures.js';
import { listpack, RdbBytes } from '../rdb-bytes.js';
import { streamKey } from '../stream-bytes.js';

const folder = mkdtempSync(join(tmpdir(), 'rdbscope-inspect-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
async function layoutIn(bytes: Uint8Array, request: Partial<InspectRequest>): Promise<KeyLayout> {
  const path = join(folder, `${++files}.rdb`);
  writeFileSync(path, bytes);
  return (await inspectKey({ input: path, ...request })).layout;
}

const key = (text: string): Uint8Array => parsePrintable(text);

/** 40,000 items of one byte, and one long one. */
function longList(): Uint8Array {
  const bytes = new RdbBytes('REDIS0011').hex('fe 00 00 01 61 01 76').hex('12 01 6c 03');
  bytes.hex('02').string(listpack(Array.from({ length: 40_000 }, () => 'x')));
  bytes.hex('01').string(Buffer.alloc(20_000, 'long '));
  bytes.hex('02').string(listpack(['y', 'a longer one']));
  return bytes.hex('fe 07 00 01 6c 01 77').sentinel().end();
}

describe('a key', () => {
  it('is found by its name, in the first database that has it', async () => {
    const layout = await layoutIn(longList(), { key: key('l'), top: 2 });
    expect(layout).toMatchObject({
      db: 0,
      type: 'list',
      elements: 40_003,
      nodes: {
        count: 3,
        plain: 1,
        largest: [
          { index: 0, elements: 40_000 },
          { container: 'plain', bytes: 20_000 },
        ],
      },
      longest: [
        { index: 40_000, text: { length: 20_000 } },
        { index: 40_002, text: { length: 12 } },
      ],
    });
    expect(layout.longest[0]!.text.bytes).toHaveLength(256);
  });

  it('is found in the database that is asked for', async () => {
    expect(await layoutIn(longList(), { key: key('l'), db: 7 })).toMatchObject({ db: 7, type: 'string' });
  });

  it('is read at an offset, whatever its name', async () => {
    const bytes = readFixture('shop.rdb');
    const { keys } = decode(bytes);
    for (const index of [0, 1, 17, 2000, keys.length - 1]) {
      const expected = keys[index]!;
      const layout = await layoutIn(bytes, { offset: Number(expected.offset) });
      expect(printableBytes(layout.key)).toBe(expected.key);
      expect(layout).toMatchObject({ type: expected.type, elements: expected.elements, db: undefined });
    }
  });

  it('is read out of a pipe and out of compressed data', async () => {
    const bytes = readFixture('shop.rdb');
    const stdin = (data: Uint8Array): Readable => Readable.from([data], { objectMode: false });
    const offset = Number(decode(bytes).keys.find((found) => found.key === 'rank:global')!.offset);
    for (const data of [bytes, gzipSync(bytes)]) {
      const byName = await inspectKey({ input: '-', stdin: stdin(data), key: key('rank:global') });
      const byOffset = await inspectKey({ input: '-', stdin: stdin(data), offset });
      expect(byName.layout).toMatchObject({ type: 'zset', elements: 3000, encoding: 'skiplist', offset });
      expect(byOffset.layout).toEqual({ ...byName.layout, db: undefined });
    }
  });

  it('may have any bytes', async () => {
    const bytes = new RdbBytes().hex('00 04 000aff5c 01 76').sentinel().end();
    expect(await layoutIn(bytes, { key: key('\\x00\\x0a\\xff\\x5c') })).toMatchObject({ type: 'string' });
  });

  it('shows which fields expire first', async () => {
    const hash = listpack(['soon', 'v', 100_000, 'later', 'w', 200_000, 'never', 'u', 0]);
    const bytes = new RdbBytes('REDIS0012').hex('19 K a086010000000000').string(hash).sentinel().end();
    const layout = await layoutIn(bytes, { key: key('k') });
    expect(layout).toMatchObject({ fieldsWithTtl: 2, firstFieldExpiryMs: 100_000 });
    expect(layout.expiring.map((field) => [printableBytes(field.text.bytes), field.expiresAtMs])).toEqual([
      ['soon', 100_000],
      ['later', 200_000],
    ]);
  });

  it('shows groups and consumers by what they have pending', async () => {
    const ids = Array.from({ length: 9 }, (_, i) => [1, i] as const);
    const groups = ['few', 'many'].map((name, i) => ({
      name,
      pending: ids.slice(0, 2 + 7 * i),
      consumers: [
        { name: 'idle', pending: [] },
        { name: 'busy', pending: ids.slice(0, 2 + 7 * i) },
      ],
    }));
    const bytes = new RdbBytes()
      .bytes(streamKey(3, 's', { groups }))
      .sentinel()
      .end();
    const { stream } = await layoutIn(bytes, { key: key('s'), top: 2 });
    expect(stream).toMatchObject({
      groups: 2,
      consumers: 4,
      pending: 11,
      groupList: [{ pending: 9 }, { pending: 2 }],
    });
    expect(stream!.consumerList).toMatchObject([{ pending: 9 }, { pending: 2 }]);
    expect(printableBytes(stream!.consumerList[0]!.group.bytes)).toBe('many');
  });

  it('that is not there is told', async () => {
    await expect(layoutIn(longList(), { key: key('nope') })).rejects.toThrow(KeyNotFound);
    await expect(layoutIn(longList(), { key: key('l'), db: 3 })).rejects.toThrow('no key "l" in db 3');
  });

  it('that lies behind damage is not found, and the damage is told', async () => {
    const bytes = new RdbBytes().hex('00 K 01 76 c8').sentinel().end();
    await expect(layoutIn(bytes, { key: key('after') })).rejects.toThrow('byte 200');
    expect(await layoutIn(bytes, { key: key('k') })).toMatchObject({ type: 'string' });
  });
});

describe('the database', () => {
  const snapshot = join(folder, 'shop.rdb');
  const database = join(folder, 'shop.sqlite');
  beforeAll(async () => {
    writeFileSync(snapshot, readFixture('shop.rdb'));
    await loadSnapshot({ input: snapshot, output: database });
  });

  it('knows where a key stands, and agrees about it', async () => {
    const store = openStore(database);
    const sample = store
      .prepare(
        "SELECT key, db, type, encoding, memory_bytes, elements FROM keys WHERE id % 397 = 1 AND typeof(key) = 'text'",
      )
      .all() as {
      key: string;
      db: number;
      type: string;
      encoding: string;
      memory_bytes: number;
      elements: number;
    }[];
    store.close();
    expect(sample.length).toBeGreaterThan(5);
    for (const row of sample) {
      const { layout, input } = await inspectKey({ input: database, key: Buffer.from(row.key), db: row.db });
      expect(input).toBe(snapshot);
      expect(layout).toMatchObject({
        db: row.db,
        type: row.type,
        encoding: row.encoding,
        memoryBytes: row.memory_bytes,
        elements: row.elements,
      });
    }
  });

  it('is told when the snapshot is another one by now', async () => {
    const lied = join(folder, 'other.rdb');
    writeFileSync(lied, readFixture('shop.rdb'));
    const other = join(folder, 'other.sqlite');
    await loadSnapshot({ input: lied, output: other });
    const changed = new RdbBytes();
    for (let i = 0; i < 20_000; i++) changed.hex('00').string(`filler:${i}`).string('v');
    writeFileSync(lied, changed.hex('00').string('rank:global').string('x').end());
    const outcome = inspectKey({ input: other, key: key('rank:global') });
    await expect(outcome.then(({ layout, warnings }) => [layout.type, warnings.length > 0])).resolves.toEqual(
      ['string', true],
    );
  });
});

describe('a server’s own word', () => {
  it('agrees with the longest element and the memory of every key', async () => {
    const set = readTruthSet('redis-7.2-small');
    const truth = truthById(set.written);
    const path = join(folder, 'truth.rdb');
    writeFileSync(path, set.snapshot);
    const { keys } = decode(set.snapshot);
    const step = Math.ceil(keys.length / 40);
    for (const { offset, db } of keys.filter((_, i) => i % step === 0)) {
      const { layout } = await inspectKey({ input: path, offset: Number(offset), db: Number(db) });
      const said = truth.get(truthId(Number(db), layout.key));
      if (said?.max_elem !== undefined && layout.longestBytes !== undefined) {
        expect(layout.longestBytes).toBe(said.max_elem);
      }
      expect(layout.encoding).toBe(said?.encoding);
    }
  });
});

describe('the document', () => {
  it('renders in every format, with nothing hostile in it', async () => {
    const hash = listpack(['\u001b[31mred', '\u202e', '<script>', 'v']);
    const bytes = new RdbBytes().hex('10 05 1b5b326a0a').string(hash).sentinel().end();
    const path = join(folder, 'hostile.rdb');
    writeFileSync(path, bytes);
    const inspection = await inspectKey({ input: path, key: key('\\x1b[2j\\x0a') });
    const options = { width: 80, color: false, showSql: false, raw: false, generator: 'test' };
    for (const renderer of Object.values(renderers)) {
      const text = await renderer.render([layoutDocument(inspection)], options);
      expect(text).not.toMatch(/[\u001b\u202e]/);
      expect(text).not.toContain('<script>v');
    }
  });
});
