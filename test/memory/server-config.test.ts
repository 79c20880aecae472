import { describe, expect, it } from 'vitest';
import { parseServerConfig } from '../../src/memory/index.js';

describe("a server's configuration file", () => {
  it('gives the thresholds under old and new names, the last one counting', () => {
    const { thresholds, problems } = parseServerConfig(
      [
        '# hash-max-listpack-entries 1',
        'hash-max-ziplist-entries 100',
        'HASH-MAX-LISTPACK-ENTRIES 200',
        '  list-max-listpack-size   -1  ',
        'set-max-intset-entries "64"',
        'zset-max-listpack-value 1k',
        'port 6379',
        '',
      ].join('\r\n'),
    );
    expect(thresholds).toEqual({
      hashMaxListpackEntries: 200,
      listMaxListpackSize: -1,
      setMaxIntsetEntries: 64,
      zsetMaxListpackValue: 1000,
    });
    expect(problems).toEqual([]);
  });

  it('tells whether the server is part of a cluster', () => {
    expect(parseServerConfig('cluster-enabled yes').cluster).toBe(true);
    expect(parseServerConfig('cluster-enabled no').cluster).toBe(false);
    expect(parseServerConfig('').cluster).toBeUndefined();
  });

  it('names the lines that it can not use', () => {
    expect(parseServerConfig('\nset-max-intset-entries lots\nhash-max-listpack-value').problems).toEqual([
      'line 2: set-max-intset-entries lots',
      'line 3: hash-max-listpack-value',
    ]);
  });
});
