import type { ServerLayout } from '../layout.js';
import { valkey80 } from './valkey-8.0.js';

/**
 * Valkey 8.1: a hash table of cache lines; keys lie in their objects, and the report leaves them out unless the value
 * lies there too. Sizes: tree of 31 March 2025.
 */
export const valkey81 = {
  ...valkey80,
  version: '8.1',
  object: {
    kind: 'in-object',
    objectBytes: [16, 12],
    expiryBytes: 8,
    expiryFromKeyLength: 128, // object.c, KEY_SIZE_TO_INCLUDE_EXPIRE_THRESHOLD
    expiryInSlack: false,
    count: 'object', // object.c, `objectComputeSize`: sizeof(*o)
    embed: {
      maxValueLength: 44,
      maxBytes: 64, // object.c, `shouldEmbedStringObject`
      objectBytes: [16, 12],
      exactKeyHeader: true,
      expiryCounts: true,
      minValueBytes: 0,
    },
  },
  table: {
    kind: 'hashtable',
    bytes: [72, 56], // hashtable.c, `struct hashtable`
    hashMetadataBytes: [0, 0],
    bucketBytes: [64, 64], // hashtable.c, HASHTABLE_BUCKET_SIZE
    entriesPerBucket: [7, 12], // hashtable.c, ENTRIES_PER_BUCKET
  },
  keyspace: {
    ...valkey80.keyspace,
    slotTableBytes: [96, 72], // hashtable.c, `struct hashtable`; kvstore.c, `kvstoreHashtableMetadata`
  },
  hash: {
    ...valkey80.hash,
    entry: {
      kind: 'entry',
      expiryBytes: 8,
      maxBytes: 128, // entry.c, EMBED_VALUE_MAX_ALLOC_SIZE
      pointerBytes: 8,
      count: 'usable',
    },
  },
  stream: {
    ...valkey80.stream,
    trees: 'real', // rax.c, `raxAllocSize`
    raxBytes: [32, 24], // rax.h, `rax`: allocated size
  },
} as const satisfies ServerLayout;
