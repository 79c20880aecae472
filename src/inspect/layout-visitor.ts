import type { ElementBytes, ElementVisitor, KeyRecord, ListContainer } from '../rdb-parser/records.js';
import { UNKNOWN } from '../rdb-parser/records.js';
import type {
  ConsumerLayout,
  ElementText,
  LongElement,
  NodeLayout,
  NodesLayout,
  StreamLayout,
  StreamNodeLayout,
} from './key-layout.js';
import { LongestList } from './longest-list.js';

/** Bytes of an element that are shown. */
const KEPT_BYTES = 256;

/** Sees one key's parts and keeps the few that stand out. */
export class LayoutVisitor implements ElementVisitor {
  readonly keepBytes = KEPT_BYTES;
  private readonly longest: LongestList<LongElement>;
  private readonly soonest: LongestList<LongElement>;
  private readonly nodes: LongestList<NodeLayout>;
  private readonly streamNodes: LongestList<StreamNodeLayout>;
  private readonly consumers: LongestList<ConsumerLayout>;
  private index = 0;
  private nodeCount = 0;
  private plainNodes = 0;
  private nodeBytes = 0;
  private smallestNode = Number.POSITIVE_INFINITY;
  private group: ElementText = { bytes: new Uint8Array(0), length: 0 };
  private readonly most: number;

  /** @param most how many of each kind are kept */
  constructor(most: number) {
    this.most = most;
    this.longest = new LongestList(most);
    this.soonest = new LongestList(most);
    this.nodes = new LongestList(most);
    this.streamNodes = new LongestList(most);
    this.consumers = new LongestList(most);
  }

  item(item: ElementBytes): void {
    this.offer(item);
  }

  member(member: ElementBytes): void {
    this.offer(member);
  }

  scored(member: ElementBytes, score: number): void {
    this.offer(member, score);
  }

  pair(field: ElementBytes, value: ElementBytes, ttlMs: number): void {
    const index = this.index++;
    const make = (): LongElement => ({
      index,
      text: textOf(field),
      value: textOf(value),
      score: undefined,
      expiresAtMs: ttlMs === 0 ? undefined : ttlMs,
    });
    this.longest.offer(field.length + value.length, make);
    if (ttlMs !== 0) this.soonest.offer(-ttlMs, make);
  }

  arrayElement(at: bigint, value: ElementBytes): void {
    this.longest.offer(value.length, () => ({ ...plain(value), index: String(at) }));
  }

  listNode(container: ListContainer, bytes: number, elementCount: number): void {
    const index = this.nodeCount++;
    this.nodeBytes += bytes;
    if (container === 'plain') this.plainNodes++;
    if (bytes < this.smallestNode) this.smallestNode = bytes;
    this.nodes.offer(bytes, () => ({
      index,
      container,
      bytes,
      elements: elementCount === UNKNOWN ? undefined : elementCount,
    }));
  }

  streamNode(idMs: bigint, idSeq: bigint, listpackBytes: number): void {
    this.streamNodes.offer(listpackBytes, () => ({ id: `${idMs}-${idSeq}`, bytes: listpackBytes }));
  }

  streamGroup(name: ElementBytes): void {
    this.group = textOf(name);
  }

  streamConsumer(name: ElementBytes, seenMs: bigint, activeMs: bigint, pending: number): void {
    this.consumers.offer(pending, () => ({
      group: this.group,
      name: textOf(name),
      pending,
      seenMs: Number(seenMs),
      activeMs: activeMs === NEVER_ACTIVE ? undefined : Number(activeMs),
    }));
  }

  longestElements(): LongElement[] {
    return this.longest.list();
  }

  soonestExpiries(): LongElement[] {
    return this.soonest.list();
  }

  nodesLayout(): NodesLayout | undefined {
    if (this.nodeCount === 0) return undefined;
    return {
      count: this.nodeCount,
      plain: this.plainNodes,
      bytes: this.nodeBytes,
      smallestBytes: this.smallestNode,
      largest: this.nodes.list(),
    };
  }

  streamLayout({ stream }: KeyRecord): StreamLayout {
    const groups = [...stream.groupFacts].sort((a, b) => b.pending - a.pending).slice(0, this.most);
    return {
      nodes: stream.nodes,
      listpackBytes: stream.listpackBytes,
      lastId: `${stream.lastIdMs}-${stream.lastIdSeq}`,
      groups: stream.groups,
      consumers: stream.consumers,
      pending: stream.pending,
      largestNodes: this.streamNodes.list(),
      groupList: groups.map((group) => ({
        name: { bytes: group.name.slice(0, KEPT_BYTES), length: group.name.length },
        lastId: `${group.lastIdMs}-${group.lastIdSeq}`,
        consumers: group.consumers,
        pending: group.pending,
        oldestPendingMs: group.oldestPendingMs === UNKNOWN ? undefined : group.oldestPendingMs,
      })),
      consumerList: this.consumers.list(),
    };
  }

  private offer(element: ElementBytes, score?: number): void {
    const index = this.index++;
    this.longest.offer(element.length, () => ({ ...plain(element), index, score }));
  }
}

/** Source: stream.h streamConsumer.active_time, -1 until something was fetched (Redis 7.2). */
const NEVER_ACTIVE = -1n;

function plain(element: ElementBytes): Omit<LongElement, 'index'> {
  return { text: textOf(element), value: undefined, score: undefined, expiresAtMs: undefined };
}

function textOf({ bytes, kept, length }: ElementBytes): ElementText {
  return { bytes: bytes.slice(0, Math.min(kept, KEPT_BYTES)), length };
}
