import type { ServerLayout } from '../layout.js';
import { redis50 } from './redis-5.0.js';

/**
 * Redis 4.0, the first with MEMORY USAGE: it measures its argument instead of the key and leaves out the structs of a
 * sorted set; loaders do not make room in tables. Rules: object.c, rdb.c (4.0.14).
 */
export const redis40 = {
  ...redis50,
  version: '4.0',
  object: { ...redis50.object, keyCount: 'argument' },
  zset: {
    ...redis50.zset,
    skiplistBytes: [0, 0],
    countsHead: false,
    countsDict: false,
    presizesPlain: false,
  },
  hash: { ...redis50.hash, presizesPlain: false },
} as const satisfies ServerLayout;
