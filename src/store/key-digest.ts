/** Slots of a cluster. Source: redis/src/cluster.h CLUSTER_SLOT_MASK_BITS, 7.2. */
export const SLOTS = 16384;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Two things that need every byte of a key, computed in one pass, four bytes a step: its cluster slot and a seeded
 * 64-bit hash. Reused; the results stand in the fields.
 */
export class KeyDigest {
  slot = 0;
  /** The hash's halves, as signed 32-bit integers. */
  high = 0;
  low = 0;

  private readonly seedHigh: number;
  private readonly seedLow: number;

  /** @param seed two 32-bit integers that nobody who makes snapshots can know */
  constructor(seed: readonly [number, number]) {
    [this.seedHigh, this.seedLow] = seed;
  }

  /**
   * Digests `bytes[start .. start + length)`.
   * @param salt mixed into the hash, so that the same key of another db hashes differently
   * @param mayHaveTag false when the caller knows that there is no opening brace
   */
  of(bytes: Uint8Array, start: number, length: number, salt: number, mayHaveTag: boolean): void {
    const end = start + length;
    const fourths = start + (length & ~3);
    let a = this.seedHigh ^ Math.imul(salt, 0x27d4eb2f);
    let b = this.seedLow ^ length;
    let crc = 0;
    let at = start;
    // Multipliers: the primes of xxHash32 (XXH_PRIME32_1..5).
    for (; at < fourths; at += 4) {
      const byte0 = bytes[at]!;
      const byte1 = bytes[at + 1]!;
      const byte2 = bytes[at + 2]!;
      const byte3 = bytes[at + 3]!;
      crc = CRC_3[(crc >> 8) ^ byte0]! ^ CRC_2[(crc & 0xff) ^ byte1]! ^ CRC_1[byte2]! ^ CRC_0[byte3]!;
      const word = byte0 | (byte1 << 8) | (byte2 << 16) | (byte3 << 24);
      a = Math.imul(((a << 13) | (a >>> 19)) ^ word, 0x9e3779b1);
      b = Math.imul(((b << 17) | (b >>> 15)) + word, 0x85ebca77);
    }
    let tail = 0;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      crc = ((crc << 8) & 0xffff) ^ CRC_0[(crc >> 8) ^ byte]!;
      tail = (tail << 8) | byte;
    }
    a = Math.imul(a ^ tail, 0xc2b2ae3d);
    b = Math.imul((b + tail) | 0, 0x165667b1);
    a ^= (b >>> 15) | (b << 17);
    a = Math.imul(a ^ (a >>> 16), 0x85ebca77);
    b = Math.imul(b ^ (a >>> 13), 0xc2b2ae3d);
    this.high = a ^ (b >>> 16);
    this.low = b ^ (a >>> 15);
    this.slot = (mayHaveTag ? taggedCrc(bytes, start, end, crc) : crc) & (SLOTS - 1);
  }
}

/** The slot that a cluster keeps a key in. Source: redis/src/cluster.c keyHashSlot, 7.2. */
export function hashSlot(key: Uint8Array): number {
  return taggedCrc(key, 0, key.length, crc16(key, 0, key.length)) & (SLOTS - 1);
}

/**
 * Where a key's hash tag stands: `[start, end)` between the first `{` and the next `}`; undefined when there is none
 * or it is empty, so that the whole key is hashed.
 */
export function hashTagRange(
  bytes: Uint8Array,
  start: number,
  end: number,
): readonly [start: number, end: number] | undefined {
  const open = findByte(bytes, OPEN_BRACE, start, end);
  const close = findByte(bytes, CLOSE_BRACE, open, end);
  return close >= end || close === open + 1 ? undefined : [open + 1, close];
}

function taggedCrc(bytes: Uint8Array, start: number, end: number, wholeCrc: number): number {
  const open = findByte(bytes, OPEN_BRACE, start, end);
  const close = findByte(bytes, CLOSE_BRACE, open, end);
  return close >= end || close === open + 1 ? wholeCrc : crc16(bytes, open + 1, close);
}

function findByte(bytes: Uint8Array, byte: number, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = ((crc << 8) & 0xffff) ^ CRC_0[(crc >> 8) ^ bytes[at]!]!;
  return crc;
}

/** CRC16-CCITT, polynomial 0x1021, as XMODEM uses it. Source: redis/src/crc16.c, 7.2. */
function crcTable(): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) !== 0 ? (crc << 1) ^ 0x1021 : crc << 1;
    return crc & 0xffff;
  });
}

/** The table for a byte with one more zero byte behind it. */
function shifted(table: Uint16Array): Uint16Array {
  return table.map((crc) => ((crc << 8) & 0xffff) ^ CRC_0[crc >> 8]!);
}

const CRC_0 = crcTable();
const CRC_1 = shifted(CRC_0);
const CRC_2 = shifted(CRC_1);
const CRC_3 = shifted(CRC_2);
