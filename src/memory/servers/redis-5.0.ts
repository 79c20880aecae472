import type { ServerLayout } from '../layout.js';
import { redis60 } from './redis-6.0.js';

/** Redis 5.0: the report measures the command's argument for the key. Sizes and rules: tag 5.0.14, object.c. */
export const redis50 = {
  ...redis60,
  version: '5.0',
  object: { ...redis60.object, keyCount: 'argument' },
  stream: { ...redis60.stream, encoding: 'unknown' }, // object.c, `strEncoding` knows no streams
} as const satisfies ServerLayout;
