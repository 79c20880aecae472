import type { ServerLayout } from '../layout.js';
import { redis32 } from './redis-3.2.js';

/** Redis 3.0: linked lists, one wide string header. No MEMORY USAGE: counted as 4.0 counts. Sizes: tag 3.0.7. */
export const redis30 = {
  ...redis32,
  version: '3.0',
  sds: 'wide', // sds.h, `sdshdr`
  object: {
    ...redis32.object,
    embstr: { maxLength: 39, count: 'short' }, // object.c, REDIS_ENCODING_EMBSTR_SIZE_LIMIT
  },
  list: {
    kind: 'linked',
    bytes: [48, 24], // adlist.h, `list`
    nodeBytes: [24, 12], // adlist.h, `listNode`
    objectBytes: [16, 12], // redis.h, `redisObject`
  },
} as const satisfies ServerLayout;
