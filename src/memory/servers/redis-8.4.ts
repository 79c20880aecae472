import type { ServerLayout } from '../layout.js';
import { redis82 } from './redis-8.2.js';

/** Redis 8.4: each key keeps a running total, unrounded for blobs and short strings. Sizes: tree of November 2025. */
export const redis84 = {
  ...redis82,
  version: '8.4',
  samples: false,
  sdsCount: 'running',
  packedCount: 'requested',
  object: { ...redis82.object, count: 'requested' },
  list: { ...redis82.list, bytes: [48, 24] }, // quicklist.h, `quicklist`: allocated size
  zset: { ...redis82.zset, skiplistBytes: [40, 20] }, // server.h, `zskiplist`: allocated size
  hash: { ...redis82.hash, listpackExBytes: [24, 20] }, // t_hash.c, `listpackEx`
  stream: {
    ...redis82.stream,
    bytes: [128, 112], // stream.h, `stream`
    groupBytes: [48, 40], // stream.h, `streamCG`
    pendingBytes: [32, 28], // stream.h, `streamNACK`
    listpackCount: 'requested',
    trees: 'real', // rax.c, `raxAllocSize`
    raxBytes: [32, 24], // rax.h, `rax`: allocated size
    countsNames: true,
    deliveryTree: true,
  },
} as const satisfies ServerLayout;
