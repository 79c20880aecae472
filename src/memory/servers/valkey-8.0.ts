import type { ServerLayout } from '../layout.js';
import { valkey72 } from './valkey-7.2.js';

/** Valkey 8.0: keys lie in their dict entries. Sizes: sizeof at tag 8.0.1. */
export const valkey80 = {
  ...valkey72,
  version: '8.0',
  object: {
    kind: 'in-entry',
    objectBytes: [16, 12], // server.h, `serverObject`
    entryBytes: [17, 9], // dict.c, `embeddedDictEntry`: value, next, header size
    embstr: valkey72.object.embstr,
  },
  list: { ...valkey72.list, plainNodes: 'over-limit' }, // quicklist.c, `isLargeElement`
  keyspace: {
    ...valkey72.keyspace,
    tablePerSlot: true,
    slotTableBytes: [72, 36], // kvstore.c, `dict` and `kvstoreDictMetadata`
  },
  set: {
    ...valkey72.set,
    countsRealEntries: true, // dict.c, `dictEntryMemUsage(de)`
    entryBytes: [16, 8], // dict.c, `dictEntryNoValue`
  },
} as const satisfies ServerLayout;
