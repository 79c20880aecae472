import type { ServerLayout } from '../layout.js';
import { redis74 } from './redis-7.4.js';

/** Redis 8.0 counts as 7.4 does. Checked on its first milestone. */
export const redis80 = { ...redis74, version: '8.0' } as const satisfies ServerLayout;
