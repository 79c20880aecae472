import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { verdictLine, verificationJson } from '../../src/cli/verdict.js';
import { type Verification, verifySnapshot } from '../../src/verify/verify.js';
import { readFixture } from '../fixtures.js';
import { listpack, RdbBytes } from '../rdb-bytes.js';

const folder = mkdtempSync(join(tmpdir(), 'rdbscope-verify-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sound = (): RdbBytes => new RdbBytes().hex('fe 00 fb 02 00 00 K 01 76');

function verifyBytes(
  bytes: Uint8Array,
  options: { readonly shallow?: boolean; readonly strict?: boolean } = {},
): Promise<Verification> {
  const path = join(folder, 'dump.rdb');
  writeFileSync(path, bytes);
  return verifySnapshot({ input: path, ...options });
}

function verifyPiped(bytes: Uint8Array, pieceBytes: number): Promise<Verification> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, i) =>
    bytes.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  );
  return verifySnapshot({ input: '-', stdin: Readable.from(pieces, { objectMode: false }) });
}

describe('a verdict', () => {
  it.each([false, true])('is "sound" for what a server wrote (shallow: %s)', async (shallow) => {
    const verification = await verifyBytes(readFixture('shop.rdb'), { shallow });
    expect(verification).toMatchObject({
      sound: true,
      damage: [],
      warnings: [],
      comparedShare: shallow ? 0 : 1,
    });
    expect(verdictLine(verification)).toMatch(
      /dump\.rdb: sound: 4,181 keys, 386 KB, REDIS0010 of redis 7\.0\.15, checksum right/,
    );
  });

  const flipped = (): Uint8Array => {
    const bytes = Buffer.from(sound().sentinel().end());
    bytes[18] = bytes[18]! ^ 1;
    return bytes;
  };

  it.each<[what: string, bytes: () => Uint8Array, said: RegExp]>([
    ['103, 105: one flipped bit', flipped, /its checksum is [0-9a-f]{16}, its bytes give [0-9a-f]{16}/],
    ['103: a cut end', () => sound().raw(), /the input ends .*at byte 19.*1 key before it/],
    ['103: a record that is not known', () => sound().hex('c8').end(), /byte 200.*at byte 19/],
    [
      '103: a key twice',
      () => sound().hex('00 K 01 77').end(),
      /a key stands twice.*at byte 19, db 0, key "k"/,
    ],
    [
      '103: a field twice',
      () =>
        sound()
          .hex('10 01 68')
          .string(listpack(['f', 'v', 'f', 'w']))
          .end(),
      /has a field twice.*key "h"/,
    ],
    [
      'a score that is no number',
      () => sound().hex('05 01 7a 01 01 61 000000000000f87f').end(),
      /no numbers/,
    ],
    [
      'a packed value whose parts disagree',
      () =>
        sound()
          .hex('10 01 68')
          .string(listpack(['f', 'v'], 3))
          .end(),
      /announces 3 elements and holds 2/,
    ],
  ])('is "damaged" for %s', async (_, bytes, said) => {
    const verification = await verifyBytes(bytes());
    expect(verification.sound).toBe(false);
    expect(verdictLine(verification)).toMatch(/^\S*dump\.rdb: damaged: /);
    expect(verdictLine(verification)).toMatch(said);
    expect(verdictLine(verification)).not.toContain('\n');
  });

  it.each<[what: string, bytes: () => Uint8Array, code: string]>([
    ['other counts than announced', () => sound().end(), 'count-mismatch'],
    [
      'bytes behind its end',
      () => Buffer.concat([sound().sentinel().end(), Buffer.from('junk')]),
      'trailing-bytes',
    ],
    ['a newer version', () => new RdbBytes('REDIS0099').sentinel().end(), 'newer-version'],
  ])('is "sound" with a warning for %s, and "damaged" when that is to count', async (_, bytes, code) => {
    const lenient = await verifyBytes(bytes());
    expect(lenient).toMatchObject({ sound: true, warnings: [{ code }] });
    expect(verdictLine(lenient)).toContain('1 warning');
    expect(await verifyBytes(bytes(), { strict: true })).toMatchObject({ sound: false, damage: [{ code }] });
  });

  it('looks into values and compares keys only when it is not shallow', async () => {
    const bytes = sound()
      .hex('00 K 01 77')
      .hex('10 01 68')
      .string(listpack(['f', 'v', 'f', 'w']))
      .end();
    expect(await verifyBytes(bytes)).toMatchObject({ sound: false });
    const shallow = await verifyBytes(bytes, { shallow: true });
    expect(shallow).toMatchObject({ sound: true });
    expect(verdictLine(shallow)).toContain('values not looked into');
  });

  it('counts a repeated key in each database for itself', async () => {
    const bytes = new RdbBytes().hex('00 K 01 76 fe 01 00 K 01 76 fe 00 00 K 01 76 00 K 01 76').end();
    expect((await verifyBytes(bytes)).damage).toMatchObject([{ code: 'duplicate-key', count: 2, db: 0 }]);
  });
});

describe('inputs', () => {
  const bytes = readFixture('shop.rdb');

  it.each([1000, 4096, 1_000_000])('reads a pipe in pieces of %i bytes', async (pieceBytes) => {
    expect(await verifyPiped(bytes, pieceBytes)).toMatchObject({ sound: true, facts: { keysRead: 4181 } });
  });

  it('reads compressed data, and tells what follows it', async () => {
    expect(await verifyPiped(gzipSync(bytes), 10_000)).toMatchObject({ sound: true, container: 'gzip' });
    const followed = Buffer.concat([gzipSync(bytes), Buffer.from('garbage')]);
    const verification = await verifyPiped(followed, 10_000);
    expect(verification).toMatchObject({ sound: true, warnings: [{ code: 'trailing-bytes' }] });
  });

  it('keeps what was read when compressed data is cut', async () => {
    const verification = await verifyPiped(gzipSync(bytes).subarray(0, 50_000), 10_000);
    expect(verification).toMatchObject({ sound: false, error: { name: 'SourceError' } });
    expect(verification.facts.keysRead).toBeGreaterThan(100);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const path = join(folder, 'aborted.rdb');
    writeFileSync(path, bytes);
    await expect(verifySnapshot({ input: path, signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('rdbscope verify', () => {
  async function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const said = { stdout: '', stderr: '' };
    const output = (name: 'stdout' | 'stderr') => ({
      isTerminal: false,
      columns: undefined,
      write: async (text: string) => {
        said[name] += text;
      },
    });
    const code = await main(args, {
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: Readable.from([]),
      stdinIsTerminal: false,
      env: {},
      signal: new AbortController().signal,
    });
    return { code, ...said };
  }

  const good = join(folder, 'good.rdb');
  const bad = join(folder, 'bad.rdb');
  const text = join(folder, 'notes.txt');
  writeFileSync(good, sound().sentinel().end());
  writeFileSync(bad, sound().raw());
  writeFileSync(text, 'no snapshot at all');

  it('says one line on stdout and ends with 0 or 3', async () => {
    const first = await run('verify', good);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^\S+good\.rdb: sound: 2 keys, .*\n$/);
    const second = await run('verify', bad);
    expect(second).toMatchObject({ code: 3, stderr: '' });
    expect(second.stdout).toMatch(/^\S+bad\.rdb: damaged: .*\n$/);
  });

  it('gives every input its verdict', async () => {
    const { code, stdout } = await run('verify', bad, text, good);
    expect(code).toBe(3);
    expect(stdout.split('\n').map((line) => line.split(': ')[1])).toEqual([
      'damaged',
      'damaged',
      'sound',
      undefined,
    ]);
  });

  it('says the rest even when one input is missing', async () => {
    const { code, stdout, stderr } = await run('verify', join(folder, 'nowhere.rdb'), good);
    expect(code).toBe(2);
    expect(stdout).toContain('sound');
    expect(stderr).toContain('does not exist');
  });

  it('speaks JSON, an object a line', async () => {
    const { code, stdout } = await run('verify', '--json', good, bad, text);
    expect(code).toBe(3);
    const [first, second, third] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      sound: true,
      keys_read: 2,
      checksum: 'ok',
      depth: 'deep',
      damage: [],
      error: null,
    });
    expect(second).toMatchObject({ sound: false, error: { code: 'truncated', offset: 19 }, complete: false });
    expect(third).toMatchObject({ sound: false, error: { code: 'foreign' } });
  });

  it('has the same facts in JSON for every verdict', async () => {
    const names = Object.keys(verificationJson(await verifySnapshot({ input: good })));
    expect(Object.keys(verificationJson(await verifySnapshot({ input: bad })))).toEqual(names);
  });
});
