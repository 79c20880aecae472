import type { ServerLayout } from '../layout.js';
import { redis80 } from './redis-8.0.js';

/**
 * Redis 8.2: object, key, expiry and short strings share a block. From source only (object.c, `kvobjCreate`,
 * `kvobjComputeSize`; 8.2.1): 8.2.0 left key and entry out of its report.
 */
export const redis82 = {
  ...redis80,
  version: '8.2',
  sds: 'reserved', // sds.h: the topmost values of a length field are taken
  object: {
    kind: 'in-object',
    objectBytes: [16, 12],
    expiryBytes: 8,
    expiryFromKeyLength: 128, // object.c, KEY_SIZE_TO_INCLUDE_EXPIRE_THRESHOLD
    expiryInSlack: true,
    count: 'usable',
    embed: {
      maxValueLength: 44,
      maxBytes: 64, // object.c: one cache line
      objectBytes: [16, 12],
      exactKeyHeader: false,
      expiryCounts: true,
      minValueBytes: 0,
    },
  },
  keyspace: {
    ...redis80.keyspace,
    entries: 'chained',
    chainedEntryBytes: [16, 8], // dict.c, `dictEntryNoValue`
  },
} as const satisfies ServerLayout;
