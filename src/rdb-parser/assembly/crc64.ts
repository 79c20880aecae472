// CRC-64 "Jones", reflected, as the server's crc64.c (Redis 7.2, `crc64_init`, `_crc64`): initial value 0, no final XOR.
// Compiled by AssemblyScript. Slicing by 8; long inputs go through four lanes at once, whose checksums are joined by
// a table that shifts a checksum over one lane's length of zero bytes.

const POLYNOMIAL: u64 = 0x95ac9329ac4bc9b5; // 0xad93d23594c935a9 with its bits reversed
const SLICES: i32 = 8;
const LANE: usize = 2 << 10; // bytes of a lane in one round; a multiple of 8
const LANES: usize = 4;

const TABLES = memory.data(8 * 256 * 8); // [slice][byte] u64
const SHIFT = memory.data(8 * 256 * 8); // [byte position][byte] u64: that byte's part, LANE zero bytes later

/** Where the caller puts bytes, and how many fit. */
export const INPUT_BYTES: i32 = 1 << 20;
const INPUT = memory.data(1 << 20, 16);
export function inputAddress(): i32 {
  return <i32>INPUT;
}

export function init(): void {
  for (let i = 0; i < 256; i++) {
    let crc = <u64>i;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
    store<u64>(TABLES + (i << 3), crc);
  }
  for (let slice = 1; slice < SLICES; slice++) {
    for (let i = 0; i < 256; i++) {
      const before = load<u64>(TABLES + (((slice - 1) << 8) << 3) + (i << 3));
      store<u64>(TABLES + ((slice << 8) << 3) + (i << 3), (before >> 8) ^ entry(0, before & 0xff));
    }
  }
  // The shift is linear: work it out for the 64 single bits, then XOR them together per byte value.
  for (let position = 0; position < 8; position++) {
    const base = SHIFT + ((position << 8) << 3);
    store<u64>(base, 0);
    for (let bit = 0; bit < 8; bit++) {
      let crc = (<u64>1) << (position * 8 + bit);
      for (let i: usize = 0; i < LANE; i++) crc = (crc >> 8) ^ entry(0, crc & 0xff);
      const span = 1 << bit;
      for (let i = 0; i < span; i++) {
        store<u64>(base + ((span + i) << 3), load<u64>(base + (i << 3)) ^ crc);
      }
    }
  }
}

/** The checksum after `length` bytes of the input area that start `from` bytes into it. */
export function update(crc: u64, from: i32, length: i32): u64 {
  let p = INPUT + from;
  const end = p + length;
  while (end - p >= LANE * LANES) {
    let a = crc;
    let b: u64 = 0;
    let c: u64 = 0;
    let d: u64 = 0;
    const laneEnd = p + LANE;
    while (p < laneEnd) {
      a = step8(a, p);
      b = step8(b, p + LANE);
      c = step8(c, p + 2 * LANE);
      d = step8(d, p + 3 * LANE);
      p += 8;
    }
    crc = shift(shift(shift(a) ^ b) ^ c) ^ d;
    p += LANE * (LANES - 1);
  }
  while (end - p >= 8) {
    crc = step8(crc, p);
    p += 8;
  }
  while (p < end) {
    crc = (crc >> 8) ^ entry(0, (crc ^ load<u8>(p)) & 0xff);
    p++;
  }
  return crc;
}

@inline
function entry(slice: i32, byte: u64): u64 {
  return load<u64>(TABLES + (slice << 11) + (<i32>byte << 3));
}

@inline
function step8(crc: u64, p: usize): u64 {
  const low = crc ^ load<u64>(p);
  return (
    entry(7, low & 0xff) ^
    entry(6, (low >> 8) & 0xff) ^
    entry(5, (low >> 16) & 0xff) ^
    entry(4, (low >> 24) & 0xff) ^
    entry(3, (low >> 32) & 0xff) ^
    entry(2, (low >> 40) & 0xff) ^
    entry(1, (low >> 48) & 0xff) ^
    entry(0, low >> 56)
  );
}
@inline
function shift(crc: u64): u64 {
  return (
    shiftEntry(0, crc & 0xff) ^
    shiftEntry(1, (crc >> 8) & 0xff) ^
    shiftEntry(2, (crc >> 16) & 0xff) ^
    shiftEntry(3, (crc >> 24) & 0xff) ^
    shiftEntry(4, (crc >> 32) & 0xff) ^
    shiftEntry(5, (crc >> 40) & 0xff) ^
    shiftEntry(6, (crc >> 48) & 0xff) ^
    shiftEntry(7, crc >> 56)
  );
}

@inline
function shiftEntry(position: i32, byte: u64): u64 {
  return load<u64>(SHIFT + (position << 11) + (<i32>byte << 3));
}
