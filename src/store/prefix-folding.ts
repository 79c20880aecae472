import { doubled } from './growing.js';
import { MARK, PLACEHOLDER, REST_SEGMENT, stemLength } from './key-pattern.js';
import { NONE, type PrefixTree, ROOT, SUM } from './prefix-tree.js';

/** A child of a node with a `{*}` stays on its own from this many keys and this share of the node's keys on, ... */
const KEPT_KEYS = 8;
const KEPT_KEY_SHARE = 0.001;
/** ... or from this share of the node's memory on. */
const KEPT_MEMORY_SHARE = 0.01;

/** Keys of the rule for each key of the exception: 16 random hexadecimal digits are all decimal in 0.05 % of cases. */
const RULE_FACTOR = 10;

/** What a segment more likely is when its siblings mostly are that; undefined where there is nothing to doubt. */
interface Exception {
  readonly likelier: (segment: Uint8Array) => Uint8Array | undefined;
  readonly factor: number;
}

const EXCEPTIONS: readonly Exception[] = [
  { likelier: (segment) => replaced(segment, PLACEHOLDER.shortDate, PLACEHOLDER.n), factor: RULE_FACTOR },
  { likelier: (segment) => replaced(segment, PLACEHOLDER.shortDate, PLACEHOLDER.hex), factor: RULE_FACTOR },
  { likelier: (segment) => replaced(segment, PLACEHOLDER.n, PLACEHOLDER.hex), factor: RULE_FACTOR },
  { likelier: hexWordsReplaced, factor: RULE_FACTOR },
  { likelier: (segment) => replaced(segment, PLACEHOLDER.shortDate, PLACEHOLDER.date), factor: 0 },
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
    for (const { likelier, factor } of EXCEPTIONS) {
      for (const child of this.childrenOf(parent)) {
        const segment = likelier(this.tree.segment(child));
        if (segment !== undefined) this.foldException(parent, child, segment, factor);
      }
    }
    this.foldSmall(parent);
    for (const child of this.childrenOf(parent)) this.foldBelow(child);
  }

  private foldException(parent: number, child: number, segment: Uint8Array, factor: number): void {
    const sibling = this.tree.find(parent, this.tree.separator(child), segment);
    if (sibling === NONE || this.aliases[sibling] !== NONE) return;
    if (this.keys[sibling]! >= factor * this.keys[child]!) this.merge(child, sibling);
  }

  /** Folds what is small below a node that has a `{*}`, or too many children since others were folded into it. */
  private foldSmall(parent: number): void {
    const { tree } = this;
    const children = this.childrenOf(parent);
    const known = tree.rest(parent);
    if (known === NONE && children.length <= this.childrenPerNode) return;
    const small = children.filter((child) => child !== known && this.isSmall(child, parent));
    // Segments with a common beginning first: `tok_{*}` may be large once they are in it.
    for (const child of small) {
      const stem = this.stemOf(parent, child);
      if (stem !== NONE) this.merge(child, stem);
    }
    const rest = small.filter((child) => this.aliases[child] === NONE && this.isSmall(child, parent));
    if (rest.length === 0) return;
    const into = known === NONE ? this.createRest(parent, tree.separator(rest[0]!)) : known;
    for (const child of rest) this.merge(child, into);
  }

  /** Ids are few whatever the keys, so their nodes stay. */
  private isSmall(child: number, parent: number): boolean {
    const segment = this.tree.segment(child);
    const isWholeId = segment.length === 2 && segment[0] === MARK;
    return (
      !isWholeId &&
      this.keys[child]! < Math.max(KEPT_KEYS, this.keys[parent]! * KEPT_KEY_SHARE) &&
      this.memoryBytes[child]! < this.memoryBytes[parent]! * KEPT_MEMORY_SHARE
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

/** The segment with one kind of id for another, undefined when it has none of the kind. */
function replaced(segment: Uint8Array, kind: number, by: number): Uint8Array | undefined {
  const result = segment.slice();
  let differs = false;
  for (let i = 0; i < result.length; i++) {
    if (result[i] !== MARK) continue;
    i++;
    if (result[i] !== kind) continue;
    result[i] = by;
    differs = true;
  }
  return differs ? result : undefined;
}

/** The segment with `{hex}` for its words of eight or more hexadecimal letters, undefined when it has none. */
function hexWordsReplaced(segment: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(segment).toString('latin1');
  const result = text.replace(HEX_WORD, String.fromCharCode(MARK, PLACEHOLDER.hex));
  return result === text ? undefined : Buffer.from(result, 'latin1');
}

/** A whole word: no letter or digit, and no byte above 127, at its sides. */
const HEX_WORD = /(?<![0-9a-z\x80-\xff])[a-f]{8,}(?![0-9a-z\x80-\xff])/gi;
