import type { ServerLayout } from '../layout.js';
import { redis88 } from './redis-8.8.js';

/** Redis 8.10: the key's block counts as requested again, unless it holds the value. Tree of 9 June 2026. */
export const redis810 = {
  ...redis88,
  version: '8.10',
  object: { ...redis88.object, count: 'requested' },
} as const satisfies ServerLayout;
