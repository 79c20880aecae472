/** Fields of a hash template (opcode 242): how many, and the bytes of their names. */
export interface HashTemplate {
  readonly fields: number;
  readonly nameBytes: number;
}

/** Numbers of an entry: id, fields, bytes of names. */
const STRIDE = 3;
const FEWEST_PLACES = 64;
const MOST_TAKEN = 0.75;
/** Marks a free place; ids are never negative. */
const FREE = -1;

/** A snapshot's hash templates by id: open addressing over numbers, so that a million of them take 50 MB at most. */
export class HashTemplates {
  size = 0;
  private entries = new Float64Array(STRIDE * FEWEST_PLACES).fill(FREE);
  /** The one that was found last. */
  private readonly found = { fields: 0, nameBytes: 0 };

  set(id: number, { fields, nameBytes }: HashTemplate): void {
    if ((this.size + 1) * STRIDE > this.entries.length * MOST_TAKEN) this.grow();
    const at = this.placeOf(id);
    if (this.entries[at] === FREE) this.size++;
    this.entries[at] = id;
    this.entries[at + 1] = fields;
    this.entries[at + 2] = nameBytes;
  }

  /** Valid until the next call. */
  get(id: number): HashTemplate | undefined {
    const at = this.placeOf(id);
    if (this.entries[at] === FREE) return undefined;
    this.found.fields = this.entries[at + 1]!;
    this.found.nameBytes = this.entries[at + 2]!;
    return this.found;
  }

  /** Where the id is, or the free place where it belongs. */
  private placeOf(id: number): number {
    const { entries } = this;
    const places = entries.length / STRIDE;
    let place = Math.imul(id ^ (id / 2 ** 32), MIXER) >>> 0;
    for (place %= places; ; place = place + 1 === places ? 0 : place + 1) {
      const held = entries[place * STRIDE];
      if (held === id || held === FREE) return place * STRIDE;
    }
  }

  private grow(): void {
    const before = this.entries;
    this.entries = new Float64Array(before.length * 2).fill(FREE);
    for (let at = 0; at < before.length; at += STRIDE) {
      if (before[at] !== FREE) this.entries.set(before.subarray(at, at + STRIDE), this.placeOf(before[at]!));
    }
  }
}

/** An odd constant without a pattern. Source: xxhash.h XXH_PRIME32_1. */
const MIXER = 0x9e3779b1;
