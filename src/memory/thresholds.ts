/** Where a server stops packing collections: its settings, named as in its redis.conf (7.0 names; ziplist before). */
export interface EncodingThresholds {
  readonly hashMaxListpackEntries: number;
  readonly hashMaxListpackValue: number;
  readonly zsetMaxListpackEntries: number;
  readonly zsetMaxListpackValue: number;
  readonly setMaxIntsetEntries: number;
  /** From 7.2 on. */
  readonly setMaxListpackEntries: number;
  readonly setMaxListpackValue: number;
  /** Items of a list node when positive; -1 .. -5: 4, 8, 16, 32, 64 KiB. From 3.2 on. */
  readonly listMaxListpackSize: number;
  /** Up to 3.0. */
  readonly listMaxZiplistEntries: number;
  readonly listMaxZiplistValue: number;
  /** Elements per slice of an array, a power of two. From 8.8 on. */
  readonly arraySliceSize: number;
}

/** The defaults, which no version changed. Source: redis.conf, config.c (Redis 2.8 – 8.8, Valkey 7.2 – 9.1). */
export const DEFAULT_THRESHOLDS: EncodingThresholds = {
  hashMaxListpackEntries: 512,
  hashMaxListpackValue: 64,
  zsetMaxListpackEntries: 128,
  zsetMaxListpackValue: 64,
  setMaxIntsetEntries: 512,
  setMaxListpackEntries: 128,
  setMaxListpackValue: 64,
  listMaxListpackSize: -2,
  listMaxZiplistEntries: 512,
  listMaxZiplistValue: 64,
  arraySliceSize: 4096,
};

export type ThresholdName = keyof EncodingThresholds;

/** Setting names of redis.conf, old names included, and the threshold that each sets. */
export const THRESHOLD_SETTINGS: Readonly<Record<string, ThresholdName>> = {
  'hash-max-listpack-entries': 'hashMaxListpackEntries',
  'hash-max-listpack-value': 'hashMaxListpackValue',
  'hash-max-ziplist-entries': 'hashMaxListpackEntries',
  'hash-max-ziplist-value': 'hashMaxListpackValue',
  'hash-max-zipmap-entries': 'hashMaxListpackEntries',
  'hash-max-zipmap-value': 'hashMaxListpackValue',
  'zset-max-listpack-entries': 'zsetMaxListpackEntries',
  'zset-max-listpack-value': 'zsetMaxListpackValue',
  'zset-max-ziplist-entries': 'zsetMaxListpackEntries',
  'zset-max-ziplist-value': 'zsetMaxListpackValue',
  'set-max-intset-entries': 'setMaxIntsetEntries',
  'set-max-listpack-entries': 'setMaxListpackEntries',
  'set-max-listpack-value': 'setMaxListpackValue',
  'list-max-listpack-size': 'listMaxListpackSize',
  'list-max-ziplist-size': 'listMaxListpackSize',
  'list-max-ziplist-entries': 'listMaxZiplistEntries',
  'list-max-ziplist-value': 'listMaxZiplistValue',
  'array-slice-size': 'arraySliceSize',
};
