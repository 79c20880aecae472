import {
  type DataType,
  INTEGER_CLASS,
  type IntegerClass,
  type KeyRecord,
  type ListContainer,
  type Packing,
  UNKNOWN,
  type ValueMeter,
} from '../rdb-parser/records.js';
import type { ValueType } from '../rdb-parser/value-context.js';
import { ArrayMemory } from './array.js';
import type { Encoding } from './encoding.js';
import { HashMemory } from './hash.js';
import { ListMemory } from './list.js';
import type { Misfit } from './misfit.js';
import { ObjectMemory } from './object.js';
import type { MemoryProfile } from './profile.js';
import { SetMemory } from './set.js';
import { StreamMemory } from './stream.js';
import { textBlocks } from './text-blocks.js';
import type { BlockCosts, StreamCosts, TableCosts, ValueCosts } from './value-costs.js';
import { ZsetMemory } from './zset.js';

/** Listens to a decoder and tells what the key just read would take in the server of its profile. */
export interface MemoryModel extends ValueMeter, ValueCosts {
  readonly profile: MemoryProfile;
  /** What MEMORY USAGE would say, in whole bytes. Valid after `end`, until the next `begin`. */
  readonly memoryBytes: number;
  /**
   * What of `memoryBytes` is the key's, its entry's and its object's, whatever the value is; UNKNOWN where the value
   * may lie in the same block, and where means of what is random in the server make the parts no whole numbers.
   */
  readonly headBytes: number;
  /** What OBJECT ENCODING would say; undefined for types that this server does not have. */
  readonly encoding: Encoding | undefined;
  /** True when the figure stands for something that the file does not tell: a module's value, an unknown type. */
  readonly approximate: boolean;
  /** What alone keeps the value from its compact encoding. Valid after `end`. */
  readonly misfit: Misfit;
}

/** A model of its own: any number of them may listen to one decoder's records. */
export function createMemoryModel(profile: MemoryProfile): MemoryModel {
  return new KeyMemoryModel(profile);
}

class KeyMemoryModel implements MemoryModel {
  readonly profile: MemoryProfile;
  memoryBytes = 0;
  headBytes = UNKNOWN;
  encoding: Encoding | undefined = undefined;
  approximate = false;
  classify = false;
  readonly jointBelow: number;
  private readonly object: ObjectMemory;
  private readonly list: ListMemory;
  private readonly set: SetMemory;
  private readonly zset: ZsetMemory;
  private readonly hash: HashMemory;
  private readonly stream: StreamMemory;
  private readonly array: ArrayMemory;
  private blobOf: 'set' | 'zset' | 'hash' | 'other' = 'other';

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const { layout } = profile;
    this.object = new ObjectMemory(
      layout.object,
      { generation: layout.sds, count: layout.sdsCount },
      profile,
    );
    this.jointBelow = this.object.jointBelow;
    this.list = new ListMemory(profile);
    this.set = new SetMemory(profile);
    this.zset = new ZsetMemory(profile);
    this.hash = new HashMemory(profile);
    this.stream = new StreamMemory(profile);
    this.array = new ArrayMemory(profile);
  }

  begin(record: KeyRecord): void {
    this.classify = false;
    this.blobOf = 'other';
    switch (record.dataType) {
      case 'set':
        this.blobOf = 'set';
        this.set.begin(record);
        this.classify = this.set.classify;
        break;
      case 'zset':
        this.blobOf = 'zset';
        this.zset.begin(record);
        this.classify = this.zset.classify;
        break;
      case 'hash':
        this.blobOf = 'hash';
        this.hash.begin(record);
        this.classify = this.hash.classify;
        break;
      case 'list':
        this.list.begin(record);
        this.classify = true;
        break;
      case 'stream':
        this.stream.begin();
        break;
      case 'array':
        this.array.begin();
        break;
    }
  }

  blob(packing: Packing, elementCount: number, blobBytes: number): boolean {
    let wanted = false;
    if (this.blobOf === 'hash') {
      wanted = this.hash.blob(packing, elementCount, blobBytes);
      this.classify = this.hash.classify;
    } else if (this.blobOf === 'zset') {
      wanted = this.zset.blob(packing, elementCount, blobBytes);
      this.classify = this.zset.classify;
    } else if (this.blobOf === 'set') {
      wanted = this.set.blob(packing, elementCount, blobBytes);
      this.classify = this.set.classify;
    }
    return wanted;
  }

  listNode(container: ListContainer, bytes: number, elementCount: number): boolean {
    return this.list.node(container, bytes, elementCount);
  }

  item(length: number, integer: IntegerClass): void {
    this.list.item(length, integer);
  }

  member(length: number, integer: IntegerClass): void {
    this.set.member(length, integer);
    this.classify = this.set.classify;
  }

  scored(length: number, integer: IntegerClass, score: number): void {
    this.zset.scored(length, integer, score);
    this.classify = this.zset.classify;
  }

  pair(
    fieldLength: number,
    fieldInteger: IntegerClass,
    valueLength: number,
    valueInteger: IntegerClass,
    ttlMs: number,
  ): void {
    this.hash.pair(fieldLength, fieldInteger, valueLength, valueInteger, ttlMs);
    this.classify = this.hash.classify;
  }

  members(length: number, count: number): void {
    this.set.members(length, count);
  }

  scoredMembers(length: number, count: number): void {
    this.zset.members(length, count);
  }

  pairs(fieldLength: number, valueLength: number, count: number): void {
    this.hash.pairs(fieldLength, valueLength, count);
  }

  streamNode(buffer: Uint8Array, at: number, listpackBytes: number): void {
    this.stream.node(buffer, at, listpackBytes);
  }

  streamGroup(buffer: Uint8Array, at: number, nameLength: number): void {
    this.stream.group(buffer, at, nameLength);
  }

  streamPending(buffer: Uint8Array, at: number): void {
    this.stream.pendingEntry(buffer, at);
  }

  streamConsumer(buffer: Uint8Array, at: number, nameLength: number): void {
    this.stream.consumer(buffer, at, nameLength);
  }

  streamConsumerPending(buffer: Uint8Array, at: number): void {
    this.stream.consumerPendingId(buffer, at);
  }

  arrayElement(indexHigh: number, indexLow: number, tag: number, length: number): void {
    this.array.element(indexHigh, indexLow, tag, length);
  }

  get misfit(): Misfit {
    switch (this.blobOf) {
      case 'set':
        return this.set.misfit;
      case 'zset':
        return this.zset.misfit;
      case 'hash':
        return this.hash.misfit;
      default:
        return '';
    }
  }

  end(record: KeyRecord): void {
    this.approximate = false;
    if (record.dataType === 'string') {
      this.endString(record);
      return;
    }
    const value = this.valueBytes(record);
    const head = this.object.headBytes(record.keyLength, record.hasExpiry);
    this.memoryBytes = Math.round(head + value);
    this.headBytes = Math.round(head) + Math.round(value) === head + value ? head : UNKNOWN;
  }

  private endString(record: KeyRecord): void {
    const { object } = this;
    const { keyLength, hasExpiry, payloadBytes: length } = record;
    this.headBytes = object.headBytes(keyLength, hasExpiry);
    if (isStoredAsInteger(record.integerClass, this.profile.wordBits)) {
      this.encoding = 'int';
      this.memoryBytes = this.headBytes;
    } else if (object.embeds(keyLength, hasExpiry, length)) {
      this.encoding = 'embstr';
      this.memoryBytes = object.embeddedBytes(keyLength, hasExpiry, length);
      if (length < this.jointBelow) this.headBytes = UNKNOWN;
    } else {
      this.encoding = 'raw';
      this.memoryBytes = this.headBytes + object.rawBytes(length);
    }
  }

  headBytesOf(keyLength: number, hasExpiry: boolean): number {
    return this.object.headBytes(keyLength, hasExpiry);
  }

  keptUpTo(dataType: DataType, packing: Packing): number {
    const { thresholds } = this.profile;
    switch (dataType) {
      case 'set':
        return packing === 'intset' ? thresholds.setMaxIntsetEntries : thresholds.setMaxListpackEntries;
      case 'zset':
        return thresholds.zsetMaxListpackEntries;
      case 'hash':
        return thresholds.hashMaxListpackEntries;
      case 'list':
        return this.list.keptUpTo;
      default:
        return 0;
    }
  }

  tableCosts(dataType: DataType): TableCosts | undefined {
    switch (dataType) {
      case 'set':
        return this.set.costs;
      case 'zset':
        return this.zset.costs;
      case 'hash':
        return this.hash.costs;
      default:
        return undefined;
    }
  }

  blockCosts({ code, dataType, layout }: ValueType): readonly BlockCosts[] {
    switch (layout?.holds) {
      case 'text':
        return textBlocks(this.profile, this.jointBelow);
      case 'ziplist':
      case 'listpack':
      case 'intset':
        return this.packedBlocks(code, dataType, layout.holds);
      default:
        return [];
    }
  }

  private packedBlocks(typeCode: number, dataType: DataType, packing: Packing): readonly BlockCosts[] {
    switch (dataType) {
      case 'list':
        return this.list.blocks(typeCode, packing);
      case 'set':
        return this.set.blocks(packing);
      case 'zset':
        return this.zset.blocks(packing);
      case 'hash':
        return this.hash.blocks(typeCode, packing);
      default:
        return [];
    }
  }

  get streamCosts(): StreamCosts {
    return this.stream.costs;
  }

  /** Bytes of what the object points to; sets the encoding. */
  private valueBytes(record: KeyRecord): number {
    switch (record.dataType) {
      case 'list': {
        const bytes = this.list.end(record);
        this.encoding = this.list.encoding;
        return bytes;
      }
      case 'set': {
        const bytes = this.set.end();
        this.encoding = this.set.encoding;
        return bytes;
      }
      case 'zset': {
        const bytes = this.zset.end();
        this.encoding = this.zset.encoding;
        return bytes;
      }
      case 'hash':
        return this.endHash(record);
      case 'stream': {
        const bytes = this.stream.end();
        this.encoding = this.profile.layout.stream.encoding;
        this.approximate = this.stream.approximate;
        return bytes;
      }
      case 'array':
        this.encoding = 'sliced-array';
        return this.array.end();
      default:
        return this.endOpaque(record);
    }
  }

  /** Templates share field names among keys: their figure is the values' own bytes, as written. */
  private endHash(record: KeyRecord): number {
    if (record.typeCode < FIRST_TEMPLATE_TYPE) return this.endPlainHash();
    switch (record.typeName) {
      case 'HASH_TMPL_LP':
      case 'HASH_TMPL_LP_REF':
        this.encoding = 'template-listpack';
        break;
      case 'HASH_TMPL_ARRAY':
      case 'HASH_TMPL_ARRAY_REF':
        this.encoding = 'template-array';
        break;
      default:
        return this.endPlainHash();
    }
    this.approximate = true;
    return record.valueBytes;
  }

  private endPlainHash(): number {
    const bytes = this.hash.end();
    this.encoding = this.hash.encoding;
    return bytes;
  }

  /** Only the module knows what it holds in memory: the value's size in the file stands for it. */
  private endOpaque(record: KeyRecord): number {
    this.encoding = record.dataType === 'module' ? 'raw' : undefined;
    this.approximate = true;
    return record.valueBytes;
  }
}

/** The first RDB type of hash templates; some numbers from there on mean other hashes in other products. Source: rdb.h (Redis 8.10). */
const FIRST_TEMPLATE_TYPE = 29;

/** A string is kept as a C long where its text is one. Source: object.c, `tryObjectEncoding` (7.2). */
function isStoredAsInteger(integer: IntegerClass, wordBits: 64 | 32): boolean {
  if (integer === INTEGER_CLASS.none) return false;
  return wordBits === 64 || integer !== INTEGER_CLASS.int64;
}
