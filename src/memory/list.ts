import type { IntegerClass, KeyRecord, ListContainer, Packing } from '../rdb-parser/records.js';
import type { Encoding } from './encoding.js';
import { keptBlob } from './kept-blob.js';
import { type Bytes, pick } from './layout.js';
import type { MemoryProfile } from './profile.js';
import {
  type ListNodeLimit,
  needsPlainNode,
  nodeLimit,
  OpenNode,
  type QuicklistLayout,
} from './quicklist.js';
import { sampledTotal } from './sampling.js';
import { countedSdsBytes } from './sds.js';
import type { BlockCosts } from './value-costs.js';
import { ZiplistSum } from './ziplist.js';

/** Small lists one ziplist, others a doubly linked list of objects. Source: adlist.h, t_list.c (2.8, 3.0). */
export interface LinkedListLayout {
  readonly kind: 'linked';
  /** sizeof(list), sizeof(listNode), sizeof(robj) */
  readonly bytes: Bytes;
  readonly nodeBytes: Bytes;
  readonly objectBytes: Bytes;
}

export type ListLayout = QuicklistLayout | LinkedListLayout;

/** RDB type of a list that is a single ziplist. Source: rdb.h, RDB_TYPE_LIST_ZIPLIST. */
const LIST_ZIPLIST = 10;

/** Bytes of a list beside its key and object, gathered while it is read. */
export class ListMemory {
  encoding: Encoding = 'quicklist';
  private readonly profile: MemoryProfile;
  private readonly limit: ListNodeLimit;
  private readonly nodeBytes: number;
  private readonly open: OpenNode;
  private readonly oldZiplist = new ZiplistSum();
  private nodes = 0;
  private bytes = 0;
  private packedNodes = 0;
  private lastPackedBytes = 0;
  /** Items are pushed one by one and fill nodes of their own; otherwise they belong to the node announced last. */
  private pushing = true;
  private singleZiplist = false;
  private longest = 0;
  private linkedBytes = 0;

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const { layout, thresholds, wordBits } = profile;
    this.limit = nodeLimit(thresholds.listMaxListpackSize);
    this.nodeBytes = pick(layout.list.nodeBytes, wordBits);
    this.open = new OpenNode(layout.packing);
  }

  begin(record: KeyRecord): void {
    this.open.reset();
    this.oldZiplist.reset();
    this.nodes = this.bytes = this.packedNodes = this.lastPackedBytes = 0;
    this.longest = this.linkedBytes = 0;
    this.pushing = true;
    this.singleZiplist = record.typeCode === LIST_ZIPLIST;
  }

  /** A node as the file has it; true when its items are needed because the server would write it anew. */
  node(container: ListContainer, bytes: number, elementCount: number): boolean {
    const { list, packing } = this.profile.layout;
    if (this.singleZiplist || list.kind === 'linked') return true;
    this.closeNode();
    this.pushing = false;
    if (container === 'plain') {
      if (list.plainNodes === 'never') return true;
      this.addNode(bytes);
      return false;
    }
    if (container !== packing) return true;
    if (elementCount !== 0) this.addPackedNode(bytes);
    return false;
  }

  item(length: number, integer: IntegerClass): void {
    const { list } = this.profile.layout;
    if (list.kind === 'linked') {
      this.linkItem(list, length, integer);
      return;
    }
    if (this.pushing) {
      if (needsPlainNode(length, list.plainNodes, this.limit)) {
        this.closeNode();
        this.addNode(length);
        return;
      }
      if (!this.open.takes(length, this.limit)) this.closeNode();
    }
    this.open.add(length, integer);
  }

  /** Up to so many items a list of one packed node costs by the node's size alone. */
  get keptUpTo(): number {
    return this.limit.items;
  }

  /** Of a list of one packed node. The sum of one node is its mean, too, so that it makes no difference who samples. */
  blocks(typeCode: number, holds: Packing): readonly BlockCosts[] {
    const { layout, wordBits } = this.profile;
    const { list, packing } = layout;
    if (list.kind === 'linked' || typeCode === LIST_ZIPLIST || holds !== packing) return [];
    const ownBytes = pick(list.bytes, wordBits) + this.nodeBytes;
    const quicklist: BlockCosts = { ...keptBlob('quicklist', layout), ownBytes };
    if (!list.packsSingleNode) return [quicklist];
    const upToBytes = this.limit.bytes;
    const packed: BlockCosts = { ...keptBlob(packing, layout), upToBytes };
    return [packed, { ...quicklist, fromBytes: upToBytes + 1 }];
  }

  /** Bytes of all that the list's object points to. */
  end(record: KeyRecord): number {
    const { list, packing, samples } = this.profile.layout;
    if (list.kind === 'linked') return this.endLinked(list, record);
    this.closeNode();
    this.encoding = 'quicklist';
    if (list.packsSingleNode && !this.singleZiplist && this.nodes === 1 && this.packedNodes === 1) {
      if (this.lastPackedBytes <= this.limit.bytes && record.elementCount <= this.limit.items) {
        this.encoding = packing;
        return this.bytes - this.nodeBytes;
      }
    }
    const struct = pick(list.bytes, this.profile.wordBits);
    return samples ? sampledTotal(struct, this.bytes, this.nodes) : struct + this.bytes;
  }

  private closeNode(): void {
    if (this.open.items === 0) return;
    this.addPackedNode(this.open.bytes);
    this.open.reset();
  }

  private addPackedNode(bytes: number): void {
    this.packedNodes++;
    this.lastPackedBytes = bytes;
    this.addNode(bytes);
  }

  private addNode(bytes: number): void {
    const { layout, allocator } = this.profile;
    this.nodes++;
    this.bytes += this.nodeBytes + (layout.packedCount === 'usable' ? allocator.usable(bytes) : bytes);
  }

  private linkItem(list: LinkedListLayout, length: number, integer: IntegerClass): void {
    const { layout, allocator, wordBits } = this.profile;
    this.open.items++;
    this.oldZiplist.add(length, integer);
    if (length > this.longest) this.longest = length;
    this.linkedBytes += this.nodeBytes + pick(list.objectBytes, wordBits);
    if (integer === 0) this.linkedBytes += countedSdsBytes(length, layout.sds, layout.sdsCount, allocator);
  }

  private endLinked(list: LinkedListLayout, record: KeyRecord): number {
    const { thresholds, wordBits } = this.profile;
    const short = this.singleZiplist || this.longest <= thresholds.listMaxZiplistValue;
    this.encoding =
      short && record.elementCount <= thresholds.listMaxZiplistEntries ? 'ziplist' : 'linkedlist';
    return this.encoding === 'ziplist'
      ? this.oldZiplist.bytes
      : pick(list.bytes, wordBits) + this.linkedBytes;
  }
}
