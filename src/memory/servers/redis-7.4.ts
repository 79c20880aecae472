import type { ServerLayout } from '../layout.js';
import { redis72 } from './redis-7.2.js';

/** Redis 7.4: hash fields may expire; long list items get nodes of their own. Sizes: sizeof at tag 7.4.1. */
export const redis74 = {
  ...redis72,
  version: '7.4',
  object: { ...redis72.object, clusterEntryBytes: [0, 0] }, // kvstore.c: a dict per slot, no links
  list: { ...redis72.list, plainNodes: 'over-limit' },
  keyspace: {
    ...redis72.keyspace,
    tablePerSlot: true,
    slotTableBytes: [72, 36], // kvstore.c, `dict` and `kvstoreDictMetaBase`
  },
  hash: {
    ...redis72.hash,
    entry: { kind: 'mstr', expiryBytes: 18 }, // mstr.h: 2 bytes of flags; ebuckets.h, `ExpireMeta`
    fieldExpiry: 'listpackex',
    listpackExBytes: [32, 24], // t_hash.c, `listpackEx`
  },
} as const satisfies ServerLayout;
