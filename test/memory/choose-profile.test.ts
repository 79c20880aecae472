import { describe, expect, it } from 'vitest';
import { describeProfile, type ProfileRequest, profileFor } from '../../src/memory/index.js';

function chosen(request: ProfileRequest): string {
  const { profile, warning } = profileFor(request);
  return `${profile.family} ${profile.version}${warning === undefined ? '' : ' !'}`;
}

describe('the profile of a snapshot', () => {
  it.each([
    [{ serverVersion: '7.2.6' }, 'redis 7.2'],
    [{ serverVersion: '2.8.24' }, 'redis 2.8'],
    [{ serverVersion: '8.10.0' }, 'redis 8.10'],
    [{ serverVersion: '8.2.1' }, 'redis 8.2'],
    [{ dialect: 'valkey', serverVersion: '8.0.1' }, 'valkey 8.0'],
    [{ dialect: 'redis', serverVersion: 'valkey-9.1' }, 'valkey 9.1'],
    [{ dialect: 'keydb', serverVersion: '6.3.4' }, 'keydb 6.3'],
  ] as const)('%o is that version', (request, expected) => {
    expect(chosen(request)).toBe(expected);
  });

  it.each([
    [{ serverVersion: '255.255.255' }, 'redis 8.10 !'],
    [{ dialect: 'valkey', serverVersion: '255.255.255' }, 'valkey 9.1 !'],
    [{ serverVersion: '999.999.999' }, 'redis 8.10 !'],
    [{ serverVersion: '255.255.255', rdbVersion: 9 }, 'redis 6.2 !'],
    [{ serverVersion: '255.255.255', rdbVersion: 12 }, 'redis 8.4 !'],
    [{ serverVersion: '255.255.255', rdbVersion: 14 }, 'redis 8.8 !'],
    [{ serverVersion: '255.255.255', rdbVersion: 99 }, 'redis 8.10 !'],
    [{ dialect: 'valkey', serverVersion: '255.255.255', rdbVersion: 11 }, 'valkey 8.1 !'],
    [{ dialect: 'valkey', serverVersion: '255.255.255', rdbVersion: 80 }, 'valkey 9.1 !'],
    [{ serverVersion: '8.3.0' }, 'redis 8.2 !'],
    [{ serverVersion: '12.0' }, 'redis 8.10 !'],
    [{ serverVersion: '2.4' }, 'redis 2.8 !'],
    [{ serverVersion: 'lots' }, 'redis 8.10 !'],
    [{ dialect: 'dragonfly', serverVersion: '7.4.0' }, 'redis 7.4 !'],
    [{ rdbVersion: 6 }, 'redis 2.8 !'],
    [{ rdbVersion: 7 }, 'redis 3.2 !'],
    [{ rdbVersion: 11 }, 'redis 7.2 !'],
    [{ rdbVersion: 99 }, 'redis 8.10 !'],
    [{ dialect: 'valkey', rdbVersion: 80 }, 'valkey 9.1 !'],
  ] as const)('%o is a guess, with a warning', (request, expected) => {
    expect(chosen(request)).toBe(expected);
  });

  it('takes word size, allocator, thresholds and cluster mode from the request', () => {
    const { profile } = profileFor({
      serverVersion: '7.0.15',
      wordBits: 32,
      allocator: 'jemalloc-q16',
      thresholds: { hashMaxListpackEntries: 10 },
      cluster: true,
    });
    expect(describeProfile(profile)).toBe(
      'redis 7.0, 32-bit, jemalloc-q16, cluster, hash-max-listpack-entries 10',
    );
    expect(profile.thresholds).toMatchObject({ hashMaxListpackEntries: 10, hashMaxListpackValue: 64 });
  });
});
