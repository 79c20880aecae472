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

export type ThresholdName = keyof EncodingThresholds;

/** All that is known of one threshold. */
export interface ThresholdGuide {
  /** What no version changed. */
  readonly default: number;
  /** Its names in redis.conf, the newest first. */
  readonly settings: readonly string[];
  /** What it limits, in a few words. */
  readonly meaning: string;
}

/** The thresholds; the order is the one of help texts. Source: redis.conf, config.c (Redis 2.8 – 8.8, Valkey 7.2 – 9.1). */
export const THRESHOLDS: Readonly<Record<ThresholdName, ThresholdGuide>> = {
  hashMaxListpackEntries: {
    default: 512,
    settings: ['hash-max-listpack-entries', 'hash-max-ziplist-entries', 'hash-max-zipmap-entries'],
    meaning: 'most fields of a packed hash',
  },
  hashMaxListpackValue: {
    default: 64,
    settings: ['hash-max-listpack-value', 'hash-max-ziplist-value', 'hash-max-zipmap-value'],
    meaning: 'longest field or value in one, bytes',
  },
  zsetMaxListpackEntries: {
    default: 128,
    settings: ['zset-max-listpack-entries', 'zset-max-ziplist-entries'],
    meaning: 'most members of a packed sorted set',
  },
  zsetMaxListpackValue: {
    default: 64,
    settings: ['zset-max-listpack-value', 'zset-max-ziplist-value'],
    meaning: 'longest member in one, bytes',
  },
  setMaxIntsetEntries: {
    default: 512,
    settings: ['set-max-intset-entries'],
    meaning: 'most members of a set of integers kept as intset',
  },
  setMaxListpackEntries: {
    default: 128,
    settings: ['set-max-listpack-entries'],
    meaning: 'most members of a packed set (from 7.2)',
  },
  setMaxListpackValue: {
    default: 64,
    settings: ['set-max-listpack-value'],
    meaning: 'longest member in one, bytes (from 7.2)',
  },
  listMaxListpackSize: {
    default: -2,
    settings: ['list-max-listpack-size', 'list-max-ziplist-size'],
    meaning: 'items of a list node; -1 to -5: 4 to 64 KiB (from 3.2)',
  },
  listMaxZiplistEntries: {
    default: 512,
    settings: ['list-max-ziplist-entries'],
    meaning: 'most items of a packed list (up to 3.0)',
  },
  listMaxZiplistValue: {
    default: 64,
    settings: ['list-max-ziplist-value'],
    meaning: 'longest item in one, bytes (up to 3.0)',
  },
  arraySliceSize: {
    default: 4096,
    settings: ['array-slice-size'],
    meaning: 'elements of an array slice (from 8.8)',
  },
};

const GUIDES = Object.entries(THRESHOLDS) as [ThresholdName, ThresholdGuide][];

export const DEFAULT_THRESHOLDS = Object.fromEntries(
  GUIDES.map(([name, guide]) => [name, guide.default]),
) as Readonly<Record<ThresholdName, number>>;

/** Setting names of redis.conf, old names included, and the threshold that each sets. */
export const THRESHOLD_SETTINGS: Readonly<Record<string, ThresholdName>> = Object.fromEntries(
  GUIDES.flatMap(([name, { settings }]) => settings.map((setting) => [setting, name] as const)),
);
