import { occupiedSlots } from './dict.js';
import { bucketsFor, expectedChildBuckets, type HashtableLayout } from './hashtable.js';
import { pick } from './layout.js';
import type { MemoryProfile } from './profile.js';
import { sampledTotal } from './sampling.js';

/** Which collection a table serves: that decides what hangs on it. */
export type TableUse = 'set' | 'zset' | 'hash';

const REMEMBERED_COUNTS = 1024;

/** Bytes of the table of a collection: struct, slots or buckets, entries; not what the entries point to. */
export class TableMemory {
  private readonly profile: MemoryProfile;
  private readonly use: TableUse;
  private readonly structBytes: number;
  private readonly entryBytes: number;
  private readonly slotBytes: number;
  private readonly knownBucketBytes: Float64Array;

  constructor(profile: MemoryProfile, use: TableUse) {
    this.profile = profile;
    this.use = use;
    const { layout, wordBits } = profile;
    const { table } = layout;
    this.structBytes = pick(table.bytes, wordBits);
    this.slotBytes = wordBits / 8;
    this.entryBytes = 0;
    this.knownBucketBytes = new Float64Array(table.kind === 'hashtable' ? REMEMBERED_COUNTS : 0);
    if (table.kind === 'dict') {
      this.entryBytes = pick(table.entryBytes, wordBits);
      if (use === 'zset' && !layout.zset.countsDict) this.structBytes = 0;
      if (use === 'set' && layout.set.countsRealEntries)
        this.entryBytes = pick(layout.set.entryBytes, wordBits);
    } else if (use === 'hash') this.structBytes += pick(table.hashMetadataBytes, wordBits);
  }

  /**
   * The whole collection: the table and what its entries point to.
   * @param slots of the dict, as its loader leaves them; not used for a hashtable
   * @param elementBytes of all elements together
   */
  bytes(count: number, slots: number, elementBytes: number): number {
    const fixed = this.fixedBytes(count, slots);
    const elements = elementBytes + this.entriesBytes(count, slots);
    return this.profile.layout.samples ? sampledTotal(fixed, elements, count) : fixed + elements;
  }

  /** Struct, slots and buckets. */
  fixedBytes(count: number, slots: number): number {
    const { table } = this.profile.layout;
    if (table.kind === 'hashtable') return this.structBytes + this.bucketBytes(table, count);
    return this.structBytes + this.slotBytes * slots;
  }

  /** Entries of a dict. */
  entriesBytes(count: number, slots: number): number {
    const { table, set } = this.profile.layout;
    if (table.kind === 'hashtable') return 0;
    // the first member of a slot lies in it directly
    const inSlots = this.use === 'set' && set.countsRealEntries ? occupiedSlots(count, slots) : 0;
    return this.entryBytes * (count - inSlots);
  }

  /** Buckets with their chained ones; remembered for small tables, of which there are many. */
  private bucketBytes(table: HashtableLayout, count: number): number {
    const known = count < REMEMBERED_COUNTS ? this.knownBucketBytes[count]! : 0;
    if (known > 0) return known;
    const { wordBits } = this.profile;
    const buckets = bucketsFor(count);
    const children = expectedChildBuckets(count, buckets, pick(table.entriesPerBucket, wordBits));
    const bytes = pick(table.bucketBytes, wordBits) * (buckets + children);
    if (count < REMEMBERED_COUNTS) this.knownBucketBytes[count] = bytes;
    return bytes;
  }
}
