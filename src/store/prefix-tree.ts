import { PLACEHOLDER } from './id-patterns.js';
import { NONE, PrefixNodes, ROOT } from './prefix-nodes.js';
import { PrefixSums } from './prefix-sums.js';
import { MARK, SegmentScanner } from './segment-scanner.js';

/** How large the tree may grow. */
export interface PrefixLimits {
  /** Children of one node before unseen segments are folded into its `{*}`. */
  readonly childrenPerNode: number;
  /** Nodes in all before unseen segments are folded; the `{*}` nodes may double it. */
  readonly nodes: number;
  /** Segments told apart; what is left of a longer key counts as one. */
  readonly depth: number;
}

export const DEFAULT_PREFIX_LIMITS: PrefixLimits = { childrenPerNode: 1000, nodes: 50_000, depth: 12 };

/** Nodes like `tok_{*}` of one full parent. */
const STEMS_PER_NODE = 64;

/** The canonical bytes of `{*}`. */
export const REST_SEGMENT = Uint8Array.of(MARK, PLACEHOLDER.rest);

/**
 * Which prefixes the keys have, and the sums over each, in memory that does not grow with the keys.
 *
 * A node is a pattern such as `user:{n}:session`: a path of segments from the root. A key is counted at the node of
 * its whole pattern, and the sums of the prefixes above follow from the tree. Once a node has too many children,
 * segments that it has not seen go to its child `{*}`, or to one that shares their beginning (`tok_{*}`). A `{*}` made
 * when the whole tree is full, or at the greatest depth, stands for all the rest of a key.
 */
export class PrefixTree {
  readonly nodes: PrefixNodes;
  readonly sums = new PrefixSums();
  /** Knows, after `add`, whether the key had high bytes, NUL or a brace. */
  readonly scanner: SegmentScanner;

  readonly limits: PrefixLimits;
  private readonly stems = new Map<number, number>();

  /**
   * @param seed see PrefixNodes
   * @throws StoreError when a separator can't be one
   */
  constructor(separators = ':', limits: PrefixLimits = DEFAULT_PREFIX_LIMITS, seed = 0) {
    this.nodes = new PrefixNodes(seed);
    this.scanner = new SegmentScanner(separators);
    this.limits = limits;
  }

  /**
   * Counts a key and returns the id of its own node.
   * @param elements at least 0: an unknown count adds nothing
   * @param expired past its time when the snapshot was taken
   */
  add(
    bytes: Uint8Array,
    start: number,
    length: number,
    typeIndex: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    hasExpiry: boolean,
    expired: boolean,
  ): number {
    const node = this.nodeOf(bytes, start, length);
    this.sums.add(node, typeIndex, length, memoryBytes, serializedBytes, elements, hasExpiry, expired);
    return node;
  }

  /** The node of a key's whole pattern, made when it is new. */
  private nodeOf(bytes: Uint8Array, start: number, length: number): number {
    const { scanner, nodes, limits } = this;
    scanner.start(bytes, start, length);
    let node = ROOT;
    for (let depth = 1; ; depth++) {
      scanner.next();
      if (depth === limits.depth && !scanner.isLast) {
        scanner.skipRest();
        return this.restOf(node);
      }
      const child = nodes.find(
        node,
        scanner.separator,
        scanner.buffer,
        scanner.segmentStart,
        scanner.segmentLength,
      );
      node = child === NONE ? this.admit(node) : child;
      if (scanner.isLast) return node;
      // Made when the tree was full.
      if (node >= limits.nodes) {
        scanner.skipRest();
        return node;
      }
    }
  }

  /** The child of `parent` that an unseen segment goes to. */
  private admit(parent: number): number {
    const { scanner, nodes, limits } = this;
    const { buffer, segmentStart: start, segmentLength: length, separator, stemLength: stem } = scanner;
    if (nodes.count >= limits.nodes) return this.restOf(parent);
    const isWholeId = length === 2 && buffer[start] === MARK;
    if (isWholeId || nodes.children[parent]! < limits.childrenPerNode) {
      return nodes.create(parent, separator, buffer, start, length);
    }
    if (stem > 0 && stem < length) {
      // A segment with a stem stands in the scanner's scratch: it may be overwritten.
      buffer.set(REST_SEGMENT, stem);
      const stemAndRest = stem + REST_SEGMENT.length;
      const known = nodes.find(parent, separator, buffer, 0, stemAndRest);
      if (known !== NONE) return known;
      const stems = this.stems.get(parent) ?? 0;
      if (stems < STEMS_PER_NODE) {
        this.stems.set(parent, stems + 1);
        return nodes.create(parent, separator, buffer, 0, stemAndRest);
      }
    }
    return this.restOf(parent);
  }

  /** The child that stands for anything; one for all separators. */
  private restOf(parent: number): number {
    const { nodes, scanner } = this;
    if (nodes.rest[parent] === NONE) {
      // Creating may replace the column.
      const rest = nodes.create(parent, scanner.separator, REST_SEGMENT, 0, REST_SEGMENT.length);
      nodes.rest[parent] = rest;
    }
    return nodes.rest[parent]!;
  }
}
