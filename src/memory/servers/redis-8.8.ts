import type { ServerLayout } from '../layout.js';
import { redis86 } from './redis-8.6.js';

/** Redis 8.8: streams with idempotent producers, arrays. Sizes: tree of 25 May 2026. */
export const redis88 = {
  ...redis86,
  version: '8.8',
  stream: {
    ...redis86.stream,
    bytes: [160, 136], // stream.h, `stream`
    groupBytes: [64, 52], // stream.h, `streamCG`
    pendingBytes: [64, 48], // stream.h, `streamNACK`: links by delivery time instead of a tree
    deliveryTree: false,
  },
} as const satisfies ServerLayout;
