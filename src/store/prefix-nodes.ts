export const ROOT = 0;
export const NONE = -1;

const FIRST_CAPACITY = 1024;

/**
 * The nodes of a prefix tree, and the way from a node to its child by the bytes of a segment: typed-array columns, the
 * segments' bytes in one arena, and one open addressing table over all nodes. Nodes are numbered as they come; the
 * root is 0.
 */
export class PrefixNodes {
  count = 1;
  parent = new Int32Array(FIRST_CAPACITY);
  /** The byte between the parent's text and the segment, 0 below the root. */
  separator = new Uint8Array(FIRST_CAPACITY);
  segmentStart = new Uint32Array(FIRST_CAPACITY);
  segmentLength = new Uint8Array(FIRST_CAPACITY);
  /** The child that stands for any segment, NONE without one. */
  rest = new Int32Array(FIRST_CAPACITY);
  children = new Uint32Array(FIRST_CAPACITY);
  arena = new Uint8Array(16 * FIRST_CAPACITY);

  private arenaUsed = 0;
  private hash = new Int32Array(FIRST_CAPACITY);
  private slots = new Int32Array(4 * FIRST_CAPACITY).fill(NONE);
  private readonly seed: number;

  /** @param seed any 32-bit integer; one that nobody who makes snapshots knows keeps them from filling one slot */
  constructor(seed: number) {
    this.seed = seed;
    this.parent[ROOT] = NONE;
    this.rest[ROOT] = NONE;
  }

  /** The child of `parent` with the segment `bytes[start .. start + length)`, NONE when there is none. */
  find(parent: number, separator: number, bytes: Uint8Array, start: number, length: number): number {
    const hash = this.hashOf(parent, separator, bytes, start, length);
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const node = this.slots[slot]!;
      if (node === NONE) return NONE;
      if (
        this.hash[node] === hash &&
        this.parent[node] === parent &&
        this.separator[node] === separator &&
        this.hasSegment(node, bytes, start, length)
      ) {
        return node;
      }
    }
  }

  /** A new child; the caller knows that there is none with that segment. */
  create(parent: number, separator: number, bytes: Uint8Array, start: number, length: number): number {
    const node = this.count++;
    if (node >= this.parent.length) this.grow();
    if (this.arenaUsed + length > this.arena.length) this.arena = doubled(this.arena);
    for (let i = 0; i < length; i++) this.arena[this.arenaUsed + i] = bytes[start + i]!;
    this.segmentStart[node] = this.arenaUsed;
    this.segmentLength[node] = length;
    this.arenaUsed += length;
    this.separator[node] = separator;
    this.rest[node] = NONE;
    this.attach(node, parent);
    return node;
  }

  /** Makes a node a child of `parent`, which has no child of that segment: a new one, or one that moves. */
  attach(node: number, parent: number): void {
    const start = this.segmentStart[node]!;
    const length = this.segmentLength[node]!;
    this.parent[node] = parent;
    this.children[parent] = this.children[parent]! + 1;
    // A node that moved keeps its old slot too: harmless, since its hash no longer leads there.
    this.hash[node] = this.hashOf(parent, this.separator[node]!, this.arena, start, length);
    this.putInSlot(node);
    if (this.count * 2 > this.slots.length) this.rehash();
  }

  segmentOf(node: number): Uint8Array {
    const start = this.segmentStart[node]!;
    return this.arena.subarray(start, start + this.segmentLength[node]!);
  }

  private hashOf(
    parent: number,
    separator: number,
    bytes: Uint8Array,
    start: number,
    length: number,
  ): number {
    let hash = this.seed ^ Math.imul(parent, 0x9e3779b1) ^ (separator << 8) ^ length;
    const end = start + length;
    const fourths = end - (length & 3);
    let at = start;
    for (; at < fourths; at += 4) {
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ word, 0x85ebca77);
    }
    for (; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x27d4eb2f);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae3d);
    return hash ^ (hash >>> 13);
  }

  private hasSegment(node: number, bytes: Uint8Array, start: number, length: number): boolean {
    if (this.segmentLength[node] !== length) return false;
    const arena = this.arena;
    const from = this.segmentStart[node]!;
    for (let i = 0; i < length; i++) if (arena[from + i] !== bytes[start + i]) return false;
    return true;
  }

  private putInSlot(node: number): void {
    const mask = this.slots.length - 1;
    let slot = this.hash[node]! & mask;
    while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    this.slots[slot] = node;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2).fill(NONE);
    for (let node = 1; node < this.count; node++) this.putInSlot(node);
  }

  private grow(): void {
    this.parent = doubled(this.parent);
    this.hash = doubled(this.hash);
    this.separator = doubled(this.separator);
    this.segmentStart = doubled(this.segmentStart);
    this.segmentLength = doubled(this.segmentLength);
    this.rest = doubled(this.rest);
    this.children = doubled(this.children);
  }
}

type Column = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** The same values in an array twice as long. */
export function doubled<T extends Column>(column: T): T {
  const larger = new (column.constructor as new (length: number) => T)(column.length * 2);
  larger.set(column);
  return larger;
}
