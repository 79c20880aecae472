/**
 * XXH32 over bytes that come in pieces, seed 0: the checksum of LZ4 frames.
 * Source: xxHash specification 0.1.1, section "XXH32".
 */
export class XxHash32 {
  #a = (PRIME_1 + PRIME_2) | 0;
  #b = PRIME_2;
  #c = 0;
  #d = -PRIME_1 | 0;
  #total = 0;
  readonly #held = new Uint8Array(STRIPE_BYTES);
  #heldLength = 0;

  update(bytes: Uint8Array): void {
    this.#total += bytes.length;
    let at = 0;
    if (this.#heldLength > 0) {
      at = Math.min(STRIPE_BYTES - this.#heldLength, bytes.length);
      this.#held.set(bytes.subarray(0, at), this.#heldLength);
      this.#heldLength += at;
      if (this.#heldLength < STRIPE_BYTES) return;
      this.#stripes(this.#held, 0, STRIPE_BYTES);
      this.#heldLength = 0;
    }
    const whole = at + Math.floor((bytes.length - at) / STRIPE_BYTES) * STRIPE_BYTES;
    this.#stripes(bytes, at, whole);
    this.#held.set(bytes.subarray(whole));
    this.#heldLength = bytes.length - whole;
  }

  /** The hash as an unsigned 32-bit number. */
  digest(): number {
    let hash =
      this.#total >= STRIPE_BYTES
        ? rotate(this.#a, 1) + rotate(this.#b, 7) + rotate(this.#c, 12) + rotate(this.#d, 18)
        : PRIME_5;
    hash = (hash + this.#total) | 0;
    let at = 0;
    for (; at + 4 <= this.#heldLength; at += 4) {
      hash = Math.imul(rotate(hash + Math.imul(word(this.#held, at), PRIME_3), 17), PRIME_4);
    }
    for (; at < this.#heldLength; at++) {
      hash = Math.imul(rotate(hash + Math.imul(this.#held[at]!, PRIME_5), 11), PRIME_1);
    }
    hash = Math.imul(hash ^ (hash >>> 15), PRIME_2);
    hash = Math.imul(hash ^ (hash >>> 13), PRIME_3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }

  #stripes(bytes: Uint8Array, start: number, end: number): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let at = start; at < end; at += STRIPE_BYTES) {
      a = round(a, word(bytes, at));
      b = round(b, word(bytes, at + 4));
      c = round(c, word(bytes, at + 8));
      d = round(d, word(bytes, at + 12));
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }
}

/** The hash of one piece. */
export function xxHash32(bytes: Uint8Array): number {
  const hash = new XxHash32();
  hash.update(bytes);
  return hash.digest();
}

const STRIPE_BYTES = 16;
const PRIME_1 = 0x9e3779b1 | 0;
const PRIME_2 = 0x85ebca77 | 0;
const PRIME_3 = 0xc2b2ae3d | 0;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;

function round(lane: number, input: number): number {
  return Math.imul(rotate((lane + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}
