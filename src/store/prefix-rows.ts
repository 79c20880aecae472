import { joinedPattern } from './pattern-text.js';
import { PrefixFolding } from './prefix-folding.js';
import { NONE, ROOT } from './prefix-nodes.js';
import { SUM, SUM_COUNT } from './prefix-sums.js';
import type { PrefixTree } from './prefix-tree.js';

/** One node; the sums are over all keys at it and below it, in the order of SUM. */
export interface PrefixRow {
  readonly id: number;
  /** NONE for the root. */
  readonly parentId: number;
  readonly depth: number;
  readonly text: string;
  /** Keys whose whole pattern this is. */
  readonly ownKeys: number;
  readonly sums: readonly number[];
  /** The same sums by type. */
  readonly types: readonly { readonly typeIndex: number; readonly sums: readonly number[] }[];
}

/** What a finished tree has to tell. */
export interface PrefixVisitor {
  node(row: PrefixRow): void;
  /** Keys were told `id`, which has become part of `standing`. */
  alias(id: number, standing: number): void;
}

/** Folds the tree and tells its nodes, parents first. Afterwards the tree's sums are those of whole subtrees. */
export function visitPrefixes(tree: PrefixTree, visitor: PrefixVisitor): void {
  const folding = new PrefixFolding(tree);
  const ownKeys = new Float64Array(tree.nodes.count);
  addUp(tree, folding, ROOT, ownKeys);
  visitBelow(tree, folding, visitor, ownKeys, { node: ROOT, parent: NONE, depth: 0, text: '' });
  for (let node = 0; node < tree.nodes.count; node++) {
    const standing = folding.resolve(node);
    if (standing !== node) visitor.alias(node, standing);
  }
}

function addUp(tree: PrefixTree, folding: PrefixFolding, node: number, ownKeys: Float64Array): void {
  ownKeys[node] = tree.sums.total(node, SUM.keys);
  for (const child of folding.childrenOf(node)) {
    addUp(tree, folding, child, ownKeys);
    tree.sums.addAll(child, node);
  }
}

interface Place {
  readonly node: number;
  readonly parent: number;
  readonly depth: number;
  readonly text: string;
}

function visitBelow(
  tree: PrefixTree,
  folding: PrefixFolding,
  visitor: PrefixVisitor,
  ownKeys: Float64Array,
  place: Place,
): void {
  const { node, parent, depth, text } = place;
  const { nodes, sums } = tree;
  const types: PrefixRow['types'][number][] = [];
  for (let cell = sums.firstCell(node); cell !== NONE; cell = sums.next[cell]!) {
    const at = cell * SUM_COUNT;
    types.push({ typeIndex: sums.typeOf[cell]!, sums: Array.from(sums.values.subarray(at, at + SUM_COUNT)) });
  }
  const total = Array.from({ length: SUM_COUNT }, (_, sum) => sums.total(node, sum));
  visitor.node({ id: node, parentId: parent, depth, text, ownKeys: ownKeys[node]!, sums: total, types });
  for (const child of folding.childrenOf(node)) {
    const childText = joinedPattern(text, nodes.separator[child]!, nodes.segmentOf(child));
    visitBelow(tree, folding, visitor, ownKeys, {
      node: child,
      parent: node,
      depth: depth + 1,
      text: childText,
    });
  }
}
