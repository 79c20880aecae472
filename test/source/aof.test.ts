import { mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInput } from '../../src/source/open-input.js';
import { fileWith, readAll, scratchFolder, snapshotBytes } from './reading.js';

const base = snapshotBytes(3000);

function appendOnlyFolder(
  manifest: string,
  baseName = 'appendonly.aof.2.base.rdb',
  baseBytes: Uint8Array = base,
): string {
  const folder = scratchFolder();
  fileWith(folder, baseName, baseBytes);
  fileWith(folder, 'appendonly.aof.2.incr.aof', '*1\r\n$4\r\nPING\r\n');
  fileWith(folder, 'appendonly.aof.manifest', manifest);
  return folder;
}

const MANIFEST =
  'file appendonly.aof.1.base.rdb seq 1 type h\n' +
  'file appendonly.aof.2.base.rdb seq 2 type b\n' +
  'file appendonly.aof.2.incr.aof seq 2 type i\n' +
  'file appendonly.aof.3.incr.aof seq 3 type i\n';

describe('a multi-part append-only file', () => {
  it('is read by its folder, and says what its increments hold', async () => {
    const outcome = await readAll(openInput(appendOnlyFolder(MANIFEST)));
    expect(outcome.fault).toBeUndefined();
    expect(outcome.bytes.equals(base)).toBe(true);
    expect(outcome.container).toBe('aof');
    expect(outcome.input?.aof).toMatchObject({ incrementalFiles: 2, incrementalBytes: 14 });
    expect(outcome.input?.inputBytes).toBe(base.length);
  });

  it('is read by its manifest', async () => {
    const outcome = await readAll(openInput(`${appendOnlyFolder(MANIFEST)}/appendonly.aof.manifest`));
    expect(outcome.bytes.equals(base)).toBe(true);
  });

  it("is found in the server's own folder", async () => {
    const parent = scratchFolder();
    mkdirSync(`${parent}/appendonlydir`);
    fileWith(parent, 'appendonlydir/a.manifest', 'file a.1.base.rdb seq 1 type b\n');
    fileWith(parent, 'appendonlydir/a.1.base.rdb', gzipSync(base));
    const outcome = await readAll(openInput(parent));
    expect(outcome.bytes.equals(base)).toBe(true);
    expect(outcome.container).toBe('aof+gzip');
  });

  it('may have quoted names and a comment', async () => {
    const folder = appendOnlyFolder(
      '# made by hand\nfile "my \\"b\\xc3\\xa9\\".rdb" seq 2 type b\n',
      'my "bé".rdb',
    );
    expect((await readAll(openInput(folder))).bytes.equals(base)).toBe(true);
  });

  it('without a base holds no snapshot', async () => {
    const { fault } = await readAll(
      openInput(appendOnlyFolder('file appendonly.aof.2.incr.aof seq 2 type i\n')),
    );
    expect(fault?.code).toBe('foreign');
    expect(fault?.problem).toContain('no base');
  });

  it('whose base is gone names the base', async () => {
    const { fault } = await readAll(openInput(appendOnlyFolder('file gone.rdb seq 1 type b\n')));
    expect(fault?.code).toBe('missing');
    expect(fault?.input).toContain('gone.rdb');
  });

  it('whose base is outside its folder is refused', async () => {
    const { fault } = await readAll(openInput(appendOnlyFolder('file ../dump.rdb seq 1 type b\n')));
    expect(fault?.problem).toContain('no base');
  });

  it('whose base is commands only says so', async () => {
    const folder = appendOnlyFolder(MANIFEST, undefined, Buffer.from('*1\r\n$4\r\nPING\r\n'));
    const { fault } = await readAll(openInput(folder));
    expect(fault?.problem).toContain('append-only file without a snapshot');
  });
});
