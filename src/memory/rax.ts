import type { Allocator } from './allocator.js';

/** Key bytes that are compared at most; longer keys are taken to differ there. Only names can be that long. */
const COMPARED_BYTES = 4096;

/** Header of a node: flags and size in one word. Source: rax.h, `raxNode` (5.0 – 8.8). */
const NODE_HEADER_BYTES = 4;

/**
 * The nodes of a radix tree, counted while its keys arrive in byte order; holds a path, never the keys.
 *
 * A branch of m children is one node; the run of bytes that leads to it another, if there is one; so is the end of a
 * key. Sizes as `raxNodeCurrentLength` gives them: header and characters padded to a word, a pointer per child, one for
 * the key's value. Source: rax.c (Redis 7.2). For stream ids also in the store's assembly/rax.ts.
 */
export class RaxShape {
  keys = 0;
  nodes = 0;
  /** Blocks of all nodes, as the allocator rounds them. */
  bytes = 0;
  private readonly allocator: Allocator;
  private readonly wordBytes: number;
  private readonly valueBytes: number;
  private last = new Uint8Array(64);
  private lastLength = 0;
  /** How many bytes of `last` are of the last key. */
  private lastKept = 0;
  /** The points on the path to the last key at which something may still branch off, from the root on. */
  private depth = new Float64Array(64);
  private children = new Float64Array(64);
  private firstEdge = new Float64Array(64);
  private isKey = new Uint8Array(64);
  private top = 0;

  /** @param hasValues whether keys point to something; an absent value takes no word */
  constructor(allocator: Allocator, wordBytes: number, hasValues: boolean) {
    this.allocator = allocator;
    this.wordBytes = wordBytes;
    this.valueBytes = hasValues ? wordBytes : 0;
  }

  reset(): void {
    this.keys = 0;
    this.nodes = 0;
    this.bytes = 0;
    this.lastLength = this.lastKept = 0;
    this.top = -1;
    this.push(0, false);
  }

  /** The next key, not before the last one in byte order; an equal one counts once. */
  add(buffer: Uint8Array, at: number, length: number): void {
    if (this.keys === 0 && length === 0) {
      this.isKey[0] = 1;
      this.keys = 1;
      return;
    }
    const shared = this.keys === 0 ? 0 : this.sharedLength(buffer, at, length);
    if (this.keys > 0 && shared === length && shared === this.lastLength) return;
    this.closeTo(shared);
    this.keys++;
    this.keep(buffer, at, length);
    // keys out of order may name a point that is open: a path never holds two of one depth, so it stays short
    if (this.depth[this.top] === length) this.isKey[this.top] = 1;
    else this.push(length, true);
  }

  /** Counts what is still open; then `keys`, `nodes` and `bytes` are final until `reset`. */
  finish(): void {
    this.closeTo(0);
    this.emitPoint();
  }

  private sharedLength(buffer: Uint8Array, at: number, length: number): number {
    const end = Math.min(length, this.lastKept, buffer.length - at);
    let i = 0;
    while (i < end && buffer[at + i] === this.last[i]) i++;
    return i;
  }

  private keep(buffer: Uint8Array, at: number, length: number): void {
    const kept = Math.min(length, COMPARED_BYTES, buffer.length - at);
    if (kept > this.last.length) this.last = new Uint8Array(COMPARED_BYTES);
    for (let i = 0; i < kept; i++) this.last[i] = buffer[at + i]!;
    this.lastLength = length;
    this.lastKept = kept;
  }

  /** Leaves no open point deeper than `depth`, and one there unless nothing was deeper. */
  private closeTo(depth: number): void {
    while (this.top > 0 && this.depth[this.top]! > depth) {
      this.emitPoint();
      const childDepth = this.depth[this.top]!;
      this.top--;
      if (this.depth[this.top]! < depth) this.push(depth, false);
      this.attach(childDepth - this.depth[this.top]!);
    }
  }

  /** The open point gets a child at the end of `edge` bytes. */
  private attach(edge: number): void {
    const { top } = this;
    const children = this.children[top]! + 1;
    this.children[top] = children;
    if (children === 1) this.firstEdge[top] = edge;
    else {
      if (children === 2) this.emitRun(this.firstEdge[top]! - 1);
      this.emitRun(edge - 1);
    }
  }

  /** A run of bytes between a branch and the next point. */
  private emitRun(length: number): void {
    if (length > 0) this.emitNode(length, 1, false);
  }

  /** The open point itself: a leaf, a run that starts there, or a branch. */
  private emitPoint(): void {
    const { top } = this;
    const children = this.children[top]!;
    const characters = children === 1 ? this.firstEdge[top]! : children;
    this.emitNode(characters, children, this.isKey[top] === 1);
  }

  private emitNode(characters: number, pointers: number, isKey: boolean): void {
    const { wordBytes } = this;
    const head = Math.ceil((NODE_HEADER_BYTES + characters) / wordBytes) * wordBytes;
    this.nodes++;
    this.bytes += this.allocator.usable(head + wordBytes * pointers + (isKey ? this.valueBytes : 0));
  }

  private push(depth: number, isKey: boolean): void {
    this.top++;
    if (this.top === this.depth.length) this.growPath();
    this.depth[this.top] = depth;
    this.children[this.top] = 0;
    this.firstEdge[this.top] = 0;
    this.isKey[this.top] = isKey ? 1 : 0;
  }

  private growPath(): void {
    const grow = (old: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> => {
      const grown = new Float64Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.depth = grow(this.depth);
    this.children = grow(this.children);
    this.firstEdge = grow(this.firstEdge);
    const keys = new Uint8Array(this.isKey.length * 2);
    keys.set(this.isKey);
    this.isKey = keys;
  }
}
