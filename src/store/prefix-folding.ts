import { doubled } from './growing.js';
import { MARK, PLACEHOLDER, REST_SEGMENT, stemLength } from './key-pattern.js';
import { NONE, type PrefixTree, ROOT, SUM } from './prefix-tree.js';

/** A child of a node with a `{*}` stays on its own from this share of the node's keys or memory on. */
const KEPT_SHARE = 0.001;

/** Keys of the rule for each key of the exception: 16 random hexadecimal digits are all decimal in 0.05 % of cases. */
const RULE_FACTOR = 10;

/** What an id looked like, and what it is more likely to be when its siblings mostly are that. */
const EXCEPTIONS: readonly (readonly [exception: number, rule: number, factor: number])[] = [
  [PLACEHOLDER.shortDate, PLACEHOLDER.n, RULE_FACTOR],
  [PLACEHOLDER.shortDate, PLACEHOLDER.hex, RULE_FACTOR],
  [PLACEHOLDER.n, PLACEHOLDER.hex, RULE_FACTOR],
  [PLACEHOLDER.shortDate, PLACEHOLDER.date, 0],
];

/**
 * Tidies a tree when all keys are in: ids that only looked like another kind join the kind they belong to, and small
 * children of a node that had too many join its `{*}`. Sums stay exact. A node that keys were told may afterwards be
 * an alias of another.
 */
export class PrefixFolding {
  /** By node: the one it was folded into, NONE for those that stand. */
  aliases: Int32Array;

  private readonly tree: PrefixTree;
  private readonly childrenPerNode: number;
  /** Of whole subtrees. */
  private keys: Float64Array;
  private memoryBytes: Float64Array;
  private firstChild: Int32Array;
  private nextSibling: Int32Array;

  /** @param childrenPerNode more children of a node than this are folded */
  constructor(tree: PrefixTree, childrenPerNode: number) {
    const { count } = tree;
    this.tree = tree;
    this.childrenPerNode = childrenPerNode;
    this.aliases = new Int32Array(count).fill(NONE);
    this.keys = new Float64Array(count);
    this.memoryBytes = new Float64Array(count);
    this.firstChild = new Int32Array(count).fill(NONE);
    this.nextSibling = new Int32Array(count).fill(NONE);
    // Until something is folded, a child has a higher number than its parent.
    for (let node = count - 1; node > ROOT; node--) {
      this.keys[node] = this.keys[node]! + tree.total(node, SUM.keys);
      this.memoryBytes[node] = this.memoryBytes[node]! + tree.total(node, SUM.memoryBytes);
      const parent = tree.parent(node);
      this.addSubtree(node, parent);
      this.link(node, parent);
    }
    this.foldBelow(ROOT);
  }

  /** The children of a node that stand, in no promised order. */
  childrenOf(node: number): number[] {
    const children: number[] = [];
    for (let child = this.firstChild[node]!; child !== NONE; child = this.nextSibling[child]!) {
      if (this.aliases[child] === NONE) children.push(child);
    }
    return children;
  }

  /** The node that stands for one which may have been folded. */
  resolve(node: number): number {
    let standing = node;
    while (this.aliases[standing] !== NONE) standing = this.aliases[standing]!;
    return standing;
  }

  private foldBelow(parent: number): void {
    if (this.firstChild[parent] === NONE) return;
    for (const [exception, rule, factor] of EXCEPTIONS) {
      for (const child of this.childrenOf(parent)) this.foldException(parent, child, exception, rule, factor);
    }
    this.foldSmall(parent);
    for (const child of this.childrenOf(parent)) this.foldBelow(child);
  }

  private foldException(
    parent: number,
    child: number,
    exception: number,
    rule: number,
    factor: number,
  ): void {
    const segment = this.tree.segment(child).slice();
    let differs = false;
    for (let i = 0; i < segment.length; i++) {
      if (segment[i] !== MARK) continue;
      i++;
      if (segment[i] !== exception) continue;
      segment[i] = rule;
      differs = true;
    }
    if (!differs) return;
    const sibling = this.tree.find(parent, this.tree.separator(child), segment);
    if (sibling === NONE || this.aliases[sibling] !== NONE) return;
    if (this.keys[sibling]! >= factor * this.keys[child]!) this.merge(child, sibling);
  }

  /** Folds what is small below a node that has a `{*}`, or too many children since others were folded into it. */
  private foldSmall(parent: number): void {
    const { tree } = this;
    const children = this.childrenOf(parent);
    let rest = tree.rest(parent);
    if (rest === NONE) {
      if (children.length <= this.childrenPerNode) return;
      rest = this.createRest(parent, tree.separator(children[0]!));
    }
    const small = children.filter((child) => child !== rest && this.isSmall(child, parent));
    // Segments with a common beginning first: `tok_{*}` may be large once they are in it.
    for (const child of small) {
      const stem = this.stemOf(parent, child);
      if (stem !== NONE) this.merge(child, stem);
    }
    for (const child of small) {
      if (this.aliases[child] === NONE && this.isSmall(child, parent)) this.merge(child, rest);
    }
  }

  /** Ids are few whatever the keys, so their nodes stay. */
  private isSmall(child: number, parent: number): boolean {
    const segment = this.tree.segment(child);
    const isWholeId = segment.length === 2 && segment[0] === MARK;
    return (
      !isWholeId &&
      this.keys[child]! < this.keys[parent]! * KEPT_SHARE &&
      this.memoryBytes[child]! < this.memoryBytes[parent]! * KEPT_SHARE
    );
  }

  /** The sibling `tok_{*}` of `tok_abc`, NONE without one. */
  private stemOf(parent: number, child: number): number {
    const segment = this.tree.segment(child);
    const length = stemLength(segment);
    if (length === 0) return NONE;
    const wanted = Uint8Array.of(...segment.subarray(0, length), ...REST_SEGMENT);
    const stem = this.tree.find(parent, this.tree.separator(child), wanted);
    return stem === child || stem === NONE || this.aliases[stem] !== NONE ? NONE : stem;
  }

  /** Folds a node, its sums and all below it into another. */
  private merge(from: number, into: number): void {
    const { tree } = this;
    this.aliases[from] = into;
    tree.addSums(from, into);
    tree.clearSums(from);
    this.addSubtree(from, into);
    for (const child of this.childrenOf(from)) {
      const isRest = tree.rest(from) === child;
      const known = isRest ? tree.rest(into) : tree.find(into, tree.separator(child), tree.segment(child));
      if (known !== NONE) this.merge(child, this.resolve(known));
      else {
        tree.attach(child, into);
        this.link(child, into);
        if (isRest) tree.setRest(into, child);
      }
    }
  }

  private createRest(parent: number, separator: number): number {
    const rest = this.tree.createRest(parent, separator);
    if (rest >= this.aliases.length) this.grow();
    this.link(rest, parent);
    return rest;
  }

  private grow(): void {
    const known = this.aliases.length;
    this.aliases = doubled(this.aliases).fill(NONE, known);
    this.keys = doubled(this.keys);
    this.memoryBytes = doubled(this.memoryBytes);
    this.firstChild = doubled(this.firstChild).fill(NONE, known);
    this.nextSibling = doubled(this.nextSibling).fill(NONE, known);
  }

  private addSubtree(node: number, to: number): void {
    this.keys[to] = this.keys[to]! + this.keys[node]!;
    this.memoryBytes[to] = this.memoryBytes[to]! + this.memoryBytes[node]!;
  }

  private link(node: number, parent: number): void {
    this.nextSibling[node] = this.firstChild[parent]!;
    this.firstChild[parent] = node;
  }
}
