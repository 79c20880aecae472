import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { loadSnapshot } from '../../src/load.js';
import { RdbError } from '../../src/rdb-parser/errors.js';
import { SourceError } from '../../src/source/source-error.js';
import { StoreError } from '../../src/store/index.js';
import { fileWith, pipeOf, scratchFolder } from '../source/reading.js';

const shop = fileURLToPath(new URL('../../fixtures/shop.rdb', import.meta.url));
const bytes = readFileSync(shop);
const SHOP_KEYS = 4181;

/** All rows of a query on a finished database. */
function rows(path: string, query: string): unknown[] {
  const database = new Database(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database.prepare(query).raw().all();
  } finally {
    database.close();
  }
}

const KEYS = `SELECT db, hex(key), type, encoding, elements, memory_bytes, serialized_bytes, expires_at_ms, slot
              FROM keys ORDER BY id`;

describe('a load', () => {
  it('keeps every key, and nothing beside the database', async () => {
    const folder = scratchFolder();
    const output = `${folder}/shop.sqlite`;
    const result = await loadSnapshot({ input: shop, output });
    expect(result).toMatchObject({ databasePath: output, complete: true });
    expect(rows(output, 'SELECT count(*) FROM keys')).toEqual([[SHOP_KEYS]]);
    expect(
      rows(output, 'SELECT id, path, container, file_bytes, complete, keys_read, checksum FROM files'),
    ).toEqual([[1, shop, 'plain', bytes.length, 1, SHOP_KEYS, 'ok']]);
    expect(readdirSync(folder)).toEqual(['shop.sqlite']);
  });

  it('is the same from a pipe of packed data and by plain INSERTs', async () => {
    const folder = scratchFolder();
    const plain = await loadSnapshot({ input: shop, output: `${folder}/plain.sqlite` });
    const piped = await loadSnapshot({
      input: '-',
      stdin: pipeOf(gzipSync(bytes), 999),
      output: `${folder}/piped.sqlite`,
    });
    const inserted = await loadSnapshot({
      input: shop,
      output: `${folder}/inserted.sqlite`,
      safeInsert: true,
    });
    const expected = rows(plain.databasePath, KEYS);
    expect(rows(piped.databasePath, KEYS)).toEqual(expected);
    expect(rows(inserted.databasePath, KEYS)).toEqual(expected);
    expect(rows(piped.databasePath, 'SELECT path, container, file_bytes FROM files')).toEqual([
      ['standard input', 'gzip', null],
    ]);
  });

  it('puts several inputs into one database', async () => {
    const output = `${scratchFolder()}/two.sqlite`;
    await loadSnapshot({ input: [shop, shop], output });
    expect(rows(output, 'SELECT file_id, count(*) FROM keys GROUP BY 1')).toEqual([
      [1, SHOP_KEYS],
      [2, SHOP_KEYS],
    ]);
    expect(rows(output, 'SELECT keys FROM prefixes WHERE parent_id IS NULL')).toEqual([[2 * SHOP_KEYS]]);
  });

  it('replaces a database of ours, also through a link', async () => {
    const folder = scratchFolder();
    await loadSnapshot({ input: [shop, shop], output: `${folder}/old.sqlite` });
    symlinkSync('old.sqlite', `${folder}/link.sqlite`);
    await loadSnapshot({ input: shop, output: `${folder}/link.sqlite` });
    expect(rows(`${folder}/old.sqlite`, 'SELECT count(*) FROM files')).toEqual([[1]]);
  });

  it('tells the base of an append-only file from the whole of it', async () => {
    const folder = scratchFolder();
    fileWith(folder, 'a.1.base.rdb', bytes);
    fileWith(folder, 'a.1.incr.aof', 'x'.repeat(77));
    fileWith(folder, 'a.manifest', 'file a.1.base.rdb seq 1 type b\nfile a.1.incr.aof seq 1 type i\n');
    const output = `${folder}/aof.sqlite`;
    const result = await loadSnapshot({ input: folder, output });
    expect(result.files[0]?.warnings[0]).toContain('in incremental files (1, 77 bytes in all)');
    expect(
      rows(output, "SELECT severity, text LIKE '%append-only%' FROM problems WHERE code = 'input'"),
    ).toEqual([['info', 1]]);
  });

  it('tells of bytes behind compressed data', async () => {
    const output = `${scratchFolder()}/tail.sqlite`;
    const whole = Buffer.concat([gzipSync(bytes), Buffer.from('signature')]);
    const result = await loadSnapshot({ input: '-', stdin: pipeOf(whole, 4096), output });
    expect(result.complete).toBe(true);
    expect(result.files[0]?.warnings).toEqual([
      '9 bytes stand behind the compressed data and belong to nothing',
    ]);
  });
});

describe('a damaged snapshot', () => {
  it.each([
    ['cut', () => bytes.subarray(0, 250_000), RdbError],
    ['cut inside its packing', () => gzipSync(bytes).subarray(0, 120_000), SourceError],
  ])('that is %s keeps what came before, marked', async (_, damaged, errorClass) => {
    const output = `${scratchFolder()}/cut.sqlite`;
    const result = await loadSnapshot({ input: '-', stdin: pipeOf(damaged(), 65536), output });
    expect(result.complete).toBe(false);
    expect(result.error).toBeInstanceOf(errorClass);
    const [file] = rows(output, 'SELECT complete, incomplete_reason, keys_read FROM files');
    const [complete, reason, keys] = file as [number, string, number];
    expect(complete).toBe(0);
    expect(reason).toBe(result.error?.message);
    expect(keys).toBeGreaterThan(500);
    expect(rows(output, 'SELECT count(*) FROM keys')).toEqual([[keys]]);
  });

  it('with a wrong checksum has all its keys and is marked', async () => {
    const wrong = Buffer.from(bytes);
    wrong[wrong.length - 3] = wrong[wrong.length - 3]! ^ 1;
    const output = `${scratchFolder()}/wrong.sqlite`;
    const result = await loadSnapshot({ input: '-', stdin: pipeOf(wrong, 65536), output });
    expect(result.complete).toBe(false);
    expect(rows(output, 'SELECT complete, checksum, keys_read FROM files')).toEqual([
      [0, 'mismatch', SHOP_KEYS],
    ]);
  });
});

describe('nothing is left behind', () => {
  it('when there is no snapshot', async () => {
    const folder = scratchFolder();
    const text = fileWith(folder, 'a.json', '{"a": 1}');
    await expect(loadSnapshot({ input: text, output: `${folder}/a.sqlite` })).rejects.toMatchObject({
      code: 'foreign',
    });
    await expect(loadSnapshot({ input: [shop, text], output: `${folder}/b.sqlite` })).rejects.toBeInstanceOf(
      SourceError,
    );
    const letters = fileWith(folder, 'letters', 'REDISabcd');
    await expect(loadSnapshot({ input: letters, output: `${folder}/c.sqlite` })).rejects.toBeInstanceOf(
      RdbError,
    );
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'letters']);
  });

  it('when the name is taken by something that is not ours', async () => {
    const folder = scratchFolder();
    const output = fileWith(folder, 'letter.txt', 'Dear reader');
    await expect(loadSnapshot({ input: shop, output })).rejects.toMatchObject({
      name: 'StoreError',
      code: 'not-ours',
    });
    expect(readFileSync(output, 'utf8')).toBe('Dear reader');
    expect(readdirSync(folder)).toEqual(['letter.txt']);
  });

  it('when there is no such folder', async () => {
    const output = `${scratchFolder()}/none/a.sqlite`;
    await expect(loadSnapshot({ input: shop, output })).rejects.toBeInstanceOf(StoreError);
  });

  it('when the disk is full', () => {
    const folder = scratchFolder();
    const script = `
      import { loadSnapshot } from ${JSON.stringify(new URL('../../dist/load.js', import.meta.url).href)};
      try {
        await loadSnapshot({ input: ${JSON.stringify(shop)}, output: ${JSON.stringify(`${folder}/a.sqlite`)} });
      } catch (error) {
        console.log(error.name, error.code, error.message);
      }`;
    // A limit of 200 KiB on what a file may grow to stands in for a full disk.
    const node = `"${process.execPath}" --input-type=module -e "$0"`;
    const said = execFileSync('bash', ['-c', `ulimit -f 200; ${node}`, script], { encoding: 'utf8' });
    expect(said).toMatch(/^StoreError io .*a\.sqlite/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('when it is stopped', async () => {
    const folder = scratchFolder();
    const stdin = new PassThrough();
    stdin.write(bytes.subarray(0, 300_000));
    const stop = new AbortController();
    const partial = `a.sqlite.partial-${process.pid}`;
    const loading = loadSnapshot({ input: '-', stdin, output: `${folder}/a.sqlite`, signal: stop.signal });
    const look = setInterval(() => {
      // Alone: its tables are made, it waits for more input.
      if (readdirSync(folder).join() !== partial) return;
      clearInterval(look);
      stop.abort(new Error('stopped by the test'));
    }, 20);
    await expect(loading).rejects.toThrow('stopped by the test');
    expect(readdirSync(folder)).toEqual([]);
  });
});
