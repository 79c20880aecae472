/** Slots of a cluster. Source: redis/src/cluster.h CLUSTER_SLOTS, 7.2. */
export const SLOTS = 16384;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * The slot that a cluster keeps a key in; the core computes the same for each key of a load.
 * Source: redis/src/cluster.c keyHashSlot, 7.2.
 */
export function hashSlot(key: Uint8Array): number {
  const range = hashTagRange(key, 0, key.length);
  return (range === undefined ? crc16(key, 0, key.length) : crc16(key, ...range)) & (SLOTS - 1);
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

function findByte(bytes: Uint8Array, byte: number, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0;
  for (let at = start; at < end; at++) crc = ((crc << 8) & 0xffff) ^ CRC[(crc >> 8) ^ bytes[at]!]!;
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

const CRC = crcTable();
