import { closeSync, openSync, readSync } from 'node:fs';

/** What files begin with. Compressed ones: gzip, zstd, LZ4; what is in them is not known. */
const STARTS = [
  ['database', /^SQLite format 3\0/],
  ['snapshot', /^(REDIS\d|VALKEY\d|VKCS)/],
  ['compressed', /^(\x1f\x8b|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18)/],
] as const;
type FileKind = (typeof STARTS)[number][0];

const START_BYTES = 16;

/** What a file holds, by its first bytes and whatever its name; undefined for anything else. */
export function fileKind(path: string): FileKind | undefined {
  const start = Buffer.alloc(START_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, start, 0, START_BYTES, 0);
  } finally {
    closeSync(file);
  }
  const text = start.toString('latin1');
  return STARTS.find(([, pattern]) => pattern.test(text))?.[0];
}
