import type { ServerLayout } from '../layout.js';
import { redis62 } from './redis-6.2.js';

/** KeyDB 6 grew out of Redis 6. */
export const keydb63 = { ...redis62, family: 'keydb', version: '6.3' } as const satisfies ServerLayout;
