import { closeSync, mkdtempSync, openSync, readSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileSource, sharedFileSource } from '../../src/source/file-source.js';
import { snapshotBytes } from './reading.js';

function fileOf(bytes: Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'rdbscope-file-')), 'dump.rdb');
  writeFileSync(file, bytes);
  return file;
}

describe('a bare file', () => {
  it('is read from its start to its end, and from anywhere', () => {
    const bytes = snapshotBytes(1000);
    const source = fileSource(fileOf(bytes));
    const window = new Uint8Array(700);
    expect([source.read(window, 100), source.read(window, 0), source.read(window, 0)]).toEqual([600, 400, 0]);
    source.seek(990);
    expect(source.read(window, 0)).toBe(10);
    expect(Buffer.compare(window.subarray(0, 10), bytes.subarray(990))).toBe(0);
    expect(source.totalBytes).toBe(1000);
    source.close();
  });

  it('that another thread has opened is read behind what stands in front, and left open', () => {
    const bytes = snapshotBytes(5000);
    const name = fileOf(Buffer.concat([Buffer.from('in front'), bytes]));
    const fd = openSync(name, 'r');
    const source = sharedFileSource({ name, fd, start: 8 });
    const window = new Uint8Array(8000);
    expect(source.totalBytes).toBe(5000);
    expect(source.read(window, 0)).toBe(5000);
    expect(Buffer.compare(window.subarray(0, 5000), bytes)).toBe(0);
    source.seek(4000);
    expect(source.read(window, 0)).toBe(1000);
    expect(Buffer.compare(window.subarray(0, 1000), bytes.subarray(4000))).toBe(0);
    source.close();
    expect(readSync(fd, window, 0, 8, 0)).toBe(8);
    closeSync(fd);
  });

  it('that becomes shorter while it is read is told so, behind what was left', () => {
    const name = fileOf(snapshotBytes(1000));
    const source = fileSource(name);
    const window = new Uint8Array(100);
    expect(source.read(window, 0)).toBe(100);
    truncateSync(name, 150);
    expect(source.read(window, 0)).toBe(50);
    expect(() => source.read(window, 0)).toThrow(
      `${name} became shorter while it was read: byte 150 is gone`,
    );
    source.seek(1000);
    expect(source.read(window, 0)).toBe(0);
    source.close();
  });

  it('names the file that cannot be opened or read', () => {
    const missing = path.join(os.tmpdir(), 'rdbscope-no-such-file.rdb');
    expect(() => fileSource(missing)).toThrow(missing);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'rdbscope-file-'));
    const source = fileSource(folder);
    expect(() => source.read(new Uint8Array(10), 0)).toThrow(folder);
    source.close();
  });
});
