import type { ServerLayout } from '../layout.js';
import { redis60 } from './redis-6.0.js';

/** Redis 5.0: skiplists of up to 64 levels, streams counted without their struct. Rules: object.c (5.0.14). */
export const redis50 = {
  ...redis60,
  version: '5.0',
  zset: { ...redis60.zset, maxLevel: 64 }, // server.h, ZSKIPLIST_MAXLEVEL
  stream: {
    ...redis60.stream,
    encoding: 'unknown', // object.c, `strEncoding` knows no streams
    bytes: [0, 0], // `objectComputeSize` starts from sizeof(robj) alone
  },
} as const satisfies ServerLayout;
