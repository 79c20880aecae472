/** Registers of the estimate: 2^14, a standard error of 0.8 % of the count in 16 KiB. */
const REGISTER_BITS = 14;
const REGISTERS = 2 ** REGISTER_BITS;
/** Up to here values are told apart one by one and the count is exact. */
const EXACT_VALUES = 4096;
/** Source: Flajolet, Fusy, Gandouet, Meunier: HyperLogLog (2007), alpha for 128 registers and more. */
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

/** How many different values there are, in bounded memory: exactly up to 4,096 of them, then an estimate. Deterministic. */
export class DistinctEstimate {
  private exact: Set<number> | undefined = new Set();
  private registers: Uint8Array | undefined;

  /** @param bytes the value */
  add(bytes: Uint8Array): void {
    let high = 0x9e3779b9;
    let low = 0x85ebca6b;
    for (let i = 0; i < bytes.length; i++) {
      high = Math.imul(high ^ bytes[i]!, 0x01000193);
      low = Math.imul(low ^ bytes[i]!, 0xcc9e2d51);
      low ^= low >>> 15;
    }
    high = mixed(high ^ low);
    low = mixed(low ^ Math.imul(high, 0x27d4eb2f));
    // 53 bits identify a value well enough: two of 4,096 meet with a chance of 10^-9.
    if (this.exact !== undefined) {
      this.exact.add((high >>> 11) * 2 ** 32 + (low >>> 0));
      if (this.exact.size <= EXACT_VALUES) return;
      this.registers = new Uint8Array(REGISTERS);
      for (const value of this.exact) this.count(Math.floor(value / 2 ** 32) << 11, (value % 2 ** 32) | 0);
      this.exact = undefined;
      return;
    }
    this.count(high & ~0x7ff, low);
  }

  get value(): number {
    if (this.exact !== undefined) return this.exact.size;
    let sum = 0;
    let empty = 0;
    for (const rank of this.registers!) {
      sum += 2 ** -rank;
      if (rank === 0) empty++;
    }
    const estimate = (ALPHA * REGISTERS * REGISTERS) / sum;
    const small = estimate <= 2.5 * REGISTERS && empty > 0;
    return Math.round(small ? REGISTERS * Math.log(REGISTERS / empty) : estimate);
  }

  /** The register is told by the high half's top bits, the rank by the low half's leading zeros. */
  private count(high: number, low: number): void {
    const register = high >>> (32 - REGISTER_BITS);
    const rank = Math.clz32(low) + 1;
    const registers = this.registers!;
    if (rank > registers[register]!) registers[register] = rank;
  }
}

/** Source: MurmurHash3, fmix32 (A. Appleby, public domain). */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
