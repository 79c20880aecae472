import type { ServerLayout } from '../layout.js';
import { DEFAULT_THRESHOLDS } from '../thresholds.js';

/** Redis 6.2: ziplists, strings counted as the blocks they lie in. Sizes: sizeof at tag 6.2.16. */
export const redis62 = {
  family: 'redis',
  version: '6.2',
  samples: true, // object.c, `objectComputeSize`
  sds: 'classic',
  // object.c, `sdsZmallocSize` in `objectComputeSize`
  sdsCount: 'usable',
  packing: 'ziplist',
  // object.c, `objectComputeSize`: `ziplistBlobLen`, not the block
  packedCount: 'requested',
  object: {
    kind: 'separate',
    objectBytes: [16, 12], // server.h, `redisObject`
    entryBytes: [24, 16], // dict.h, `dictEntry`
    clusterEntryBytes: [0, 0],
    keyCount: 'usable',
    embstr: { maxLength: 44, count: 'short' }, // object.c, OBJ_ENCODING_EMBSTR_SIZE_LIMIT
  },
  table: { kind: 'dict', bytes: [96, 48], entryBytes: [24, 16] }, // dict.h, `dict`, `dictEntry`
  list: {
    kind: 'quicklist',
    bytes: [40, 20], // quicklist.h, `quicklist`
    nodeBytes: [32, 20], // quicklist.h, `quicklistNode`
    plainNodes: 'never',
    packsSingleNode: false,
  },
  set: { packs: false, countsRealEntries: false, entryBytes: [24, 16] },
  zset: {
    bytes: [16, 8], // server.h, `zset`
    skiplistBytes: [32, 16], // server.h, `zskiplist`
    countsHead: true,
    countsDict: true,
    nodeBytes: [24, 16], // server.h, `zskiplistNode`
    levelBytes: [16, 8], // server.h, `zskiplistLevel`
    maxLevel: 32, // server.h, ZSKIPLIST_MAXLEVEL
    embeddedMember: undefined,
    scoreText: 'ziplist', // util.c, `d2string`; ziplist.c, `zipTryEncoding`
    presizesPlain: true, // rdb.c, `rdbLoadObject`
    presizesUnpacked: false, // t_zset.c, `zsetConvert`
  },
  hash: {
    entry: { kind: 'sds' },
    fieldExpiry: 'unknown',
    listpackExBytes: [0, 0],
    countsVolatileIndex: false,
    presizesPlain: true, // rdb.c, `rdbLoadObject`
    presizesUnpacked: false, // t_hash.c, `hashTypeConvertZiplist`
    presizesExpiring: false,
  },
  stream: {
    encoding: 'stream',
    bytes: [40, 36], // stream.h, `stream`
    groupBytes: [32, 24], // stream.h, `streamCG`
    consumerBytes: [24, 16], // stream.h, `streamConsumer`
    pendingBytes: [24, 20], // stream.h, `streamNACK`
    listpackCount: 'usable', // object.c, `zmalloc_size` in `objectComputeSize`
    trees: 'guess',
    raxBytes: [24, 20], // rax.h, `rax`
    countsNames: false,
    deliveryTree: false,
  },
  // arrays came with 8.8; what the snapshot of a newer server would take is told with that server's sizes
  array: {
    bytes: [80, 48],
    sliceBytes: 32,
    sparseCapacities: [4, 8, 10],
    blockSlots: 2048,
    blockEntryBytes: 24,
  },
  keyspace: {
    tablePerSlot: false,
    slotTableBytes: [0, 0],
    expiryEntryBytes: [24, 16], // dict.h, `dictEntry`
    entries: 'counted',
    chainedEntryBytes: [0, 0],
  },
  thresholds: DEFAULT_THRESHOLDS,
} as const satisfies ServerLayout;
