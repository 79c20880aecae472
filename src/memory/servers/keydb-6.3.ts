import type { ServerLayout } from '../layout.js';
import { redis62 } from './redis-6.2.js';

/**
 * KeyDB 6.3, grown out of Redis 6: keys are shared strings with a counter, objects carry a version stamp. Measured on
 * its tree of 2023 (commit 603ebb27) and read in its sds.h and server.h.
 */
export const keydb63 = {
  ...redis62,
  family: 'keydb',
  version: '6.3',
  object: {
    kind: 'separate',
    objectBytes: [24, 20], // server.h, `redisObject` and its stamp
    entryBytes: [24, 16],
    clusterEntryBytes: [0, 0],
    keyCount: 'shared',
    embstr: { maxLength: 52, count: 'short' }, // object.cpp, OBJ_ENCODING_EMBSTR_SIZE_LIMIT
  },
  table: { ...redis62.table, bytes: [112, 56] }, // dict.h, `dict`: asynchronous rehashing
  stream: { ...redis62.stream, listpackCount: 'requested' },
} as const satisfies ServerLayout;
