import type { ServerLayout } from '../layout.js';
import { redis70 } from './redis-7.0.js';

/** Redis 7.2: sets and lists may be listpacks. Sizes: sizeof at tag 7.2.6. */
export const redis72 = {
  ...redis70,
  version: '7.2',
  object: { ...redis70.object, clusterEntryBytes: [8, 4] }, // measured: a cluster's entries count 8 bytes more
  list: { ...redis70.list, packsSingleNode: true },
  set: { ...redis70.set, packs: true },
  zset: {
    ...redis70.zset,
    scoreText: 'shortest', // util.c, `d2string`: fpconv_dtoa
    presizesUnpacked: true, // t_zset.c, `zsetConvertAndExpand`
  },
  stream: {
    ...redis70.stream,
    consumerBytes: [32, 24], // stream.h, `streamConsumer`: active time
  },
} as const satisfies ServerLayout;
