import type { RaxShape } from './rax.js';

/** Ids kept at most: 1.5 MiB. A stream with more pending entries gets an estimate for the trees that need them sorted. */
const KEPT_IDS = 2 ** 16;

/** Bytes of a pending entry's delivery time and id, as one key in byte order. */
const TIME_BYTES = 8;
const ID_BYTES = 16;
const ENTRY_BYTES = TIME_BYTES + ID_BYTES;

/** Pending entries kept for trees that hold them in another order than they arrive in. */
export class PendingIds {
  /** Entries told, kept or not. */
  told = 0;
  private kept = 0;
  private bytes: Uint8Array = new Uint8Array(64 * ENTRY_BYTES);

  reset(): void {
    this.told = 0;
    this.kept = 0;
  }

  /** A 16-byte id, then the delivery time as 8 bytes, little-endian. */
  add(buffer: Uint8Array, at: number): void {
    this.told++;
    if (this.kept === KEPT_IDS) return;
    const start = this.kept * ENTRY_BYTES;
    if (start === this.bytes.length) {
      const grown = new Uint8Array(this.bytes.length * 2);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    for (let i = 0; i < TIME_BYTES; i++) this.bytes[start + i] = buffer[at + ID_BYTES + TIME_BYTES - 1 - i]!;
    for (let i = 0; i < ID_BYTES; i++) this.bytes[start + TIME_BYTES + i] = buffer[at + i]!;
    this.kept++;
  }

  /** Whether nothing had to be left out. */
  get complete(): boolean {
    return this.kept === this.told;
  }

  /** Fills `tree` with the ids kept, each once. */
  fillById(tree: RaxShape): void {
    this.fill(tree, TIME_BYTES, ID_BYTES, 0);
  }

  /** Fills `tree` with time and id of the entries kept since the `from`th. */
  fillByTime(tree: RaxShape, from: number): void {
    this.fill(tree, 0, ENTRY_BYTES, from);
  }

  private fill(tree: RaxShape, keyAt: number, keyBytes: number, from: number): void {
    const { bytes } = this;
    const order = Uint32Array.from({ length: Math.max(0, this.kept - from) }, (_, i) => from + i);
    order.sort((a, b) => {
      const left = a * ENTRY_BYTES + keyAt;
      const right = b * ENTRY_BYTES + keyAt;
      for (let i = 0; i < keyBytes; i++) {
        const difference = bytes[left + i]! - bytes[right + i]!;
        if (difference !== 0) return difference;
      }
      return 0;
    });
    tree.reset();
    for (const index of order) tree.add(bytes, index * ENTRY_BYTES + keyAt, keyBytes);
    tree.finish();
  }
}
