import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInput } from '../../src/source/open-input.js';
import { fileWith, readAll, readPiped, scratchFolder, snapshotBytes } from './reading.js';
import { isInstalled, PACKERS, runTool } from './tools.js';

const folder = scratchFolder();
const original = snapshotBytes();
const missing = [...new Set(PACKERS.map(({ command }) => command[0]!))].filter(
  (program) => !isInstalled(program),
);
const packers = PACKERS.filter(({ command }) => !missing.includes(command[0]!));

it(
  missing.length === 0 ? 'has every packer at hand' : `has no ${missing.join(', ')}: their data is not tried`,
  () => {
    expect(missing).not.toContain('gzip');
  },
);

describe.each(packers.map(({ container, command }) => [command.join(' '), container, command] as const))(
  'data of %s',
  (name, container, command) => {
    const packed = runTool(command, original)!;

    it('unpacks from a file, whatever its name', async () => {
      const path = fileWith(folder, `${name.replaceAll(/\W/g, '_')}.txt`, packed);
      const outcome = await readAll(openInput(path));
      expect(outcome.fault).toBeUndefined();
      expect(outcome.bytes.equals(original)).toBe(true);
      expect(outcome.container).toBe(container);
      expect(outcome.input?.inputBytes).toBe(packed.length);
      expect(outcome.input?.snapshotBytes).toBeUndefined();
      expect(outcome.input?.inputBytesRead()).toBe(packed.length);
    });

    it.each([1, 7, 4096, 65536])('unpacks the same from a pipe in chunks of %i', async (chunkBytes) => {
      const small = snapshotBytes(20_000);
      const outcome = await readPiped(runTool(command, small)!, chunkBytes);
      expect(outcome.fault).toBeUndefined();
      expect(outcome.bytes.equals(small)).toBe(true);
    });

    it('unpacks several members one after another', async () => {
      const parts = [
        original.subarray(0, 100_000),
        original.subarray(100_000, 100_001),
        original.subarray(100_001),
      ];
      const outcome = await readPiped(Buffer.concat(parts.map((part) => runTool(command, part)!)), 65536);
      expect(outcome.fault).toBeUndefined();
      expect(outcome.bytes.equals(original)).toBe(true);
      expect(outcome.trailing).toBe(0);
    });

    it('passes over zero padding and counts other bytes behind it', async () => {
      const padded = await readPiped(Buffer.concat([packed, Buffer.alloc(10_000)]), 4096);
      expect(padded.fault).toBeUndefined();
      expect(padded.trailing).toBe(0);
      const followed = await readPiped(
        Buffer.concat([packed, Buffer.alloc(100), Buffer.from('-- signature --')]),
        4096,
      );
      expect(followed.fault).toBeUndefined();
      expect(followed.bytes.equals(original)).toBe(true);
      expect(followed.trailing).toBe(15);
    });

    it('gives what came before the end when it is cut', async () => {
      for (const share of [0.1, 0.5, 0.9, 1]) {
        const cutAt = Math.floor(packed.length * share) - 1;
        const outcome = await readPiped(packed.subarray(0, cutAt), 65536);
        expect(outcome.fault?.code).toBe('truncated-container');
        expect(outcome.fault?.problem).toContain('is cut');
        expect(original.subarray(0, outcome.bytes.length).equals(outcome.bytes)).toBe(true);
      }
    });

    it('never hangs and never fails in an unknown way when it is damaged', async () => {
      for (let i = 0; i < 60; i++) {
        const damaged = Buffer.from(packed);
        const at = Math.floor((packed.length * (i + 0.5)) / 60);
        damaged[at] = damaged[at]! ^ (1 << (i % 8));
        const outcome = await readPiped(damaged, 65536);
        if (outcome.fault === undefined) expect(outcome.bytes.length).toBeGreaterThan(0);
        else
          expect(['damaged-container', 'truncated-container', 'unsupported', 'foreign']).toContain(
            outcome.fault.code,
          );
      }
    });
  },
);

describe('what checksums find', () => {
  it.each(
    packers.filter(({ command }) => !command.includes('--no-check') && !command.includes('--no-frame-crc')),
  )('a flipped bit in the middle of $command', async ({ command }) => {
    const damaged = runTool(command, original)!;
    damaged[damaged.length >> 1] = damaged[damaged.length >> 1]! ^ 4;
    expect((await readPiped(damaged)).fault?.code).toBe('damaged-container');
  });

  it('a gzip trailer that belongs to other data', async () => {
    const packed = gzipSync(original);
    packed[packed.length - 5] = packed[packed.length - 5]! ^ 1;
    const outcome = await readPiped(packed);
    expect(outcome.bytes.equals(original)).toBe(true);
    expect(outcome.fault?.problem).toContain('checksum');
  });
});

describe('wrappings in wrappings', () => {
  it('come off one by one', async () => {
    const outcome = await readPiped(gzipSync(gzipSync(original)), 1000);
    expect(outcome.bytes.equals(original)).toBe(true);
    expect(outcome.container).toBe('gzip+gzip');
  });

  it('are given up after three', async () => {
    const outcome = await readPiped(gzipSync(gzipSync(gzipSync(gzipSync(original)))));
    expect(outcome.fault?.code).toBe('unsupported');
  });
});

describe('gzip headers', () => {
  it('may carry a name, a comment, extra fields and a checksum', async () => {
    const packed = gzipSync(original);
    const header = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 5, 0]),
      Buffer.from('extraname\0comment\0', 'latin1'),
      Buffer.from([0, 0]),
    ]);
    const outcome = await readPiped(Buffer.concat([header, packed.subarray(10)]), 3);
    expect(outcome.fault).toBeUndefined();
    expect(outcome.bytes.equals(original)).toBe(true);
  });
});
