import { expect, it } from 'vitest';
import { readPiped, snapshotBytes } from './reading.js';
import { runTool } from './tools.js';

const original = snapshotBytes(50_000);
const packed = runTool(['lz4', '-q', '-c'], original);

it.runIf(packed !== undefined).each([
  ['VCS', [0x56, 0x43, 0x53, 1, 1, 0, 1]],
  ['VKCS', [0x56, 0x4b, 0x43, 0x53, 1, 1, 0, 1]],
])('takes the envelope %s off', async (_, header) => {
  const outcome = await readPiped(Buffer.concat([Buffer.from(header), packed!]), 11);
  expect(outcome.fault).toBeUndefined();
  expect(outcome.bytes.equals(original)).toBe(true);
  expect(outcome.container).toBe('valkey-envelope+lz4');
});

it('names an unknown codec', async () => {
  const outcome = await readPiped(Buffer.from([0x56, 0x43, 0x53, 1, 2, 0, 1, 9, 9, 9, 9]));
  expect(outcome.fault?.code).toBe('unsupported');
  expect(outcome.fault?.problem).toContain('codec (2)');
});
