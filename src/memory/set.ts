import { type IntegerClass, type KeyRecord, type Packing, UNKNOWN } from '../rdb-parser/records.js';
import { DictGrowth } from './dict.js';
import type { Encoding } from './encoding.js';
import { intsetBytes } from './intset.js';
import { keptBlob } from './kept-blob.js';
import type { Bytes } from './layout.js';
import { LengthCost } from './length-cost.js';
import { EMPTY_LISTPACK_BYTES, listpackEntryBytes } from './listpack.js';
import { type Misfit, OUTLIER_FACTOR } from './misfit.js';
import type { MemoryProfile } from './profile.js';
import { countedSdsBytes } from './sds.js';
import { TableMemory } from './table.js';
import type { BlockCosts, TableCosts } from './value-costs.js';

export interface SetLayout {
  /** Whether small sets of text are listpacks (7.2 and later). */
  readonly packs: boolean;
  /** Whether the report looks at each entry instead of counting a whole dictEntry for all (Valkey 8.0). */
  readonly countsRealEntries: boolean;
  /** sizeof(dictEntryNoValue), where real entries are counted */
  readonly entryBytes: Bytes;
}

/** Sets of up to this many times the members of an intset are looked at for being one of integers. */
const INTEGERS_FACTOR = 2;

/** Bytes of a set beside its key and object, gathered while it is read. */
export class SetMemory {
  encoding: Encoding = 'hashtable';
  /** Whether members' integer classes are still of use. */
  classify = false;
  private readonly profile: MemoryProfile;
  private readonly memberCost: LengthCost;
  private readonly table: TableMemory;
  private readonly growth = new DictGrowth();
  private state: 'intset' | 'packed' | 'table' | 'kept' = 'table';
  private count = 0;
  private memberBytes = 0;
  private packedBytes = 0;
  private widest: IntegerClass = 0;
  private longest = 0;
  private integersFirst = 0;
  /** Bytes that the listpack was first made for. */
  private reservedBytes = 0;
  private textMembers = 0;
  private longMembers = 0;
  private fewEnough = false;
  private keptBytes = 0;
  private keptCap = 0;
  private keptEncoding: Encoding = 'intset';
  /** Of the profile, at hand for every member. */
  private readonly packs: boolean;
  private readonly maxPackedMembers: number;
  private readonly maxPackedLength: number;

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const { layout, allocator, thresholds } = profile;
    this.packs = layout.set.packs;
    this.maxPackedMembers = thresholds.setMaxListpackEntries;
    this.maxPackedLength = thresholds.setMaxListpackValue;
    this.memberCost = new LengthCost((length) =>
      countedSdsBytes(length, layout.sds, layout.sdsCount, allocator),
    );
    this.table = new TableMemory(profile, 'set');
  }

  begin(record: KeyRecord): void {
    this.count = this.memberBytes = this.keptBytes = this.reservedBytes = 0;
    this.packedBytes = EMPTY_LISTPACK_BYTES;
    this.widest = 0;
    this.longest = this.integersFirst = this.textMembers = this.longMembers = 0;
    this.state = 'intset';
    this.classify = true;
    if (record.elementCount > this.profile.thresholds.setMaxIntsetEntries) this.state = 'table';
    this.fewEnough = record.elementCount <= INTEGERS_FACTOR * this.profile.thresholds.setMaxIntsetEntries;
    this.classify = this.fewEnough;
  }

  /** True when the members are needed. Source: rdb.c, `rdbLoadObject`: a blob is judged by its member count only (7.2). */
  blob(packing: Packing, elementCount: number, blobBytes: number): boolean {
    const { thresholds, layout } = this.profile;
    if (packing !== 'intset' && !layout.set.packs) return true;
    this.keptCap = packing === 'intset' ? thresholds.setMaxIntsetEntries : thresholds.setMaxListpackEntries;
    this.keptEncoding = packing === 'intset' ? 'intset' : 'listpack';
    this.keptBytes = blobBytes;
    this.state = 'kept';
    this.classify = false;
    return elementCount === UNKNOWN || elementCount > this.keptCap;
  }

  member(length: number, integer: IntegerClass): void {
    this.count++;
    this.memberBytes += this.memberCost.of(length);
    if (this.classify) this.look(length, integer);
    else if (this.longMembers > 0 && length > this.profile.thresholds.setMaxListpackValue) this.longMembers++;
  }

  /** Members of one length that are not classified. */
  members(length: number, count: number): void {
    this.count += count;
    this.memberBytes += count * this.memberCost.of(length);
    if (this.longMembers > 0 && length > this.profile.thresholds.setMaxListpackValue)
      this.longMembers += count;
  }

  /** Of a plain set. */
  get costs(): TableCosts {
    const { layout, thresholds } = this.profile;
    const slots = (count: number): number => {
      this.growth.reset();
      this.growth.expand(count);
      return this.growth.slots;
    };
    return {
      encoding: 'hashtable',
      surelyFrom: INTEGERS_FACTOR * thresholds.setMaxIntsetEntries + 1,
      surelyWithTextFrom: this.packs ? thresholds.setMaxListpackEntries + 1 : 1,
      ownBytes: 0,
      sampled: layout.samples,
      elementBytes: (length) => this.memberCost.of(length),
      fixedBytes: (count) => this.table.fixedBytes(count, slots(count)),
      entriesBytes: (count) => this.table.entriesBytes(count, slots(count)),
    };
  }

  /** Of a set that is a blob of few enough members. */
  blocks(packing: Packing): readonly BlockCosts[] {
    const { layout } = this.profile;
    if (packing === 'intset') return [keptBlob('intset', layout)];
    return this.packs ? [keptBlob('listpack', layout)] : [];
  }

  /** Valid after `end`. */
  get misfit(): Misfit {
    const { setMaxIntsetEntries, setMaxListpackEntries, setMaxListpackValue } = this.profile.thresholds;
    if (this.encoding === 'intset' || this.state === 'kept') return '';
    if (this.classify && this.count > 1) {
      if (this.textMembers === 0) return this.count > setMaxIntsetEntries ? 'integers-over-limit' : '';
      if (this.textMembers === 1 && this.count <= setMaxIntsetEntries) return 'one-text-member';
    }
    const isOutlier = this.longMembers === 1 && this.longest > OUTLIER_FACTOR * setMaxListpackValue;
    return isOutlier && this.count <= setMaxListpackEntries ? 'one-long-element' : '';
  }

  /** Bytes of all that the set's object points to. */
  end(): number {
    if (this.state === 'kept' && this.count <= this.keptCap) {
      this.encoding = this.keptEncoding;
      return this.countedBlob(this.keptBytes);
    }
    if (this.state === 'intset') {
      this.encoding = 'intset';
      return this.countedBlob(intsetBytes(this.count, this.widest));
    }
    if (this.state === 'packed') {
      this.encoding = 'listpack';
      return Math.max(this.countedBlob(this.packedBytes), this.reservedBlob());
    }
    this.encoding = 'hashtable';
    this.growTable();
    return this.table.bytes(this.count, this.growth.slots, this.memberBytes);
  }

  /**
   * Up to 7.0 integers that came first got a table of their own size, which the rest then outgrew. Source: t_set.c,
   * `setTypeConvert`; rdb.c, `rdbLoadObject` (7.0).
   */
  private growTable(): void {
    const { growth, count, integersFirst } = this;
    growth.reset();
    if (integersFirst > 0 && !this.profile.layout.set.packs) {
      growth.expand(integersFirst);
      growth.add(integersFirst);
      growth.expand(count);
      growth.add(count - integersFirst);
    } else growth.expand(count);
  }

  /** Looks at a member's class until it is clear that the set is neither packed nor one of integers but for one. */
  private look(length: number, integer: IntegerClass): void {
    if (integer === 0) this.textMembers++;
    if (this.state !== 'table') this.pack(length, integer);
    if (this.state === 'table') this.classify = this.fewEnough && this.textMembers <= 1;
  }

  /** Source: rdb.c, `rdbLoadObject`, RDB_TYPE_SET (7.2): integers first, then a listpack, then a table. */
  private pack(length: number, integer: IntegerClass): void {
    if (length > this.longest) this.longest = length;
    this.packedBytes += listpackEntryBytes(length, integer);
    if (this.state === 'intset') {
      if (integer !== 0) {
        if (integer > this.widest) this.widest = integer;
        return;
      }
      this.integersFirst = this.count - 1;
      if (!this.packs) {
        this.state = 'table';
        return;
      }
      this.state = 'packed';
      // t_set.c, `setTypeConvertAndExpand` (7.2): room for as many integers of the widest kind
      this.reservedBytes =
        EMPTY_LISTPACK_BYTES + this.integersFirst * listpackEntryBytes(0, this.widest || 1);
    }
    if (this.longest > this.maxPackedLength) this.longMembers = 1;
    if (this.longMembers > 0 || this.count > this.maxPackedMembers) this.state = 'table';
  }

  private countedBlob(bytes: number): number {
    const { layout, allocator } = this.profile;
    return layout.packedCount === 'usable' ? allocator.usable(bytes) : bytes;
  }

  /** The block that was made before the members were known; blobs counted by their own length do not show it. */
  private reservedBlob(): number {
    return this.profile.layout.packedCount === 'usable' ? this.countedBlob(this.reservedBytes) : 0;
  }
}
