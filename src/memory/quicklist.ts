import type { IntegerClass } from '../rdb-parser/records.js';
import type { Bytes } from './layout.js';
import { PackedSum } from './packed-sum.js';

/** A linked list of packed nodes. Source: quicklist.h (3.2 – 8.8). */
export interface QuicklistLayout {
  readonly kind: 'quicklist';
  /** sizeof(quicklist), sizeof(quicklistNode) */
  readonly bytes: Bytes;
  readonly nodeBytes: Bytes;
  /**
   * Which items get a node of their own without a packed blob. `huge`: from 1 GiB on (quicklist.c, `packed_threshold`,
   * 7.0). `over-limit`: those longer than a node may get (7.4, Valkey 8.0: quicklist.c, `isLargeElement`).
   */
  readonly plainNodes: 'never' | 'huge' | 'over-limit';
  /** Whether a list of one packed node within the limit is that listpack alone (7.2: t_list.c, `listTypeTryConversion`). */
  readonly packsSingleNode: boolean;
}

/** Up to where a node takes more items: the setting list-max-listpack-size. */
export interface ListNodeLimit {
  readonly bytes: number;
  readonly items: number;
}

/** No node grows beyond it, whatever its item count. Source: quicklist.c, SIZE_SAFETY_LIMIT. */
const SAFETY_LIMIT_BYTES = 8192;

/** Source: quicklist.c, `optimization_level`, `quicklistNodeLimit` (7.2); settings below -5 count as -5. */
export function nodeLimit(setting: number): ListNodeLimit {
  if (setting >= 0) return { bytes: Number.POSITIVE_INFINITY, items: Math.max(1, setting) };
  return { bytes: 4096 * 2 ** (Math.min(5, -setting) - 1), items: Number.POSITIVE_INFINITY };
}

/** Slack with which the insertion test reckons. Source: quicklist.c, SIZE_ESTIMATE_OVERHEAD (7.0). */
const ESTIMATED_ENTRY_OVERHEAD = 8;

/** From here on an item never goes into a packed node. Source: quicklist.c, `packed_threshold` (7.0, 7.2). */
const HUGE_ITEM_BYTES = 2 ** 30;

/** The node that a loader is filling. */
export class OpenNode {
  items = 0;
  private readonly packing: 'ziplist' | 'listpack';
  private readonly blob: PackedSum;

  constructor(packing: 'ziplist' | 'listpack') {
    this.packing = packing;
    this.blob = new PackedSum(packing);
  }

  reset(): void {
    this.items = 0;
    this.blob.reset();
  }

  add(length: number, integer: IntegerClass): void {
    this.items++;
    this.blob.add(length, integer);
  }

  get bytes(): number {
    return this.blob.bytes;
  }

  /** Whether one more item of that length goes into this node, not a new one. Source: quicklist.c, `_quicklistNodeAllowInsert`. */
  takes(length: number, limit: ListNodeLimit): boolean {
    if (this.items === 0) return true;
    const overhead =
      this.packing === 'listpack' ? ESTIMATED_ENTRY_OVERHEAD : ziplistEstimatedOverhead(length);
    const bytes = this.bytes + length + overhead;
    if (limit.items === Number.POSITIVE_INFINITY) return bytes <= limit.bytes;
    return bytes <= SAFETY_LIMIT_BYTES && this.items < limit.items;
  }
}

/** Source: quicklist.c, `_quicklistNodeAllowInsert` (3.2 – 6.2): length fields for both neighbours, integers as text. */
function ziplistEstimatedOverhead(length: number): number {
  const previous = length < 254 ? 1 : 5;
  if (length < 2 ** 6) return previous + 1;
  return length < 2 ** 14 ? previous + 2 : previous + 5;
}

/** Whether an item of that length gets a plain node when it is pushed. */
export function needsPlainNode(
  length: number,
  rule: QuicklistLayout['plainNodes'],
  limit: ListNodeLimit,
): boolean {
  if (rule === 'never') return false;
  if (rule === 'huge') return length >= HUGE_ITEM_BYTES;
  return (
    length >
    Math.min(limit.bytes, limit.items === Number.POSITIVE_INFINITY ? limit.bytes : SAFETY_LIMIT_BYTES)
  );
}
