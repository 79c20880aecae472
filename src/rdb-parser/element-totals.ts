/** Sums over a value's elements as they pass; reused for every key. */
export class ElementTotals {
  /** Sum of the elements' lengths. */
  payload = 0;
  longest = 0;

  clear(): void {
    this.payload = 0;
    this.longest = 0;
  }

  add(length: number): void {
    this.payload += length;
    if (length > this.longest) this.longest = length;
  }

  /** `count` elements of one length. */
  addMany(length: number, count: number): void {
    this.payload += length * count;
    if (length > this.longest) this.longest = length;
  }
}
