import { describe, expect, it } from 'vitest';
import { UNKNOWN } from '../../src/rdb-parser/records.js';
import { RANKINGS } from '../../src/store/largest-keys.js';
import { seededRandom } from '../seeded.js';
import { type FedKey, loadKeys } from './key-feed.js';

/** What all rows say of a ranking, in SQL. */
const MEANINGS: Readonly<
  Record<(typeof RANKINGS)[number], { readonly column: string; readonly of: string }>
> = {
  memory_bytes: { column: 'memory_bytes', of: '1' },
  memory_without_ttl: { column: 'memory_bytes', of: 'expires_at_ms IS NULL' },
  serialized_bytes: { column: 'serialized_bytes', of: '1' },
  elements: { column: 'elements', of: '1' },
  largest_element_bytes: { column: 'largest_element_bytes', of: '1' },
};

/** So many keys, each number drawn by the function from where the key stands. */
function keysOf(count: number, draw: (at: number) => number): FedKey[] {
  return Array.from({ length: count }, (_, at) => ({
    key: `key:${at}`,
    memoryBytes: 48 + draw(at),
    serializedBytes: 8 + draw(at),
    elementCount: at % 7 === 0 ? UNKNOWN : draw(at),
    longestElementBytes: at % 3 === 0 ? UNKNOWN : draw(at),
    ...(at % 2 === 0 ? { hasExpiry: true, expiresAtMs: Date.UTC(2027, 0, 1) + at } : {}),
  }));
}

const random = seededRandom('largest keys');
const ORDERS: readonly (readonly [name: string, draw: (at: number) => number])[] = [
  ['any order', () => Math.floor(random() * 1e6)],
  ['many of one size', () => Math.floor(random() * 4)],
  ['rising', (at) => at],
  ['falling', (at) => 10_000 - at],
];

describe('the largest keys', () => {
  it.each(ORDERS)('are those that a sort of all rows puts first: %s', (_, draw) => {
    const database = loadKeys(keysOf(4000, draw));
    for (const ranking of RANKINGS) {
      const { column, of } = MEANINGS[ranking];
      const all = database
        .prepare(
          `SELECT id, ${column} FROM keys WHERE ${of} AND ${column} IS NOT NULL ORDER BY ${column} DESC, id LIMIT 1000`,
        )
        .raw()
        .all();
      const kept = database
        .prepare('SELECT key_id, value FROM largest_keys WHERE ranking = ? ORDER BY rowid')
        .raw()
        .all(ranking);
      expect(kept).toHaveLength(1000);
      expect(kept).toEqual(all);
    }
    database.close();
  });

  it('are all keys when there are few, whichever way rows are written', () => {
    for (const safeInsert of [false, true]) {
      const database = loadKeys(
        keysOf(5, (at) => at),
        { safeInsert },
      );
      const kept = database.prepare("SELECT key_id FROM largest_keys WHERE ranking = 'memory_bytes'").pluck();
      expect(kept.all()).toEqual([5, 4, 3, 2, 1]);
      database.close();
    }
  });
});
