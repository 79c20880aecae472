import { type IntegerClass, type KeyRecord, type Packing, UNKNOWN } from '../rdb-parser/records.js';
import { DictGrowth } from './dict.js';
import type { Encoding } from './encoding.js';
import { keptBlob } from './kept-blob.js';
import { type Bytes, pick } from './layout.js';
import { LengthCost } from './length-cost.js';
import { type Misfit, OUTLIER_FACTOR } from './misfit.js';
import { PackedSum } from './packed-sum.js';
import type { MemoryProfile } from './profile.js';
import { type ScoreText, scoreIntegerClass, scoreTextLength } from './score-text.js';
import { countedSdsBytes, sdsBytes } from './sds.js';
import { expectedNodeBytes } from './skiplist.js';
import { TableMemory } from './table.js';
import type { BlockCosts, TableCosts } from './value-costs.js';

export interface ZsetLayout {
  /** sizeof(zset), sizeof(zskiplist) as the report counts them */
  readonly bytes: Bytes;
  readonly skiplistBytes: Bytes;
  /** Whether the skiplist's head node is counted beside sizeof(zskiplist). */
  readonly countsHead: boolean;
  /** Whether the report adds the struct of the dict, not only its slots. */
  readonly countsDict: boolean;
  /** Node without levels and without member; one level. */
  readonly nodeBytes: Bytes;
  readonly levelBytes: Bytes;
  /** ZSKIPLIST_MAXLEVEL */
  readonly maxLevel: number;
  /** Whether the member lies in its node, and how many bytes tell where. Undefined: a string of its own. */
  readonly embeddedMember: { readonly offsetBytes: number } | undefined;
  readonly scoreText: ScoreText;
  /** Whether the loader makes room in the dict before it fills it; and before it unpacks a blob. */
  readonly presizesPlain: boolean;
  readonly presizesUnpacked: boolean;
}

/** Bytes of a sorted set beside its key and object, gathered while it is read. */
export class ZsetMemory {
  encoding: Encoding = 'skiplist';
  classify = false;
  private readonly profile: MemoryProfile;
  private readonly memberCost: LengthCost;
  private readonly table: TableMemory;
  private readonly structBytes: number;
  private readonly growth = new DictGrowth();
  private readonly packed: PackedSum;
  private count = 0;
  private memberBytes = 0;
  private longest = 0;
  private longMembers = 0;
  private keptBytes = 0;
  private lengthCap = 0;
  private fromBlob = false;
  private scoreText: ScoreText;

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const { layout, wordBits, allocator } = profile;
    const { zset } = layout;
    const levelBytes = pick(zset.levelBytes, wordBits);
    const nodeBytes = pick(zset.nodeBytes, wordBits);
    const embedded = zset.embeddedMember;
    const bareNode = expectedNodeBytes(nodeBytes, levelBytes, zset.maxLevel, allocator);
    this.memberCost = new LengthCost((length) => {
      if (embedded === undefined) {
        return countedSdsBytes(length, layout.sds, layout.sdsCount, allocator) + bareNode;
      }
      const base = nodeBytes + embedded.offsetBytes + sdsBytes(length, layout.sds);
      return expectedNodeBytes(base, levelBytes, zset.maxLevel, allocator);
    });
    this.table = new TableMemory(profile, 'zset');
    this.structBytes = pick(zset.bytes, wordBits) + pick(zset.skiplistBytes, wordBits);
    if (zset.countsHead) this.structBytes += allocator.usable(nodeBytes + zset.maxLevel * levelBytes);
    this.packed = new PackedSum(layout.packing);
    this.scoreText = zset.scoreText;
  }

  begin(record: KeyRecord): void {
    const { thresholds, layout } = this.profile;
    this.count = this.memberBytes = this.longest = this.keptBytes = this.longMembers = 0;
    this.fromBlob = false;
    this.scoreText = layout.zset.scoreText;
    this.lengthCap = thresholds.zsetMaxListpackValue;
    this.classify = record.elementCount <= thresholds.zsetMaxListpackEntries;
    if (this.classify) this.packed.reset();
  }

  /** True when members and scores are needed. A blob is judged by its member count only. Source: rdb.c (2.8 – 8.8). */
  blob(packing: Packing, elementCount: number, blobBytes: number): boolean {
    const { thresholds, layout } = this.profile;
    this.fromBlob = true;
    this.lengthCap = Number.POSITIVE_INFINITY;
    const fits = elementCount !== UNKNOWN && elementCount <= thresholds.zsetMaxListpackEntries;
    const keeps = packing === layout.packing;
    this.classify = fits && !keeps;
    if (keeps) this.keptBytes = blobBytes;
    else {
      this.packed.reset();
      if (packing === 'ziplist') this.scoreText = 'ziplist';
    }
    return !(keeps && fits);
  }

  scored(length: number, integer: IntegerClass, score: number): void {
    this.count++;
    this.memberBytes += this.memberCost.of(length);
    if (this.classify) this.pack(length, integer, score);
    else if (this.longMembers > 0 && length > this.lengthCap) this.longMembers++;
  }

  /** Members of one length that are not classified. */
  members(length: number, count: number): void {
    this.count += count;
    this.memberBytes += count * this.memberCost.of(length);
    if (this.longMembers > 0 && length > this.lengthCap) this.longMembers += count;
  }

  /** Valid after `end`. */
  get misfit(): Misfit {
    const isOutlier = this.longMembers === 1 && this.longest > OUTLIER_FACTOR * this.lengthCap;
    return isOutlier && this.encoding === 'skiplist' ? 'one-long-element' : '';
  }

  /** Bytes of all that the sorted set's object points to. */
  end(): number {
    const { thresholds, layout } = this.profile;
    const fits = this.count <= thresholds.zsetMaxListpackEntries;
    if (this.keptBytes > 0 && fits) return this.packedBytes(this.keptBytes);
    if (this.keptBytes === 0 && fits && this.longest <= this.lengthCap)
      return this.packedBytes(this.packed.bytes);
    this.encoding = 'skiplist';
    const presizes = this.fromBlob ? layout.zset.presizesUnpacked : layout.zset.presizesPlain;
    const slots = this.slots(this.count, presizes);
    return this.structBytes + this.table.bytes(this.count, slots, this.memberBytes);
  }

  /** Of a plain sorted set. */
  get costs(): TableCosts {
    const { layout, thresholds } = this.profile;
    const from = thresholds.zsetMaxListpackEntries + 1;
    const slots = (count: number): number => this.slots(count, layout.zset.presizesPlain);
    return {
      encoding: 'skiplist',
      surelyFrom: from,
      surelyWithTextFrom: from,
      ownBytes: this.structBytes,
      sampled: layout.samples,
      elementBytes: (length) => this.memberCost.of(length),
      fixedBytes: (count) => this.table.fixedBytes(count, slots(count)),
      entriesBytes: (count) => this.table.entriesBytes(count, slots(count)),
    };
  }

  /** Of a sorted set that is a blob of few enough members. */
  blocks(packing: Packing): readonly BlockCosts[] {
    const { layout } = this.profile;
    return packing === layout.packing ? [keptBlob(packing, layout)] : [];
  }

  /** Of the dict once all members are in. */
  private slots(count: number, presizes: boolean): number {
    this.growth.reset();
    if (presizes) this.growth.expand(count);
    this.growth.add(count);
    return this.growth.slots;
  }

  private pack(length: number, integer: IntegerClass, score: number): void {
    if (length > this.longest) this.longest = length;
    if (this.longest > this.lengthCap) {
      this.classify = false;
      this.longMembers = 1;
      return;
    }
    this.packed.add(length, integer);
    const scoreInteger = scoreIntegerClass(score, this.scoreText);
    this.packed.add(scoreInteger === 0 ? scoreTextLength(score, this.scoreText) : 0, scoreInteger);
  }

  private packedBytes(bytes: number): number {
    const { layout, allocator } = this.profile;
    this.encoding = layout.packing;
    return layout.packedCount === 'usable' ? allocator.usable(bytes) : bytes;
  }
}
