import type { ServerLayout } from '../layout.js';
import { redis84 } from './redis-8.4.js';

/** Redis 8.6: hash entries and skiplist nodes hold their text. Sizes: trees of January to May 2026. */
export const redis86 = {
  ...redis84,
  version: '8.6',
  object: {
    ...redis84.object,
    expiryInSlack: false,
    count: 'usable',
    embed: { ...redis84.object.embed, expiryCounts: false },
  },
  zset: {
    ...redis84.zset,
    nodeBytes: [16, 12], // server.h, `zskiplistNode`: the member follows the levels
    embeddedMember: { offsetBytes: 0 },
  },
  hash: {
    ...redis84.hash,
    entry: {
      kind: 'entry',
      expiryBytes: 16, // ebuckets.h, `ExpireMeta`
      maxBytes: 128, // entry.c: up to here the value is embedded
      pointerBytes: 8,
      count: 'requested',
    },
  },
} as const satisfies ServerLayout;
