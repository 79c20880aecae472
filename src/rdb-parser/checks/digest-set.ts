/** Places of the smallest table; a power of two, like all sizes here. */
const FEWEST_PLACES = 64;
/** Tables are doubled when more of their places are taken than this share. */
const MOST_TAKEN = 0.75;

/**
 * 64-bit digests by open addressing, in bounded memory. When there is no more room it goes on with half of all
 * digests, then a quarter, and so on: `share` says which part of them is looked at.
 */
export class DigestSet {
  /** Part of all digests that is looked at: 1, 1/2, 1/4, ... */
  share = 1;
  /** Of the full size from the start: the system gives memory only as places are used. */
  private readonly places: Uint32Array;
  private mask = FEWEST_PLACES - 1;
  private count = 0;
  /** Digests with one of these bits in their low half are left out. */
  private leftOut = 0;
  private readonly mostPlaces: number;

  /** @param mostPlaces a power of two; each takes 8 bytes */
  constructor(mostPlaces: number) {
    this.mostPlaces = mostPlaces;
    this.places = new Uint32Array(2 * mostPlaces);
  }

  /** Forgets all digests and makes room for `expected` ones, which is a hint. */
  clear(expected: number): void {
    let wanted = FEWEST_PLACES;
    while (wanted < this.mostPlaces && wanted * MOST_TAKEN <= expected) wanted *= 2;
    this.places.fill(0, 0, 2 * wanted);
    this.mask = wanted - 1;
    this.count = this.leftOut = 0;
    this.share = 1;
  }

  /** Takes a digest in; true when it was there already. */
  add(high: number, low: number): boolean {
    if ((low & this.leftOut) !== 0) return false;
    if (this.count >= (this.mask + 1) * MOST_TAKEN) {
      this.makeRoom();
      if ((low & this.leftOut) !== 0) return false;
    }
    if (!this.put(high >>> 0, low >>> 0)) return true;
    this.count++;
    return false;
  }

  /** False when the digest is there. No digest is all zeros: that marks a free place. */
  private put(high: number, low: number): boolean {
    const { places, mask } = this;
    const marked = low === 0 && high === 0 ? 1 : low;
    for (let place = high & mask; ; place = (place + 1) & mask) {
      const heldHigh = places[2 * place]!;
      const heldLow = places[2 * place + 1]!;
      if (heldHigh === high && heldLow === marked) return false;
      if (heldHigh === 0 && heldLow === 0) {
        places[2 * place] = high;
        places[2 * place + 1] = marked;
        return true;
      }
    }
  }

  private makeRoom(): void {
    const before = copied(this.places, 2 * (this.mask + 1));
    if (this.mask + 1 < this.mostPlaces) this.mask = 2 * this.mask + 1;
    else {
      this.leftOut = (this.leftOut << 1) | 1;
      this.share /= 2;
    }
    this.places.fill(0, 0, 2 * (this.mask + 1));
    this.count = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [high, low] = [before[at]!, before[at + 1]!];
      if ((high !== 0 || low !== 0) && (low & this.leftOut) === 0 && this.put(high, low)) this.count++;
    }
  }
}

let scratch = new Uint32Array(0);

/** The first numbers of a table, in memory that all tables share. */
function copied(numbers: Uint32Array, count: number): Uint32Array {
  if (scratch.length < count) scratch = new Uint32Array(count);
  scratch.set(numbers.subarray(0, count));
  return scratch.subarray(0, count);
}
