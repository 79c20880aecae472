import { PrefixFolding } from './prefix-folding.js';
import { NONE, type PrefixTree, ROOT, SUM, SUM_COUNT } from './prefix-tree.js';

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
export function visitPrefixes(tree: PrefixTree, childrenPerNode: number, visitor: PrefixVisitor): void {
  const folding = new PrefixFolding(tree, childrenPerNode);
  const ownKeys = new Float64Array(tree.count);
  addUp(tree, folding, ROOT, ownKeys);
  visitBelow(tree, folding, visitor, ownKeys, { node: ROOT, parent: NONE, depth: 0, text: '' });
  for (let node = 0; node < tree.count; node++) {
    const standing = folding.resolve(node);
    if (standing !== node) visitor.alias(node, standing);
  }
}

function addUp(tree: PrefixTree, folding: PrefixFolding, node: number, ownKeys: Float64Array): void {
  ownKeys[node] = tree.total(node, SUM.keys);
  for (const child of folding.childrenOf(node)) {
    addUp(tree, folding, child, ownKeys);
    tree.addSums(child, node);
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
  const types = tree.sumsByType(node);
  const total = Array.from({ length: SUM_COUNT }, (_, sum) => tree.total(node, sum));
  visitor.node({ id: node, parentId: parent, depth, text, ownKeys: ownKeys[node]!, sums: total, types });
  for (const child of folding.childrenOf(node)) {
    const below = { node: child, parent: node, depth: depth + 1, text: tree.text(child, text) };
    visitBelow(tree, folding, visitor, ownKeys, below);
  }
}
