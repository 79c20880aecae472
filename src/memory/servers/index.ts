import type { ServerLayout } from '../layout.js';
import { keydb63 } from './keydb-6.3.js';
import { redis28 } from './redis-2.8.js';
import { redis30 } from './redis-3.0.js';
import { redis32 } from './redis-3.2.js';
import { redis40 } from './redis-4.0.js';
import { redis50 } from './redis-5.0.js';
import { redis60 } from './redis-6.0.js';
import { redis62 } from './redis-6.2.js';
import { redis70 } from './redis-7.0.js';
import { redis72 } from './redis-7.2.js';
import { redis74 } from './redis-7.4.js';
import { redis80 } from './redis-8.0.js';
import { redis82 } from './redis-8.2.js';
import { redis84 } from './redis-8.4.js';
import { redis86 } from './redis-8.6.js';
import { redis88 } from './redis-8.8.js';
import { redis810 } from './redis-8.10.js';
import { valkey72 } from './valkey-7.2.js';
import { valkey80 } from './valkey-8.0.js';
import { valkey81 } from './valkey-8.1.js';
import { valkey90 } from './valkey-9.0.js';
import { valkey91 } from './valkey-9.1.js';

/** Every server version whose rules are known, oldest first within its family. */
export const serverLayouts: readonly ServerLayout[] = [
  redis28,
  redis30,
  redis32,
  redis40,
  redis50,
  redis60,
  redis62,
  redis70,
  redis72,
  redis74,
  redis80,
  redis82,
  redis84,
  redis86,
  redis88,
  redis810,
  valkey72,
  valkey80,
  valkey81,
  valkey90,
  valkey91,
  keydb63,
];
