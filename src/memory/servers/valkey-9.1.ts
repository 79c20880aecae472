import type { ServerLayout } from '../layout.js';
import { valkey90 } from './valkey-9.0.js';

/** Valkey 9.1: short values take the pointer's place, members lie in skiplist nodes. Sizes: tree of 19 May 2026. */
export const valkey91 = {
  ...valkey90,
  version: '9.1',
  object: {
    ...valkey90.object,
    embed: {
      maxValueLength: Number.POSITIVE_INFINITY,
      maxBytes: 128, // object.c, `shouldEmbedStringObject`
      objectBytes: [8, 8],
      exactKeyHeader: true,
      expiryCounts: true,
      minValueBytes: 8, // the value's pointer would need as much
    },
  },
  table: { ...valkey90.table, bytes: [80, 60] }, // hashtable.c, `struct hashtable`
  zset: {
    ...valkey90.zset,
    skiplistBytes: [536, 276], // server.h, `zskiplist`: its head node is part of it
    countsHead: false,
    nodeBytes: [16, 12], // server.h, `zskiplistNode`
    embeddedMember: { offsetBytes: 1 },
  },
} as const satisfies ServerLayout;
