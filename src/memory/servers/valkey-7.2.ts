import type { ServerLayout } from '../layout.js';
import { redis72 } from './redis-7.2.js';

/** Valkey 7.2 is Redis 7.2 under another name. */
export const valkey72 = { ...redis72, family: 'valkey' } as const satisfies ServerLayout;
