import type { ServerLayout } from '../layout.js';
import { redis50 } from './redis-5.0.js';

/** Redis 4.0, the first with MEMORY USAGE. Sizes and rules: tag 4.0.14, object.c. */
export const redis40 = { ...redis50, version: '4.0' } as const satisfies ServerLayout;
