import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseOverwriting } from '../../src/cli/output-file.js';
import { UsageError } from '../../src/cli/usage-error.js';

describe('an output file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'output-file-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['SQLite format 3\0...', 'REDIS0011', 'VALKEY080'])('is never one that begins with %j', (text) => {
    const file = join(folder, 'kept');
    writeFileSync(file, text);
    symlinkSync(file, join(folder, 'link.csv'));
    expect(() => refuseOverwriting(file)).toThrow(UsageError);
    expect(() => refuseOverwriting(join(folder, 'link.csv'))).toThrow('is left as it is');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    ['gzip', gzipSync('REDIS0011')],
    ['zstd', Buffer.from('28b52ffd2400', 'hex')],
    ['LZ4', Buffer.from('04224d186040', 'hex')],
  ])('is never compressed data: %s', (_, bytes) => {
    const file = join(folder, 'dump.rdb.gz');
    writeFileSync(file, bytes);
    expect(() => refuseOverwriting(file)).toThrow('is compressed and may be a snapshot; it is left as it is');
    expect(readFileSync(file)).toEqual(Buffer.from(bytes));
  });

  it('may be new, or an older report', () => {
    const file = join(folder, 'report.md');
    expect(() => refuseOverwriting(file)).not.toThrow();
    writeFileSync(file, '# Report\n');
    expect(() => refuseOverwriting(file)).not.toThrow();
  });
});
