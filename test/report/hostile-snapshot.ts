import type Database from 'better-sqlite3';
import { SAVED_AT_MS, SnapshotDatabase } from './snapshot-database.js';

/** Keys that break naive output: each is a class of fault seen in other tools. */
export const HOSTILE_KEYS: readonly (string | Uint8Array)[] = [
  'plain:1',
  'comma,key',
  'quote"key',
  "apostrophe'key",
  'line\nbreak',
  'carriage\r\nreturn',
  'tab\tkey',
  ' leading and trailing ',
  '',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '|pipe|',
  'back`tick``s',
  '`',
  'back\\slash\\x41',
  '<script>alert(1)</script>',
  '</script><!--',
  '&amp;&#x1b;',
  '[link](http://example.invalid)',
  '*bold* _under_ ~~strike~~ # head',
  '\u001b[31mred\u001b[0m',
  '\u009b31mC1',
  '\u202eright-to-left override',
  '\u200fmark \u200bzero width',
  '\ufeffbom',
  '\u2028line separator',
  'שלום:עולם',
  '日本語キー',
  '🙂 emoji 👩‍👩‍👧',
  'e\u0301 combining',
  `long:${'x'.repeat(600)}`,
  'semi;colon',
  '{"json":true}',
  '%s%n $HOME $(id)',
  Uint8Array.of(0),
  Uint8Array.from(Buffer.from('nul\0inside')),
  Uint8Array.of(0xff, 0xfe, 0x80),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.from(Buffer.from([0x61, 0x1b, 0x5b, 0x32, 0x4a, 0xff])),
];

/** A snapshot whose every key is hostile, over all types, some expiring, some in a cluster, some absurdly. */
export function hostileSnapshot(path?: string): Database.Database {
  const types = ['string', 'list', 'set', 'zset', 'hash', 'stream', 'module'];
  const snapshot = new SnapshotDatabase({ path: 'dumps/<b>|`x`\u001b[2J\n.rdb' }, path);
  for (const [i, key] of HOSTILE_KEYS.entries()) {
    const type = types[i % types.length]!;
    snapshot.key(key, {
      type,
      encoding: type === 'module' ? null : 'raw',
      ...(type === 'module' && { module: 'evil|"mod\u001b', elements: null }),
      db: i % 3 === 0 ? 1 : 0,
      elements: type === 'module' ? null : i * 400,
      memoryBytes: 1000 * (HOSTILE_KEYS.length - i),
      ...(i % 4 === 0 && { expiresAtMs: SAVED_AT_MS + (i - 8) * 3_600_000 }),
      ...(i % 5 === 0 && { idleSeconds: i * 100_000, freq: i }),
    });
  }
  snapshot.keys(
    300,
    (i) => `<b>burst</b>:${i}`,
    () => ({ expiresAtMs: SAVED_AT_MS + 7_200_000 }),
  );
  snapshot.key('absurd', { expiresAtMs: 9_223_372_036_854_775_807n });
  snapshot.row('problems', {
    file_id: 1,
    code: 'absurd-expiry',
    severity: 'warning',
    text: 'an expiry of |<i>\u001b[0m',
    file_offset: 10,
    db: 0,
    key: 'absurd',
    count: 1,
  });
  return snapshot.build();
}
