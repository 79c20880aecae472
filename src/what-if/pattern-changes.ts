import type { DataType, KeyRecord } from '../rdb-parser/records.js';
import { DEFAULT_PREFIX_LIMITS, KeyCore } from '../store/key-core.js';
import type { PatternRules } from '../store/pattern-rules.js';
import { PrefixFolding } from '../store/prefix-folding.js';
import { PrefixTree, ROOT, SUM } from '../store/prefix-tree.js';
import type { Change } from './change-sums.js';

/** The keys of one pattern and type. */
export interface PatternChange extends Change {
  readonly prefix: string;
  readonly type: DataType;
}

/** Patterns kept of one snapshot, those that change most; the rest is one row. */
const MAX_PATTERNS = 5000;
/** Stands for the patterns that are not kept. */
const OTHER_PATTERNS = '{*}';

/**
 * Sums by key pattern and type. The store's prefix tree does the work: the other server's figure goes where the tree
 * sums a key's bytes on disk.
 */
export class PatternChanges {
  private readonly core: KeyCore;
  private readonly types: DataType[] = [];
  private readonly slots = new Uint8Array(2 ** 14);

  /** @throws StoreError `bad-option` for separators that are none, or rules that don't fit to them */
  constructor(separators: string, patternRules?: PatternRules | undefined) {
    this.core = new KeyCore({ patternRules });
    this.core.setSeparators(separators);
  }

  /** Cluster slots that hold keys. */
  get occupiedSlots(): number {
    return this.slots.reduce((count, seen) => count + seen, 0);
  }

  add(record: KeyRecord, nowBytes: number, otherBytes: number): void {
    const { core, types } = this;
    let type = types.indexOf(record.dataType);
    if (type < 0) type = types.push(record.dataType) - 1;
    const { keyBuffer, keyStart, keyLength, db, hasExpiry } = record;
    core.take(keyBuffer, keyStart, keyLength, db, type, hasExpiry, false, nowBytes, otherBytes, 0);
    this.slots[core.slot] = 1;
  }

  /** To be called once, when all keys are in. Those that change most come first. */
  rows(): readonly PatternChange[] {
    const tree = new PrefixTree(this.core);
    const folding = new PrefixFolding(tree, DEFAULT_PREFIX_LIMITS.childrenPerNode);
    const rows: PatternChange[] = [];
    const visit = (node: number, prefix: string): void => {
      for (const { typeIndex, sums } of tree.sumsByType(node)) {
        rows.push({
          prefix,
          type: this.types[typeIndex]!,
          keys: sums[SUM.keys]!,
          nowBytes: sums[SUM.memoryBytes]!,
          otherBytes: sums[SUM.serializedBytes]!,
        });
      }
      for (const child of folding.childrenOf(node)) {
        visit(child, tree.text(child, prefix));
      }
    };
    visit(ROOT, '');
    return withRest(rows.sort(byDifference));
  }
}

/** The largest difference first; a total order. */
export function byDifference(left: PatternChange, right: PatternChange): number {
  return (
    Math.abs(right.otherBytes - right.nowBytes) - Math.abs(left.otherBytes - left.nowBytes) ||
    right.nowBytes - left.nowBytes ||
    (left.prefix < right.prefix ? -1 : left.prefix > right.prefix ? 1 : 0) ||
    (left.type < right.type ? -1 : 1)
  );
}

function withRest(sorted: readonly PatternChange[]): readonly PatternChange[] {
  if (sorted.length <= MAX_PATTERNS) return sorted;
  const rest = new Map<DataType, { keys: number; nowBytes: number; otherBytes: number }>();
  for (const { type, keys, nowBytes, otherBytes } of sorted.slice(MAX_PATTERNS)) {
    const sum = rest.get(type) ?? { keys: 0, nowBytes: 0, otherBytes: 0 };
    sum.keys += keys;
    sum.nowBytes += nowBytes;
    sum.otherBytes += otherBytes;
    rest.set(type, sum);
  }
  const others = [...rest].map(([type, sum]) => ({ prefix: OTHER_PATTERNS, type, ...sum }));
  return [...sorted.slice(0, MAX_PATTERNS), ...others];
}
