import type { Encoding } from '../memory/index.js';
import type { DataType, KeyRecord } from '../rdb-parser/records.js';

/** One key of the snapshot with its modelled figures. */
export interface ModelledKey {
  readonly db: number;
  readonly key: Uint8Array;
  readonly type: DataType;
  readonly elements: number;
  readonly memoryBytes: number;
  readonly encoding: Encoding | undefined;
}

/** Longer keys are not asked for in a sample: what is held stays bounded. */
const MAX_KEY_BYTES = 1024;

interface RankedKey extends ModelledKey {
  readonly rank: number;
}

/**
 * A sample of the keys of each type and encoding: the same for the same snapshot, spread over all of it. Each key has a
 * rank that looks random; the lowest are taken.
 */
export class KeySample {
  private readonly perKind: number;
  private readonly kinds = new Map<string, { ranked: RankedKey[]; highest: number }>();
  /** The kind of the key before. */
  private lastType: DataType | undefined;
  private lastEncoding: string | undefined;
  private last: { ranked: RankedKey[]; highest: number } | undefined;

  constructor(perKind: number) {
    this.perKind = perKind;
  }

  add(record: KeyRecord, memoryBytes: number, encoding: Encoding | undefined): void {
    const kind = this.kindOf(record.dataType, encoding);
    const rank = rankOf(record);
    if (rank >= kind.highest || record.keyLength > MAX_KEY_BYTES) return;
    kind.ranked.push({ ...modelledKey(record, memoryBytes, encoding), rank });
    if (kind.ranked.length >= 2 * this.perKind) this.trim(kind);
  }

  /** The keys taken, by database, so that they can be asked for in runs. */
  keys(): readonly ModelledKey[] {
    for (const kind of this.kinds.values()) this.trim(kind);
    return [...this.kinds.values()]
      .flatMap(({ ranked }) => ranked)
      .sort((a, b) => a.db - b.db || a.rank - b.rank);
  }

  private trim(kind: { ranked: RankedKey[]; highest: number }): void {
    if (kind.ranked.length <= this.perKind) return;
    kind.ranked.sort((a, b) => a.rank - b.rank);
    kind.ranked.length = this.perKind;
    kind.highest = kind.ranked.at(-1)!.rank;
  }

  private kindOf(type: DataType, encoding: string | undefined): { ranked: RankedKey[]; highest: number } {
    if (this.last !== undefined && type === this.lastType && encoding === this.lastEncoding) return this.last;
    const name = `${type} ${encoding}`;
    const kind = this.kinds.get(name) ?? { ranked: [], highest: Number.POSITIVE_INFINITY };
    this.kinds.set(name, kind);
    this.lastType = type;
    this.lastEncoding = encoding;
    this.last = kind;
    return kind;
  }
}

/** A copy that outlives the record. */
export function modelledKey(
  { db, keyBuffer, keyStart, keyLength, dataType, elementCount }: KeyRecord,
  memoryBytes: number,
  encoding: Encoding | undefined,
): ModelledKey {
  const key = keyBuffer.slice(keyStart, keyStart + keyLength);
  return { db, key, type: dataType, elements: elementCount, memoryBytes, encoding };
}

/** 32 bits from the key and its database: FNV-1a, its bits mixed once more as MurmurHash3 ends. */
function rankOf({ db, keyBuffer, keyStart, keyLength }: KeyRecord): number {
  let hash = 0x811c9dc5 ^ db;
  for (let at = keyStart; at < keyStart + keyLength; at++)
    hash = Math.imul(hash ^ keyBuffer[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
