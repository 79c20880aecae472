import type { ServerLayout } from '../layout.js';
import { redis62 } from './redis-6.2.js';

/** Redis 7.0: listpacks, all blocks rounded. Sizes: sizeof at tag 7.0.15. */
export const redis70 = {
  ...redis62,
  version: '7.0',
  packing: 'listpack',
  packedCount: 'usable', // object.c, `zmalloc_size` in `objectComputeSize`
  object: {
    ...redis62.object,
    clusterEntryBytes: [16, 8], // cluster.h, `clusterDictEntryMetadata`
    embstr: { maxLength: 44, count: 'usable' },
  },
  table: { kind: 'dict', bytes: [56, 28], entryBytes: [24, 16] }, // dict.h, `dict`
  list: {
    kind: 'quicklist',
    bytes: [40, 20],
    nodeBytes: [40, 20], // quicklist.h, `quicklistNode`: a size_t size
    plainNodes: 'huge',
    packsSingleNode: false,
  },
  zset: {
    ...redis62.zset,
    scoreText: 'seventeen', // t_zset.c, `zzlInsertAt`; util.c, `d2string`
  },
  hash: {
    ...redis62.hash,
    presizesUnpacked: true, // t_hash.c, `hashTypeConvertListpack`
  },
  stream: {
    ...redis62.stream,
    bytes: [80, 76], // stream.h, `stream`: first and deleted ids, entries added
    groupBytes: [40, 32], // stream.h, `streamCG`: entries read
  },
} as const satisfies ServerLayout;
