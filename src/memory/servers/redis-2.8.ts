import type { ServerLayout } from '../layout.js';
import { redis30 } from './redis-3.0.js';

/** Redis 2.8 and earlier: no embedded strings. Source: object.c (2.8.24), `createStringObject`. */
export const redis28 = {
  ...redis30,
  version: '2.8',
  object: { ...redis30.object, embstr: { maxLength: -1, count: 'short' } },
} as const satisfies ServerLayout;
