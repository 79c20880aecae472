import type { ServerLayout } from '../layout.js';
import { redis62 } from './redis-6.2.js';

/** Redis 6.0: strings count as requested, not as the blocks they lie in. Source: object.c, `sdsAllocSize` (6.0.16). */
export const redis60 = {
  ...redis62,
  version: '6.0',
  sdsCount: 'requested',
  object: { ...redis62.object, keyCount: 'requested' },
  stream: { ...redis62.stream, listpackCount: 'requested' }, // object.c, `lpBytes`
} as const satisfies ServerLayout;
