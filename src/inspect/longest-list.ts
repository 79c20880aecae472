/** The longest of any number of things: keeps `most` of them, and copies only what gets in. */
export class LongestList<Entry> {
  private readonly entries: { readonly length: number; readonly order: number; readonly entry: Entry }[] = [];
  private readonly most: number;
  private seen = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** @param make called only when the thing belongs to the longest so far; of equal ones the first stays */
  offer(length: number, make: () => Entry): void {
    const order = this.seen++;
    if (
      this.entries.length >= this.most &&
      length <= (this.entries.at(-1)?.length ?? Number.POSITIVE_INFINITY)
    )
      return;
    let at = this.entries.length;
    while (at > 0 && this.entries[at - 1]!.length < length) at--;
    this.entries.splice(at, 0, { length, order, entry: make() });
    if (this.entries.length > this.most) this.entries.pop();
  }

  /** Longest first. */
  list(): Entry[] {
    return this.entries.map(({ entry }) => entry);
  }
}
