/**
 * A 64-bit digest of bytes, in the two fields; reused. Not for keeping: seeds differ from run to run, so that nobody
 * can make a snapshot whose digests collide.
 */
export class Digest {
  high = 0;
  low = 0;
  private readonly seedHigh: number;
  private readonly seedLow: number;

  constructor(seed: readonly [number, number] = [randomWord(), randomWord()]) {
    [this.seedHigh, this.seedLow] = seed;
  }

  /** Starts over. @param salt sets things apart whose bytes may be the same */
  start(salt: number): void {
    this.high = this.seedHigh ^ Math.imul(salt, GOLDEN);
    this.low = this.seedLow ^ salt;
  }

  add(bytes: Uint8Array, at: number, length: number): void {
    let { high, low } = this;
    const end = at + length;
    const fourths = at + (length & ~3);
    let i = at;
    for (; i < fourths; i += 4) {
      const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
      high = Math.imul(((high << 13) | (high >>> 19)) ^ word, GOLDEN);
      low = Math.imul(((low << 17) | (low >>> 15)) + word, PRIME_2);
    }
    for (; i < end; i++) {
      high = Math.imul(high ^ bytes[i]!, PRIME_2);
      low = Math.imul((low + bytes[i]!) | 0, PRIME_3);
    }
    this.high = high;
    this.low = low;
  }

  addWord(word: number): void {
    this.high = Math.imul(((this.high << 13) | (this.high >>> 19)) ^ word, GOLDEN);
    this.low = Math.imul(((this.low << 17) | (this.low >>> 15)) + word, PRIME_2);
  }

  /** Spreads every bit over both halves; the digest is complete. */
  finish(): void {
    let { high, low } = this;
    high ^= (low >>> 15) | (low << 17);
    high = Math.imul(high ^ (high >>> 16), PRIME_2);
    low = Math.imul(low ^ (high >>> 13), PRIME_3);
    this.high = high ^ (low >>> 16);
    this.low = low ^ (this.high >>> 15);
  }
}

/** Odd constants without a pattern. Source: xxhash.h XXH_PRIME32_1 .. 3. */
const GOLDEN = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;

function randomWord(): number {
  return (Math.random() * 2 ** 32) | 0;
}
