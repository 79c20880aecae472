import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInput } from '../../src/source/open-input.js';
import { systemError } from '../../src/source/source-error.js';
import { fileWith, readAll, readPiped, scratchFolder } from './reading.js';

const folder = scratchFolder();

function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 7;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

function tarWith(name: string): Buffer {
  const block = Buffer.alloc(1024);
  block.write(name, 0);
  block.write('ustar', 257);
  return block;
}

describe('what is no snapshot is named, with a way on', () => {
  it.each([
    ['a zip archive', Buffer.from('PK\x03\x04rest of it'), 'unzip -p'],
    ['a 7-Zip archive', Buffer.from('7z\xbc\xaf\x27\x1c rest', 'latin1'), '7z x -so'],
    ['bzip2 data', Buffer.from('BZh91AY&SY rest', 'latin1'), 'bzip2 -dc'],
    ['xz data', Buffer.from('\xfd7zXZ\0\0\x04', 'latin1'), 'xz -dc'],
    ['a tar archive', tarWith('var/lib/redis/dump.rdb'), 'tar -xOf'],
    ['LZ4 data of the legacy form', Buffer.from('\x02\x21\x4c\x18rest', 'latin1'), 'lz4 -dc'],
    [
      'an append-only file without a snapshot',
      Buffer.from('*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n'),
      'bgrewriteaof',
    ],
    [
      'an append-only file without a snapshot',
      Buffer.from('#TS:1700000000\r\n*1\r\n$4\r\nPING\r\n'),
      'bgrewriteaof',
    ],
    ['a SQLite database', Buffer.from('SQLite format 3\0\x10\0'), 'rdbscope report'],
    ['JSON or other text', Buffer.from('{"user:1": {"type": "hash"}}'), 'dump.rdb'],
    ['text', Buffer.from('user:1,hash,12\nuser:2,hash,13\n'), 'dump.rdb'],
    [
      'a web page or XML',
      Buffer.from('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
      'fetch it again',
    ],
    ['OpenSSL-encrypted data', Buffer.from('Salted__12345678 rest'), 'Decrypt'],
    ['age-encrypted data', Buffer.from('age-encryption.org/v1\n-> X25519'), 'Decrypt'],
    ['encrypted data as text', Buffer.from('-----BEGIN PGP MESSAGE-----\n'), 'Decrypt'],
    ['no pattern at all: encrypted', noise(8192), 'Decrypt'],
    ['zeros', Buffer.alloc(5000), 'Copy it again'],
    [
      'the first five or six bytes of the file are missing',
      Buffer.from('0011\xfa\x09redis-ver', 'latin1'),
      'again',
    ],
    ['the manifest of a multi-part', Buffer.from('file a.aof.1.base.rdb seq 1 type b\n'), 'by its path'],
    ['nothing else that is known', Buffer.from([1, 2, 3, 4, 5]), 'dump.rdb'],
  ])('%s', async (name, bytes, advice) => {
    const { fault } = await readPiped(bytes);
    expect(fault?.code).toBe('foreign');
    expect(fault?.problem).toContain(name);
    expect(fault?.problem).toContain('is not an RDB file: it starts with');
    expect(fault?.advice).toContain(advice);
    expect(fault?.message).not.toMatch(/[^\x20-\x7e]/);
  });

  it('also inside compressed data', async () => {
    const { fault } = await readPiped(gzipSync(tarWith('dump.rdb')));
    expect(fault?.problem).toContain('what its gzip data holds starts with "dump.rdb"');
    expect(fault?.problem).toContain('a tar archive');
  });

  it('with the name in the command to paste, quoted when it needs it', async () => {
    const plain = await readAll(openInput(fileWith(folder, 'backup.rdb.zip', 'PK\x03\x04')));
    expect(plain.fault?.advice).toContain(`unzip -p ${folder}/backup.rdb.zip | rdbscope analyze -`);
    const spaced = await readAll(openInput(fileWith(folder, 'my backup é.zip', 'PK\x03\x04')));
    expect(spaced.fault?.advice).toContain(`unzip -p '${folder}/my backup é.zip' |`);
  });
});

describe('what holds nothing', () => {
  it.each([
    ['an empty pipe', Buffer.alloc(0), 'is empty'],
    ['empty gzip data', gzipSync(Buffer.alloc(0)), 'its gzip data is empty'],
  ])('%s', async (_, bytes, problem) => {
    const { fault } = await readPiped(bytes);
    expect(fault?.code).toBe('empty');
    expect(fault?.problem).toContain(problem);
  });

  it('an empty file', async () => {
    const { fault } = await readAll(openInput(fileWith(folder, 'empty.rdb', '')));
    expect(fault?.code).toBe('empty');
  });
});

describe('what the system refuses', () => {
  it('a file that is not there', async () => {
    const { fault } = await readAll(openInput(`${folder}/nothing.rdb`));
    expect(fault?.code).toBe('missing');
    expect(fault?.message).toContain('nothing.rdb does not exist');
  });

  it('a path through a file', async () => {
    const { fault } = await readAll(openInput(`${fileWith(folder, 'plain', 'x')}/dump.rdb`));
    expect(fault?.code).toBe('missing');
  });

  it('a folder, with the snapshot in it named', async () => {
    const own = scratchFolder();
    expect((await readAll(openInput(own))).fault?.advice).toContain('Name the snapshot file itself');
    fileWith(own, 'dump.rdb', 'REDIS0011');
    const { fault } = await readAll(openInput(own));
    expect(fault?.code).toBe('directory');
    expect(fault?.advice).toContain('dump.rdb');
  });

  it.each(['EACCES', 'EPERM'])('a file that this user may not read (%s)', (code) => {
    const error = systemError(Object.assign(new Error('permission denied'), { code }), 'dump.rdb');
    expect(error.code).toBe('permission');
    expect(error.advice).toContain('sudo cat FILE');
  });

  it('a terminal instead of a pipe', async () => {
    const terminal = Object.assign((await import('node:stream')).Readable.from([]), { isTTY: true });
    const { fault } = await readAll(openInput('-', terminal));
    expect(fault?.problem).toBe('is a terminal');
  });

  it('a pipe that breaks in the middle, after the bytes before', async () => {
    const { Readable } = await import('node:stream');
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('REDIS0011 and more');
      throw Object.assign(new Error('read EIO'), { code: 'EIO' });
    }
    const outcome = await readAll(openInput('-', Readable.from(broken())));
    expect(outcome.fault?.code).toBe('input-output');
  });
});
