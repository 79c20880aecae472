import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { DataType } from '../../src/rdb-parser/records.js';
import { parsePatternRules } from '../../src/store/pattern-rules.js';
import { seededRandom } from '../seeded.js';
import { type FedKey, loadKeys, rowsOf, SAVED_AT_MS, single } from './key-feed.js';

/** prefix -> keys of the whole tree. */
function keysByPrefix(database: Database): Record<string, number> {
  const rows = database.prepare('SELECT prefix, keys FROM prefixes').raw().all() as [string, number][];
  return Object.fromEntries(rows);
}

/** Keys of many shapes: ids, names, hash tags, bytes that are no text, empty segments, very long ones. */
function mixedKeys(count: number): FedKey[] {
  const random = seededRandom('prefixes');
  const below = (limit: number): number => Math.floor(random() * limit);
  const word = (): string => ['user', 'cart', 'tok', 'a', '', 'Grüße', 'x'.repeat(80), 'deadbeef'][below(8)]!;
  const id = (): string =>
    [`${below(1e6)}`, `${below(1e9).toString(16).padStart(8, '0')}`, `w${below(40)}`, `{${below(50)}}`][
      below(4)
    ]!;
  const types: DataType[] = ['string', 'hash', 'zset'];
  return Array.from({ length: count }, (_, i) => ({
    key:
      Array.from({ length: 1 + below(5) }, () => (below(2) === 0 ? word() : id())).join(':') +
      (i % 50 === 0 ? '\0' : ''),
    dataType: types[below(3)]!,
    memoryBytes: 50 + below(1000),
    serializedBytes: 10 + below(500),
    elementCount: below(9) === 0 ? -1 : below(100),
    hasExpiry: below(2) === 0,
    expiresAtMs: SAVED_AT_MS + below(2000) - 1000,
  }));
}

const SUMS =
  'keys, memory_bytes, serialized_bytes, elements, key_name_bytes, keys_without_ttl, memory_without_ttl, expired_keys';

function expectSoundTree(database: Database, keys: number): void {
  expect(single(database, 'SELECT keys FROM prefixes WHERE parent_id IS NULL')).toBe(keys);
  // Children and own keys make up each node, in every sum.
  const own = `SELECT prefix_id, COUNT(*) AS keys, SUM(memory_bytes) AS memory_bytes,
      SUM(serialized_bytes) AS serialized_bytes, SUM(COALESCE(elements, 0)) AS elements,
      SUM(LENGTH(CAST(key AS BLOB))) AS key_name_bytes, SUM(expires_at_ms IS NULL) AS keys_without_ttl,
      SUM(CASE WHEN expires_at_ms IS NULL THEN memory_bytes ELSE 0 END) AS memory_without_ttl,
      SUM(COALESCE(expires_at_ms < ${SAVED_AT_MS}, 0)) AS expired_keys, MAX(memory_bytes) AS largest
    FROM keys GROUP BY prefix_id`;
  const parts = SUMS.split(', ').map((sum) => `SUM(${sum}) AS ${sum}`);
  const wrong = rowsOf(
    database,
    `WITH own AS (${own}), parts AS (
       SELECT prefix_id AS id, ${SUMS}, largest FROM own
       UNION ALL SELECT parent_id, ${SUMS}, largest_key_bytes FROM prefixes WHERE parent_id IS NOT NULL
     ), added AS (SELECT id, ${parts.join(', ')}, MAX(largest) AS largest FROM parts GROUP BY id)
     SELECT prefixes.prefix FROM prefixes LEFT JOIN added USING (id)
     WHERE (${SUMS.split(', ').map((sum) => `prefixes.${sum}`)}, prefixes.largest_key_bytes)
       IS NOT (${SUMS.split(', ').map((sum) => `added.${sum}`)}, added.largest)`,
  );
  expect(wrong).toEqual([]);
  expect(
    rowsOf(
      database,
      `SELECT prefix FROM prefixes LEFT JOIN (${own}) AS own ON own.prefix_id = prefixes.id
       WHERE prefixes.own_keys <> COALESCE(own.keys, 0)`,
    ),
  ).toEqual([]);
  // By type, the same.
  const byType = 'keys, memory_bytes, serialized_bytes, elements, keys_without_ttl, memory_without_ttl';
  expect(
    rowsOf(
      database,
      `SELECT prefix FROM prefixes JOIN (
         SELECT prefix_id, ${byType.split(', ').map((sum) => `SUM(${sum}) AS ${sum}`)} FROM prefix_types GROUP BY 1
       ) AS types ON types.prefix_id = prefixes.id
       WHERE (${byType.split(', ').map((sum) => `prefixes.${sum}`)})
         IS NOT (${byType.split(', ').map((sum) => `types.${sum}`)})`,
    ),
  ).toEqual([]);
  // Every row's prefix stands, and no two siblings have one text.
  expect(single(database, 'SELECT COUNT(*) FROM keys WHERE prefix_id NOT IN (SELECT id FROM prefixes)')).toBe(
    0,
  );
  expect(
    rowsOf(database, 'SELECT prefix FROM prefixes GROUP BY parent_id, prefix HAVING COUNT(*) > 1'),
  ).toEqual([]);
}

describe('the prefix tree', () => {
  it('adds up at every node', () => {
    expectSoundTree(loadKeys(mixedKeys(5000)), 5000);
  });

  it.each([
    { nodes: 1, childrenPerNode: 1, depth: 1 },
    { nodes: 20, childrenPerNode: 5, depth: 3 },
    { nodes: 100, childrenPerNode: 10, depth: 12 },
    { nodes: 50_000, childrenPerNode: 3, depth: 12 },
    { nodes: 300, childrenPerNode: 1000, depth: 2 },
  ])(
    'adds up and stays small when it may have $nodes nodes, $childrenPerNode children each, $depth deep',
    (limits) => {
      const database = loadKeys(mixedKeys(5000), { prefixLimits: limits });
      expectSoundTree(database, 5000);
      expect(single(database, 'SELECT MAX(depth) FROM prefixes')).toBeLessThanOrEqual(limits.depth);
      // The `{*}` nodes, ids (which are few) and the folding's own come on top.
      expect(single(database, 'SELECT COUNT(*) FROM prefixes')).toBeLessThan(2.5 * limits.nodes + 64);
    },
  );

  it('counts each key at its own pattern and once per level', () => {
    const keys = ['user:1:session', 'user:2:session', 'user:3', 'user', 'tok_1', 'a::b', ''];
    const database = loadKeys(keys.map((key) => ({ key })));
    expect(keysByPrefix(database)).toEqual({
      '': 7,
      user: 4,
      'user:{n}': 3,
      'user:{n}:session': 2,
      'tok_{n}': 1,
      a: 1,
      'a:': 1,
      'a::b': 1,
      '{empty}': 1,
    });
  });

  it('tells separators apart', () => {
    const database = loadKeys(
      ['a:b', 'a|b', 'a|b'].map((key) => ({ key })),
      { separators: ':|' },
    );
    expect(keysByPrefix(database)).toEqual({ '': 3, a: 3, 'a:b': 1, 'a|b': 2 });
  });
});

describe('with pattern rules', () => {
  const rules = parsePatternRules(
    'user:{who} = .+\n{odd} = w\\d*[13579]\n{tag} = \\{[0-9]+\\}\n{odd} = x{80}\n{hex} = deadbeef',
    'names.rules',
  );

  it.each([{}, { prefixLimits: { nodes: 60, childrenPerNode: 5 } }, { safeInsert: true }])(
    'sums stay exact: %j',
    (options) => {
      const database = loadKeys(mixedKeys(5000), { ...options, patternRules: rules });
      expectSoundTree(database, 5000);
      // A full root may have folded `user`; what is named in any place stays.
      expect(single(database, "SELECT COUNT(*) FROM prefixes WHERE prefix LIKE '%{tag}%'")).toBeGreaterThan(
        0,
      );
    },
  );

  it('keys whose segments match are one pattern, and the database says by which rules', () => {
    const keys = ['user:ann', 'user:bob', 'user:17', 'user:ann:w3', 'cart:w5', 'cart:w6', 'user', '{who}'];
    const database = loadKeys(
      keys.map((key) => ({ key })),
      { patternRules: rules },
    );
    expect(keysByPrefix(database)).toEqual({
      '': 8,
      user: 5,
      'user:{who}': 4,
      'user:{who}:{odd}': 1,
      cart: 2,
      'cart:{odd}': 1,
      'cart:w6': 1,
      '\\x7bwho}': 1,
    });
    expect(rowsOf(database, "SELECT name, value FROM meta WHERE name LIKE 'pattern%' ORDER BY name")).toEqual(
      [
        ['pattern_placeholders', '{who}, {odd}, {tag}, {hex}'],
        ['pattern_rules', expect.stringContaining('user:{who} = .+\n{odd} = w')],
      ],
    );
    expect(single(database, "SELECT key_prefix('user:eve:w1:x', ':', 3)")).toBe('user:{who}:{odd}');
    // Where the rules do not fit the separators they are left aside.
    expect(single(database, "SELECT key_prefix('user/7/w1', '/', 0)")).toBe('user/{n}/w1');
    expect(single(database, "SELECT without_placeholders('user:{who}:{n}:{x}')")).toBe('user:::{x}');
  });

  it('ids are not held back by a full node', () => {
    const keys = Array.from({ length: 500 }, (_, i) => ({ key: `s:x${i}y` }));
    const database = loadKeys(keys, {
      patternRules: parsePatternRules('s:{mine} = x\\d+y', 'r'),
      prefixLimits: { childrenPerNode: 10 },
    });
    expect(keysByPrefix(database)).toEqual({ '': 500, s: 500, 's:{mine}': 500 });
  });

  it('a load whose separators do not fit is given up', () => {
    expect(() => loadKeys([], { patternRules: rules, separators: '/' })).toThrow(
      'names.rules:1: "user:" must end with what parts segments (/)',
    );
  });
});

describe('a node with too many children', () => {
  it('folds the small ones into {*} and keeps the large', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `x${i % 7}y${i}z`);
    const keys = [...Array(50).fill('config'), ...names, ...names.map((name) => `${name}:profile`)];
    const database = loadKeys(
      keys.map((key) => ({ key })),
      { prefixLimits: { childrenPerNode: 100 } },
    );
    expect(keysByPrefix(database)).toEqual({ '': 6050, '{*}': 6000, config: 50, '{*}:profile': 3000 });
    expectSoundTree(database, 6050);
  });

  it('keeps a small child that holds much memory', () => {
    const keys = Array.from({ length: 3000 }, (_, i) => ({ key: `x${i}y` }));
    const database = loadKeys([{ key: 'fat', memoryBytes: 1e6 }, ...keys], {
      prefixLimits: { childrenPerNode: 100 },
    });
    expect(keysByPrefix(database)).toEqual({ '': 3001, fat: 1, '{*}': 3000 });
  });

  it('gathers what has a common beginning', () => {
    const keys = Array.from({ length: 3000 }, (_, i) => [`tok_x${i}y`, `img/x${i}y/z`, `${i}q`]).flat();
    const database = loadKeys(
      keys.map((key) => ({ key })),
      { prefixLimits: { childrenPerNode: 100 } },
    );
    expect(keysByPrefix(database)).toEqual({ '': 9000, 'tok_{*}': 3000, 'img/{*}': 3000, '{*}': 3000 });
    expectSoundTree(database, 9000);
  });

  it('does not count ids as children', () => {
    const keys = Array.from({ length: 500 }, (_, i) => `${i}:x${i}y`);
    const database = loadKeys(
      keys.map((key) => ({ key })),
      { prefixLimits: { childrenPerNode: 50 } },
    );
    expect(keysByPrefix(database)).toEqual({ '': 500, '{n}': 500, '{n}:{*}': 500 });
  });
});

describe('ids that look like another kind', () => {
  it('join the kind that most of their siblings are', () => {
    const hex = Array.from({ length: 200 }, (_, i) => `s:${(0xabcdef00 + i).toString(16)}:x`);
    const days = Array.from({ length: 200 }, (_, i) => `n:${30_000_000 + i}`);
    const database = loadKeys([...hex, 's:12345678:x', ...days, 'n:20261130'].map((key) => ({ key })));
    expect(keysByPrefix(database)).toEqual({
      '': 402,
      s: 201,
      's:{hex}': 201,
      's:{hex}:x': 201,
      n: 201,
      'n:{n}': 201,
    });
    expectSoundTree(database, 402);
  });

  it('stay what they are when they are many', () => {
    const keys = Array.from({ length: 30 }, (_, i) => [
      `d:202611${String(i + 1).padStart(2, '0')}`,
      `d:${i}`,
    ]).flat();
    const database = loadKeys(keys.map((key) => ({ key })));
    expect(keysByPrefix(database)).toEqual({ '': 60, d: 60, 'd:{date}': 30, 'd:{n}': 30 });
  });

  it('are one {date}, whichever way they are written', () => {
    const database = loadKeys(['d:2026-11-30', 'd:20261130'].map((key) => ({ key })));
    expect(keysByPrefix(database)).toEqual({ '': 2, d: 2, 'd:{date}': 2 });
  });
});

describe('what could fill memory', () => {
  it.each([
    [
      'a UUID in the first segment',
      (i: number) =>
        `${((i * 2654435761) >>> 0).toString(16).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}:s`,
    ],
    ['another first segment each', (i: number) => `k${i}x:s`],
    ['another path each', (i: number) => `a${i % 97}b:c${i % 89}d:e${i}f`],
    ['a separator after each byte', (i: number) => `${i}${':x'.repeat(200)}`],
  ])('stays small: %s', (_, keyOf) => {
    const database = loadKeys(
      Array.from({ length: 20_000 }, (_, i) => ({ key: keyOf(i) })),
      {
        prefixLimits: { nodes: 2000 },
      },
    );
    expectSoundTree(database, 20_000);
    expect(single(database, 'SELECT COUNT(*) FROM prefixes')).toBeLessThan(4000);
  });
});
