import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CONTENT_KINDS } from '../../src/rdb-parser/content.js';
import { bytesSource, Decoder } from '../../src/rdb-parser/index.js';
import { RdbBytes } from '../rdb-bytes.js';

/** What is told of a string, written raw. */
function kindOf(value: Uint8Array): string {
  const decoder = new Decoder(
    bytesSource(new RdbBytes().hex('00').string('k').string(value).sentinel().end()),
  );
  decoder.readHeader();
  expect(decoder.next()).toBe(true);
  const kind = CONTENT_KINDS[decoder.record.contentKind]!;
  expect(decoder.next()).toBe(true);
  expect(decoder.record.contentKind).toBe(0);
  return kind;
}

function padded(start: string | Uint8Array, byte = 0x20): Uint8Array {
  return Buffer.concat([Buffer.from(start), Buffer.alloc(2000, byte)]);
}

describe('what the first bytes of a long string say', () => {
  it.each([
    ['{"id":1,"name":"x"}', 'json'],
    ['{}', 'json'],
    ['[{"a":1}', 'json'],
    [' \n[1, 2, 3', 'json'],
    ['["a"', 'json'],
    ['{not json', 'text'],
    ['[section]', 'text'],
    ['<html><body>', 'markup'],
    ['<?xml version', 'markup'],
    ['< 5 items', 'text'],
    ['1000;oak lamp;500;EUR\n', 'text'],
    ['Grüße aus Köln', 'text'],
    ['日本語のテキスト', 'text'],
    ['%PDF-1.7', 'pdf'],
    ['HYLL\x01\x00', 'hyperloglog'],
    ['PK\x03\x04', 'zip'],
  ])('%j is %s', (start, kind) => {
    expect(kindOf(padded(start))).toBe(kind);
  });

  it.each([
    ['28b52ffd04', 'zstd'],
    ['04224d186440', 'lz4'],
    ['ff060000734e61507059', 'snappy'],
    ['425a6839314159265359', 'bzip2'],
    ['fd377a585a000004', 'xz'],
    ['89504e470d0a1a0a', 'image'],
    ['ffd8ffe0', 'image'],
    ['474946383961', 'image'],
    ['524946460000000057454250', 'image'],
    ['aced00057372', 'java'],
    ['8004950000', 'pickle'],
    ['0000000000000000', 'binary'],
    ['0a054f6c69766572', 'binary'],
    ['c0ffee', 'binary'],
  ])('%s is %s', (start, kind) => {
    expect(kindOf(padded(Buffer.from(start, 'hex'), 0))).toBe(kind);
  });

  it('knows what zlib makes', () => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * i * 31 + (i >> 3)) & 0xff));
    expect(kindOf(gzipSync(noise))).toBe('gzip');
    for (const level of [1, 6, 9]) expect(kindOf(deflateSync(noise, { level }))).toBe('zlib');
  });

  it('is not asked of short strings', () => {
    expect(kindOf(Buffer.alloc(999, 'a'))).toBe('none');
    expect(kindOf(Buffer.alloc(1000, 'a'))).toBe('text');
  });

  it('looks through compression, and says where a file was cut', () => {
    // LZF: two literals, then a match of 264 bytes over and over.
    const runs = Array.from({ length: 8 }, () => 'e0ff00').join('');
    const snapshot = new RdbBytes().hex(`00 K c3 1b 4842 01 7b22 ${runs}`).end();
    const decoder = new Decoder(bytesSource(snapshot));
    decoder.readHeader();
    expect(decoder.next()).toBe(true);
    expect(CONTENT_KINDS[decoder.record.contentKind]).toBe('json');
    const cut = new Decoder(bytesSource(snapshot.subarray(0, 24)));
    cut.readHeader();
    expect(() => cut.next()).toThrow(/ends/);
  });
});
