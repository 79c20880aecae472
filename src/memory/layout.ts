import type { ArrayLayout } from './array.js';
import type { DictLayout } from './dict.js';
import type { HashLayout } from './hash.js';
import type { HashtableLayout } from './hashtable.js';
import type { KeyspaceLayout } from './keyspace.js';
import type { ListLayout } from './list.js';
import type { ObjectLayout } from './object.js';
import type { SdsCount, SdsGeneration } from './sds.js';
import type { SetLayout } from './set.js';
import type { StreamLayout } from './stream.js';
import type { EncodingThresholds } from './thresholds.js';
import type { ZsetLayout } from './zset.js';

/** A size that depends on the word: [64-bit build, 32-bit build]. */
export type Bytes = readonly [number, number];

export type ServerFamily = 'redis' | 'valkey' | 'keydb';

/** Sizes and rules of one server version: a row of data, see `servers/`. Bytes throughout. */
export interface ServerLayout {
  readonly family: ServerFamily;
  /** First version it holds for: `7.2`. */
  readonly version: string;
  /** Whether MEMORY USAGE averages over samples, or adds up (a running total). */
  readonly samples: boolean;
  readonly sds: SdsGeneration;
  /** How MEMORY USAGE counts strings in blocks of their own: members, fields, values. */
  readonly sdsCount: SdsCount;
  /** Small collections: ziplists up to Redis 6.2, listpacks from 7.0 on. */
  readonly packing: 'ziplist' | 'listpack';
  /** Whether a packed blob counts as the block it lies in or as its own length. */
  readonly packedCount: 'requested' | 'usable';
  readonly object: ObjectLayout;
  readonly table: DictLayout | HashtableLayout;
  readonly list: ListLayout;
  readonly set: SetLayout;
  readonly zset: ZsetLayout;
  readonly hash: HashLayout;
  readonly stream: StreamLayout;
  readonly array: ArrayLayout;
  readonly keyspace: KeyspaceLayout;
  readonly thresholds: EncodingThresholds;
}

/** The size for the given word. */
export function pick(bytes: Bytes, wordBits: 64 | 32): number {
  return wordBits === 64 ? bytes[0] : bytes[1];
}
