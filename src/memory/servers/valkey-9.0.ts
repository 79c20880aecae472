import type { ServerLayout } from '../layout.js';
import { valkey81 } from './valkey-8.1.js';

/** Valkey 9.0: fields may expire, keys are counted for all types. From source only (object.c, entry.c; 9.0). */
export const valkey90 = {
  ...valkey81,
  version: '9.0',
  object: { ...valkey81.object, count: 'usable' },
  table: { ...valkey81.table, hashMetadataBytes: [8, 4] },
  hash: { ...valkey81.hash, fieldExpiry: 'table', countsVolatileIndex: true },
} as const satisfies ServerLayout;
