/** Which malloc the server was built with: decides how a request is rounded up. */
export type AllocatorName = 'jemalloc' | 'jemalloc-q16' | 'libc';

export const ALLOCATOR_NAMES: readonly AllocatorName[] = ['jemalloc', 'jemalloc-q16', 'libc'];

const TABLED_BYTES = 4096;

/** Rounds requests up to what the allocator really hands out. One instance per profile, with a table for small ones. */
export class Allocator {
  readonly name: AllocatorName;
  private readonly small = new Uint16Array(TABLED_BYTES + 1);
  private readonly classOf: (bytes: number) => number;

  constructor(name: AllocatorName, wordBytes: number) {
    this.name = name;
    this.classOf =
      name === 'libc' ? (bytes) => libcUsableBytes(bytes, wordBytes) : jemallocClasses(QUANTUM_BYTES[name]);
    for (let bytes = 0; bytes <= TABLED_BYTES; bytes++) this.small[bytes] = this.classOf(bytes);
  }

  /** Bytes of the block that a request of `bytes` (an integer ≥ 0) gets, as malloc_usable_size would say. */
  usable(bytes: number): number {
    return bytes <= TABLED_BYTES ? this.small[bytes]! : this.classOf(bytes);
  }
}

/**
 * Smallest step between size classes. 8 for the copy in the servers' source trees (deps/Makefile,
 * `--with-lg-quantum=3`, Redis 2.4 to 8 and Valkey), 16 for a distribution's own library (jemalloc 5, quantum.h, x86-64).
 */
const QUANTUM_BYTES = { jemalloc: 8, 'jemalloc-q16': 16 } as const;

/** Below it classes are one quantum apart; above, four to a doubling. Source: jemalloc 5.3 sz.h, `sz_s2u_compute`. */
const FIRST_DOUBLING_BYTES = 64;

function jemallocClasses(quantum: number): (bytes: number) => number {
  return (bytes) => {
    if (bytes <= 8) return 8;
    if (bytes <= FIRST_DOUBLING_BYTES) return Math.ceil(bytes / quantum) * quantum;
    const step = 2 ** (floorLog2(bytes - 1) - 2);
    return Math.ceil(bytes / step) * step;
  };
}

/**
 * glibc: a chunk is the request plus one size word, a multiple of 16, at least four words; its size word is not usable.
 * Source: glibc 2.36 malloc.c, `request2size`, `musable`; blocks big enough for mmap are rounded to pages there, not here.
 */
function libcUsableBytes(bytes: number, wordBytes: number): number {
  const smallest = 4 * wordBytes;
  return Math.max(smallest, Math.ceil((bytes + wordBytes) / 16) * 16) - wordBytes;
}

/** @param value an integer ≥ 1, exact up to 2^53 */
function floorLog2(value: number): number {
  return value < 2 ** 31 ? 31 - Math.clz32(value) : 31 + floorLog2(Math.floor(value / 2 ** 31));
}
