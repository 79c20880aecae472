import type { ServerLayout } from '../layout.js';
import { redis40 } from './redis-4.0.js';

/** Redis 3.2 has no MEMORY USAGE: the figure is what 4.0 would say of the same structures. */
export const redis32 = { ...redis40, version: '3.2' } as const satisfies ServerLayout;
