import { describe, expect, it } from 'vitest';
import { keyspaceOverheadBytes, profileFor } from '../../src/memory/index.js';

const of = (serverVersion: string) => profileFor({ serverVersion }).profile;

describe("the keyspace's own tables", () => {
  it('are slots for keys and expiries, and an entry per expiry, up to Redis 8.0', () => {
    expect(keyspaceOverheadBytes(of('7.2'), { keys: 1000, expires: 0, slots: 0 })).toBe(8 * 1024);
    expect(keyspaceOverheadBytes(of('7.2'), { keys: 1000, expires: 100, slots: 0 })).toBe(
      8 * 1024 + 8 * 128 + 24 * 100,
    );
  });

  it('are nothing for an empty database', () => {
    for (const version of ['2.8', '7.2', '8.8', 'valkey-9.1']) {
      expect(keyspaceOverheadBytes(of(version), { keys: 0, expires: 0, slots: 0 })).toBe(0);
    }
  });

  it('have entries only behind the first key of a slot since Redis 8.2', () => {
    const bytes = keyspaceOverheadBytes(of('8.8'), { keys: 100_000, expires: 0, slots: 0 });
    // 100,000 keys on 131,072 slots: 69,955 occupied
    expect(bytes).toBeCloseTo(8 * 131_072 + 16 * (100_000 - 69_955), -3);
  });

  it('are cache lines in Valkey since 8.1, as many as a server of 47,400 keys told', () => {
    const bytes = keyspaceOverheadBytes(of('valkey-9.1'), { keys: 47_400, expires: 0, slots: 0 });
    // MEMORY STATS, overhead.hashtable.main, less 16 bytes per key and the struct
    const told = 1_403_728 - 16 * 47_400 - 112;
    expect(Math.abs(bytes / told - 1)).toBeLessThan(0.01);
  });

  it('are one per slot in a cluster since Redis 7.4', () => {
    const keys = { keys: 800, expires: 0 };
    expect(keyspaceOverheadBytes(of('7.2'), { ...keys, slots: 800 })).toBe(8 * 1024);
    expect(keyspaceOverheadBytes(of('7.4'), { ...keys, slots: 800 })).toBe(800 * (72 + 8 * 4));
    expect(keyspaceOverheadBytes(of('7.4'), { ...keys, slots: 0 })).toBe(8 * 1024);
  });
});
