import { describe, expect, it } from 'vitest';
import { databaseName } from '../../src/cli/load-options.js';
import { ProgressLine, progressText } from '../../src/cli/progress.js';
import type { LoadProgress } from '../../src/load.js';
import { textWidth } from '../../src/render/text-width.js';

const progress: LoadProgress = {
  input: '/backup/dump.rdb',
  fileNumber: 1,
  files: 1,
  bytesRead: 4_100_000_000,
  totalBytes: 6_700_000_000,
  keys: 38_200_000,
  elapsedMs: 10_000,
};

describe('progress', () => {
  it('tells bytes, keys, rates and the time left', () => {
    expect(progressText(progress, 120)).toBe(
      'Loading dump.rdb  ████████████░░░░░░░░  61 %  4.10 GB/6.70 GB  38.2 M keys  3.8 M keys/s  410 MB/s  ETA 0:07',
    );
  });

  it('tells what it can of a pipe, and which of several files', () => {
    expect(
      progressText({ ...progress, input: '-', totalBytes: undefined, fileNumber: 2, files: 3 }, 120),
    ).toBe('Loading standard input (2/3)  4.10 GB  38.2 M keys  3.8 M keys/s  410 MB/s');
  });

  it.each([30, 60, 80, 100])('fits %i columns', (columns) => {
    for (const input of ['/x', `/${'日本'.repeat(60)}`, '/a\u001b[2Jb']) {
      const text = progressText({ ...progress, input }, columns);
      expect(textWidth(text)).toBeLessThan(columns);
      expect(text).not.toContain('\u001b');
    }
  });

  it('is not written where there is no terminal', async () => {
    const written: string[] = [];
    const write = async (text: string): Promise<void> => void written.push(text);
    const off = new ProgressLine({ isTerminal: false, columns: undefined, write });
    off.update(progress);
    await off.clear();
    expect(written).toEqual([]);
    const on = new ProgressLine({ isTerminal: true, columns: 80, write });
    on.update(progress);
    await on.clear();
    expect(written).toHaveLength(2);
    expect(written[1]).toBe('\r\u001b[K');
  });
});

describe("a database's name", () => {
  it.each([
    [['/backup/dump.rdb'], 'dump.sqlite'],
    [['dump.rdb.gz'], 'dump.sqlite'],
    [['night.2026.rdb.zst', 'other.rdb'], 'night.2026.sqlite'],
    [['-'], 'snapshot.sqlite'],
    [['.rdb'], 'snapshot.sqlite'],
    [['plain'], 'plain.sqlite'],
  ])('of %j is %s', (inputs, name) => {
    expect(databaseName(inputs)).toBe(name);
  });
});
