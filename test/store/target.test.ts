import fs from 'node:fs';
import path from 'node:path';
import DatabaseConstructor from 'better-sqlite3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore, SnapshotLoader } from '../../src/store/index.js';
import { feedFile, scratchFolder } from './key-feed.js';

const OPTIONS = { toolVersion: '0.0.0' };

function loadInto(target: string, keys: number): void {
  const loader = new SnapshotLoader(target, OPTIONS);
  feedFile(loader, { keys: Array.from({ length: keys }, (_, i) => ({ key: `k${i}` })) });
  loader.finish();
}

function keyCount(target: string): unknown {
  return openStore(target).prepare('SELECT COUNT(*) FROM keys').pluck().get();
}

describe('the target', () => {
  it('gets its name when it is complete, and leaves nothing else behind', () => {
    const folder = scratchFolder();
    const target = path.join(folder, 'x.sqlite');
    const loader = new SnapshotLoader(target, OPTIONS);
    feedFile(loader, { keys: [{ key: 'a' }] });
    expect(fs.readdirSync(folder)).toEqual([`x.sqlite.partial-${process.pid}`]);
    loader.finish();
    expect(fs.readdirSync(folder)).toEqual(['x.sqlite']);
  });

  it.each([{ safeInsert: false }, { safeInsert: true }])(
    'leaves nothing when the load is abandoned (%j)',
    (options) => {
      const folder = scratchFolder();
      const loader = new SnapshotLoader(path.join(folder, 'x.sqlite'), { ...OPTIONS, ...options });
      feedFile(loader, { keys: [{ key: 'a' }] });
      loader.abandon();
      loader.abandon();
      expect(fs.readdirSync(folder)).toEqual([]);
    },
  );

  it('replaces a database of ours, and only when the new one is complete', () => {
    const target = path.join(scratchFolder(), 'x.sqlite');
    loadInto(target, 3);
    const loader = new SnapshotLoader(target, OPTIONS);
    feedFile(loader, { keys: [{ key: 'a' }] });
    expect(keyCount(target)).toBe(3);
    loader.abandon();
    expect(keyCount(target)).toBe(3);
    loadInto(target, 5);
    expect(keyCount(target)).toBe(5);
  });

  it('removes what SQLite left beside an older one', () => {
    const target = path.join(scratchFolder(), 'x.sqlite');
    loadInto(target, 3);
    for (const side of ['-journal', '-wal', '-shm']) fs.writeFileSync(target + side, 'stale');
    loadInto(target, 5);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['x.sqlite']);
    expect(keyCount(target)).toBe(5);
  });

  it('follows a link instead of replacing it', () => {
    const folder = scratchFolder();
    const target = path.join(folder, 'real.sqlite');
    loadInto(target, 3);
    fs.symlinkSync(target, path.join(folder, 'link.sqlite'));
    loadInto(path.join(folder, 'link.sqlite'), 5);
    expect(fs.lstatSync(path.join(folder, 'link.sqlite')).isSymbolicLink()).toBe(true);
    expect(keyCount(target)).toBe(5);
  });

  it('may be an empty file', () => {
    const target = path.join(scratchFolder(), 'x.sqlite');
    fs.writeFileSync(target, '');
    loadInto(target, 2);
    expect(keyCount(target)).toBe(2);
  });

  it('is never a file of somebody else', () => {
    const folder = scratchFolder();
    const text = path.join(folder, 'notes.txt');
    fs.writeFileSync(text, 'important');
    const other = path.join(folder, 'other.sqlite');
    new DatabaseConstructor(other).exec('CREATE TABLE t (x)').close();
    for (const target of [text, other]) {
      expect(() => new SnapshotLoader(target, OPTIONS)).toThrow(
        expect.objectContaining({ name: 'StoreError', code: 'not-ours', path: target }),
      );
    }
    expect(fs.readFileSync(text, 'utf8')).toBe('important');
    expect(fs.readdirSync(folder).sort()).toEqual(['notes.txt', 'other.sqlite']);
  });

  it('is refused with its name where it can not be made', () => {
    const folder = scratchFolder();
    const cases = [folder, path.join(folder, 'missing', 'x.sqlite')];
    fs.writeFileSync(path.join(folder, 'file'), '');
    cases.push(path.join(folder, 'file', 'x.sqlite'));
    for (const target of cases) {
      expect(() => new SnapshotLoader(target, OPTIONS)).toThrow(
        expect.objectContaining({ name: 'StoreError', code: 'io', path: target }),
      );
    }
  });

  it('with a bad separator is not left half made', () => {
    const folder = scratchFolder();
    const target = path.join(folder, 'x.sqlite');
    expect(() => new SnapshotLoader(target, { ...OPTIONS, separators: 'x' })).toThrow(
      expect.objectContaining({ name: 'StoreError', code: 'bad-option' }),
    );
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('a full disk', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is an error that names the file, and leaves nothing behind', () => {
    const folder = scratchFolder();
    const target = path.join(folder, 'x.sqlite');
    const loader = new SnapshotLoader(target, OPTIONS);
    vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    const full = expect.objectContaining({
      name: 'StoreError',
      code: 'io',
      path: target,
      message: `${target}: no space is left on the disk`,
    });
    // More than the megabyte that is held back.
    expect(() => feedFile(loader, { keys: Array(2000).fill({ key: 'k'.repeat(1000) }) })).toThrow(full);
    loader.abandon();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is noticed at the end at the latest', () => {
    const folder = scratchFolder();
    const loader = new SnapshotLoader(path.join(folder, 'x.sqlite'), OPTIONS);
    feedFile(loader, { keys: [{ key: 'a' }] });
    vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
    expect(() => loader.finish()).toThrow(expect.objectContaining({ name: 'StoreError', code: 'io' }));
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe('opening', () => {
  it('says what is wrong with a file', () => {
    const folder = scratchFolder();
    const write = (name: string, contents: string): string => {
      fs.writeFileSync(path.join(folder, name), contents);
      return path.join(folder, name);
    };
    const foreign = path.join(folder, 'foreign.sqlite');
    new DatabaseConstructor(foreign).exec('CREATE TABLE t (x)').close();
    const older = path.join(folder, 'older.sqlite');
    loadInto(older, 1);
    const changed = new DatabaseConstructor(older);
    changed.exec("UPDATE meta SET value = 0 WHERE name = 'schema_version'");
    changed.close();
    const cases = [
      [path.join(folder, 'missing'), 'not-found'],
      [write('text', 'x'.repeat(5000)), 'not-a-database'],
      [write('empty', ''), 'not-ours'],
      [foreign, 'not-ours'],
      [older, 'schema-version'],
    ] as const;
    for (const [file, code] of cases) {
      expect(() => openStore(file), code).toThrow(
        expect.objectContaining({ name: 'StoreError', code, path: file }),
      );
    }
  });

  it('does not let anyone write', () => {
    const target = path.join(scratchFolder(), 'x.sqlite');
    loadInto(target, 1);
    expect(() => openStore(target).exec('DELETE FROM key_rows')).toThrow('readonly');
  });
});
