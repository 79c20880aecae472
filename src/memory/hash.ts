import { integerClassOf } from '../rdb-parser/integer-class.js';
import { type IntegerClass, type KeyRecord, type Packing, UNKNOWN } from '../rdb-parser/records.js';
import { DictGrowth } from './dict.js';
import type { Encoding } from './encoding.js';
import { type HashEntryLayout, HashEntryMemory } from './hash-entry.js';
import { keptBlob } from './kept-blob.js';
import { type Bytes, pick } from './layout.js';
import { type Misfit, OUTLIER_FACTOR } from './misfit.js';
import { PackedSum } from './packed-sum.js';
import type { MemoryProfile } from './profile.js';
import { TableMemory } from './table.js';
import type { BlockCosts, TableCosts } from './value-costs.js';
import { VolatileIndex } from './volatile-index.js';

export interface HashLayout {
  readonly entry: HashEntryLayout;
  /**
   * What becomes of a hash written with field expiries. `listpackex`: packed with a third element per field (Redis 7.4).
   * `table`: never packed (Valkey 9.0). `unknown`: the server knows none; it is taken as a plain hash.
   */
  readonly fieldExpiry: 'unknown' | 'listpackex' | 'table';
  /** sizeof(listpackEx) */
  readonly listpackExBytes: Bytes;
  /** Whether fields that expire are indexed in memory that the report counts (Valkey 9.0). */
  readonly countsVolatileIndex: boolean;
  /** Whether the loader makes room in the dict: for plain pairs, for a blob's, for those of a hash with field expiries. */
  readonly presizesPlain: boolean;
  readonly presizesUnpacked: boolean;
  readonly presizesExpiring: boolean;
}

/** RDB types of hashes whose fields may expire: Redis' and Valkey's. Source: rdb.h (Redis 7.4, Valkey 9.0). */
const FIRST_EXPIRING_TYPE = 22;
const LAST_EXPIRING_TYPE = 25;

/** No field was too long so far. */
const NEVER = -1;

/** Bytes of a hash beside its key and object, gathered while it is read. */
export class HashMemory {
  encoding: Encoding = 'hashtable';
  classify = false;
  private readonly profile: MemoryProfile;
  private readonly entry: HashEntryMemory;
  private readonly table: TableMemory;
  private readonly growth = new DictGrowth();
  private readonly packed: PackedSum;
  private readonly index: VolatileIndex;
  private expiring = false;
  private count = 0;
  private entryBytes = 0;
  private keptBytes = 0;
  private fromBlob = false;
  private lengthCap = 0;
  private packs = false;
  /** Pairs before the first one too long to be packed. */
  private pairsBeforeLong = NEVER;
  private longestLong = 0;
  private longPairs = 0;
  /** Of the profile, at hand for every hash. */
  private readonly maxPackedPairs: number;
  private readonly maxPackedLength: number;
  private readonly keptPacking: Packing;
  private readonly knowsExpiry: boolean;

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const { layout, allocator, thresholds } = profile;
    this.maxPackedPairs = thresholds.hashMaxListpackEntries;
    this.maxPackedLength = thresholds.hashMaxListpackValue;
    this.keptPacking = layout.packing;
    this.knowsExpiry = layout.hash.fieldExpiry !== 'unknown';
    const strings = { generation: layout.sds, count: layout.sdsCount };
    this.entry = new HashEntryMemory(layout.hash.entry, strings, allocator);
    this.table = new TableMemory(profile, 'hash');
    this.packed = new PackedSum(layout.packing);
    this.index = new VolatileIndex(allocator, profile.wordBits / 8);
  }

  begin(record: KeyRecord): void {
    const { typeCode } = record;
    this.count = this.entryBytes = this.keptBytes = 0;
    this.fromBlob = false;
    this.pairsBeforeLong = NEVER;
    this.longPairs = 0;
    this.lengthCap = this.maxPackedLength;
    this.packs = true;
    this.expiring = this.knowsExpiry && typeCode >= FIRST_EXPIRING_TYPE && typeCode <= LAST_EXPIRING_TYPE;
    if (this.expiring) {
      this.index.reset();
      this.packs = this.profile.layout.hash.fieldExpiry !== 'table';
    }
    this.classify = this.packs && record.elementCount <= this.maxPackedPairs;
    if (this.classify) this.packed.reset();
  }

  /** True when fields and values are needed. Blobs are judged by their pairs only, zipmaps by lengths too. Source: rdb.c. */
  blob(packing: Packing, elementCount: number, blobBytes: number): boolean {
    this.fromBlob = true;
    if (packing !== 'zipmap') this.lengthCap = Number.POSITIVE_INFINITY;
    const keeps = packing === this.keptPacking && this.packs;
    const fits = elementCount <= this.maxPackedPairs && (elementCount !== UNKNOWN || !keeps);
    this.classify = this.packs && fits && !keeps;
    if (keeps) this.keptBytes = blobBytes;
    else this.packed.reset();
    return !(keeps && fits);
  }

  pair(
    fieldLength: number,
    fieldInteger: IntegerClass,
    valueLength: number,
    valueInteger: IntegerClass,
    ttlMs: number,
  ): void {
    const expires = ttlMs !== 0 && this.expiring;
    this.entryBytes += this.entry.bytes(fieldLength, valueLength, expires);
    if (expires && this.profile.layout.hash.countsVolatileIndex) this.index.add(ttlMs);
    if (this.classify) {
      if (fieldLength > this.lengthCap || valueLength > this.lengthCap) {
        this.pairsBeforeLong = this.count;
        this.classify = false;
        this.longPairs = 1;
        this.longestLong = Math.max(fieldLength, valueLength);
      } else {
        this.packed.add(fieldLength, fieldInteger);
        this.packed.add(valueLength, valueInteger);
        if (this.expiring) this.packed.add(0, integerClassOf(ttlMs));
      }
    } else if (
      this.pairsBeforeLong !== NEVER &&
      (fieldLength > this.lengthCap || valueLength > this.lengthCap)
    ) {
      this.longPairs++;
    }
    this.count++;
  }

  /** Pairs of the same lengths that are not classified and do not expire. */
  pairs(fieldLength: number, valueLength: number, count: number): void {
    this.count += count;
    this.entryBytes += count * this.entry.bytes(fieldLength, valueLength, false);
    const isLong = fieldLength > this.lengthCap || valueLength > this.lengthCap;
    if (this.pairsBeforeLong !== NEVER && isLong) this.longPairs += count;
  }

  /** Of a plain hash. */
  get costs(): TableCosts {
    const { layout } = this.profile;
    const from = this.maxPackedPairs + 1;
    const slots = (count: number): number => {
      this.growth.reset();
      if (layout.hash.presizesPlain) this.growth.expand(count);
      this.growth.add(count);
      return this.growth.slots;
    };
    return {
      encoding: 'hashtable',
      surelyFrom: from,
      surelyWithTextFrom: from,
      ownBytes: 0,
      sampled: layout.samples,
      elementBytes: (field, value) => this.entry.bytes(field, value, false),
      fixedBytes: (count) => this.table.fixedBytes(count, slots(count)),
      entriesBytes: (count) => this.table.entriesBytes(count, slots(count)),
    };
  }

  /** Of a hash that is a blob of few enough pairs; types with expiries, and what came after them, have more to it. */
  blocks(typeCode: number, packing: Packing): readonly BlockCosts[] {
    const { layout } = this.profile;
    const isKept = packing === layout.packing && typeCode < FIRST_EXPIRING_TYPE;
    return isKept ? [keptBlob(packing, layout)] : [];
  }

  /** Valid after `end`. */
  get misfit(): Misfit {
    const isOutlier = this.longPairs === 1 && this.longestLong > OUTLIER_FACTOR * this.lengthCap;
    return isOutlier && this.encoding === 'hashtable' ? 'one-long-element' : '';
  }

  /** Bytes of all that the hash's object points to. */
  end(): number {
    if (this.packs && this.count <= this.maxPackedPairs) {
      if (this.keptBytes > 0) return this.packedBytes(this.keptBytes);
      if (this.pairsBeforeLong === NEVER) return this.packedBytes(this.packed.bytes);
    }
    this.encoding = 'hashtable';
    this.growTable();
    const table = this.table.bytes(this.count, this.growth.slots, this.entryBytes);
    return this.expiring ? table + this.index.bytes() : table;
  }

  /** Follows what the loader does to the dict. Source: rdb.c, `rdbLoadObject`, RDB_TYPE_HASH*; t_hash.c, `hashTypeConvert`. */
  private growTable(): void {
    const { growth, count, pairsBeforeLong } = this;
    const { hash } = this.profile.layout;
    growth.reset();
    if (this.expiring) {
      if (this.fromBlob ? hash.presizesUnpacked : hash.presizesExpiring) growth.expand(count);
      else if (pairsBeforeLong !== NEVER && hash.presizesUnpacked) growth.expand(pairsBeforeLong);
      growth.add(count);
    } else if (this.fromBlob) {
      if (hash.presizesUnpacked) growth.expand(count);
      growth.add(count);
    } else if (pairsBeforeLong === NEVER) {
      if (hash.presizesPlain) growth.expand(count);
      growth.add(count);
    } else {
      if (hash.presizesUnpacked) growth.expand(pairsBeforeLong);
      growth.add(pairsBeforeLong + 1);
      const rest = count - pairsBeforeLong - 1;
      if (rest > 4 && hash.presizesPlain) growth.expand(rest);
      growth.add(rest);
    }
  }

  private packedBytes(bytes: number): number {
    const { layout, allocator, wordBits } = this.profile;
    const usable = layout.packedCount === 'usable';
    const blob = usable ? allocator.usable(bytes) : bytes;
    this.encoding = layout.packing;
    if (!this.expiring) return blob;
    this.encoding = 'listpackex';
    const struct = pick(layout.hash.listpackExBytes, wordBits);
    return blob + (usable ? allocator.usable(struct) : struct);
  }
}
