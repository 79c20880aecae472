import type { Encoding } from './encoding.js';
import { type Bytes, pick } from './layout.js';
import { PendingIds } from './pending-ids.js';
import type { MemoryProfile } from './profile.js';
import { RaxShape } from './rax.js';
import { countedSdsBytes } from './sds.js';
import type { StreamCosts } from './value-costs.js';

export interface StreamLayout {
  /** What OBJECT ENCODING says. */
  readonly encoding: Encoding;
  /** sizeof(stream), streamCG, streamConsumer, streamNACK */
  readonly bytes: Bytes;
  readonly groupBytes: Bytes;
  readonly consumerBytes: Bytes;
  readonly pendingBytes: Bytes;
  /** Whether a node's listpack counts as its block or as its own length. */
  readonly listpackCount: 'requested' | 'usable';
  /**
   * How a radix tree is reported. `guess`: 16 bytes per key, and per node its header and 30 words (object.c,
   * `streamRadixTreeMemoryUsage`). `real`: what its blocks take (rax.c, `raxAllocSize`).
   */
  readonly trees: 'guess' | 'real';
  /** sizeof(rax), where trees are counted for real */
  readonly raxBytes: Bytes;
  /** Whether trees of names, and of the ids pending in any group, are counted, and names as strings (Redis 8.4). */
  readonly countsNames: boolean;
  /** Whether each group holds a tree of its pending entries by delivery time (Redis 8.4). */
  readonly deliveryTree: boolean;
}

/** Guessed words per tree node. Source: object.c, `streamRadixTreeMemoryUsage` (5.0 – 8.0). */
const GUESSED_NODE_WORDS = 30;
const RAX_NODE_HEADER_BYTES = 4;
/** sizeof(streamID) */
const STREAM_ID_BYTES = 16;

/** Bytes of a stream beside its key and object, gathered while it is read. */
export class StreamMemory {
  /** Whether something had to be estimated because more was pending than is kept. */
  approximate = false;
  private readonly profile: MemoryProfile;
  private readonly nodes: RaxShape;
  private readonly names: RaxShape;
  private readonly consumerNames: RaxShape;
  private readonly pending: RaxShape;
  private readonly consumerPending: RaxShape;
  private readonly byTime: RaxShape;
  private readonly ids = new PendingIds();
  private bytes = 0;
  private groups = 0;
  private groupsWithPending = 0;
  private largestPendingTree = 0;
  private idsBeforeGroup = 0;
  /** What has been opened and is not counted yet. */
  private groupOpen = false;
  private consumerOpen = false;

  constructor(profile: MemoryProfile) {
    this.profile = profile;
    const tree = (hasValues: boolean): RaxShape =>
      new RaxShape(profile.allocator, profile.wordBits / 8, hasValues);
    this.nodes = tree(true);
    this.names = tree(true);
    this.consumerNames = tree(true);
    this.pending = tree(true);
    this.consumerPending = tree(true);
    this.byTime = tree(false);
  }

  get costs(): StreamCosts {
    const { stream } = this.profile.layout;
    const real = stream.trees === 'real';
    const countsMore = stream.countsNames || stream.deliveryTree;
    return {
      encoding: stream.encoding,
      ownBytes: this.size(stream.bytes),
      listpackCount: stream.listpackCount,
      treeBytes: real ? this.size(stream.raxBytes) : 0,
      treeKeyBytes: real ? 0 : STREAM_ID_BYTES,
      treeNodeBytes: real ? undefined : this.guessedNodeBytes,
      groups: countsMore
        ? undefined
        : {
            ownBytes: this.size(stream.groupBytes),
            consumerBytes: this.size(stream.consumerBytes),
            pendingBytes: this.size(stream.pendingBytes),
          },
    };
  }

  begin(): void {
    this.nodes.reset();
    this.names.reset();
    this.ids.reset();
    this.bytes = this.groups = this.groupsWithPending = this.largestPendingTree = 0;
    this.groupOpen = this.consumerOpen = this.approximate = false;
  }

  node(buffer: Uint8Array, at: number, listpackBytes: number): void {
    const { layout, allocator } = this.profile;
    this.nodes.add(buffer, at, STREAM_ID_BYTES);
    this.bytes += layout.stream.listpackCount === 'usable' ? allocator.usable(listpackBytes) : listpackBytes;
  }

  group(buffer: Uint8Array, at: number, nameLength: number): void {
    this.closeGroup();
    this.groups++;
    this.groupOpen = true;
    this.names.add(buffer, at, nameLength);
    this.consumerNames.reset();
    this.pending.reset();
    this.idsBeforeGroup = this.ids.told;
  }

  pendingEntry(buffer: Uint8Array, at: number): void {
    this.pending.add(buffer, at, STREAM_ID_BYTES);
    if (this.profile.layout.stream.countsNames) this.ids.add(buffer, at);
  }

  consumer(buffer: Uint8Array, at: number, nameLength: number): void {
    const { layout, allocator } = this.profile;
    this.closeConsumer();
    this.consumerOpen = true;
    this.consumerPending.reset();
    this.consumerNames.add(buffer, at, nameLength);
    this.bytes += this.size(layout.stream.consumerBytes);
    this.bytes += layout.stream.countsNames
      ? countedSdsBytes(nameLength, layout.sds, layout.sdsCount, allocator)
      : nameLength;
  }

  consumerPendingId(buffer: Uint8Array, at: number): void {
    this.consumerPending.add(buffer, at, STREAM_ID_BYTES);
  }

  /** Bytes of all that the stream's object points to. */
  end(): number {
    const { stream } = this.profile.layout;
    this.closeGroup();
    this.nodes.finish();
    this.bytes += this.size(stream.bytes) + this.treeBytes(this.nodes);
    if (stream.countsNames && this.groups > 0) {
      this.names.finish();
      this.bytes += this.treeBytes(this.names) + this.unionBytes();
    }
    return this.bytes;
  }

  private closeGroup(): void {
    this.closeConsumer();
    if (!this.groupOpen) return;
    const { stream } = this.profile.layout;
    this.groupOpen = false;
    this.pending.finish();
    const pendingTree = this.treeBytes(this.pending);
    this.bytes += this.size(stream.groupBytes) + pendingTree;
    this.bytes += this.size(stream.pendingBytes) * this.pending.keys;
    if (this.pending.keys > 0) {
      this.groupsWithPending++;
      this.largestPendingTree = Math.max(this.largestPendingTree, pendingTree);
    }
    if (stream.countsNames) {
      this.consumerNames.finish();
      this.bytes += this.treeBytes(this.consumerNames);
    }
    if (stream.deliveryTree) this.bytes += this.deliveryTreeBytes(pendingTree);
  }

  private closeConsumer(): void {
    if (!this.consumerOpen) return;
    this.consumerOpen = false;
    this.consumerPending.finish();
    this.bytes += this.treeBytes(this.consumerPending);
  }

  private deliveryTreeBytes(pendingTree: number): number {
    if (!this.ids.complete) {
      this.approximate = true;
      return pendingTree;
    }
    this.ids.fillByTime(this.byTime, this.idsBeforeGroup);
    return this.treeBytes(this.byTime);
  }

  /** The tree of the ids that are pending in any group; of one group only it is that group's own tree. */
  private unionBytes(): number {
    if (this.groupsWithPending < 2) return this.largestPendingTree;
    if (!this.ids.complete) {
      this.approximate = true;
      return this.largestPendingTree;
    }
    this.ids.fillById(this.pending);
    return this.treeBytes(this.pending);
  }

  private treeBytes(tree: RaxShape): number {
    const { stream } = this.profile.layout;
    if (stream.trees === 'real') return this.size(stream.raxBytes) + tree.bytes;
    return STREAM_ID_BYTES * tree.keys + this.guessedNodeBytes * tree.nodes;
  }

  private get guessedNodeBytes(): number {
    return RAX_NODE_HEADER_BYTES + (GUESSED_NODE_WORDS * this.profile.wordBits) / 8;
  }

  private size(bytes: Bytes): number {
    return pick(bytes, this.profile.wordBits);
  }
}
