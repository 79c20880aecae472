// CRC-64 "Jones", reflected, as the server's crc64.c (Redis 7.2, `crc64_init`, `_crc64`): initial value 0, no final XOR.
// Compiled by AssemblyScript; part of crc64-module.ts, and of whatever holds a decoder's window.
//
// A byte of the message may be taken away when the same byte is XORed into the places that the terms of a multiple of the
// polynomial name: the remainder stays the same. With a multiple of six terms that is five loads for sixteen bytes, in
// place of nine for eight with tables; tables are for the last REACH bytes only, when the checksum is asked for. The
// decision record on the checksum tells how such a multiple is found.

const POLYNOMIAL: u64 = 0x95ac9329ac4bc9b5; // 0xad93d23594c935a9 with its bits reversed

// How many bytes behind itself a byte goes: 1 + x^(8 * FIFTH - 8 * FIRST) + ... + x^(8 * FIFTH) is a multiple.
const FIRST: usize = 37005;
const SECOND: usize = 40640;
const THIRD: usize = 50522;
const FOURTH: usize = 57678;
const FIFTH: usize = 65514;

/** Bytes of the message that a later byte may depend on: FIFTH, rounded up to blocks. */
const REACH: usize = 1 << 16;
/** Bytes that are worked on before those in reach are moved to the front. */
const STRETCH: usize = 1 << 17;
const BLOCK: usize = 64;

/** The message with all bytes taken away that it has room for: REACH bytes of before, then the stretch. */
const REDUCED = memory.data(<i32>REACH + <i32>STRETCH, 64);
/** REACH zeros, then what the checksum is computed of. */
const LAST = memory.data(2 * <i32>REACH, 64);

/** Bytes of the stretch that are filled. */
let filled: usize = 0;
/** The checksum that the message goes on from, without the bytes that have gone into the message. */
let carried: u64 = 0;
let carriedBytes: i32 = 0;

const SLICES: i32 = 8;
const TABLES = memory.data(8 * 256 * 8); // [slice][byte] u64

/** Makes the tables; once. */
export function initChecksum(): void {
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
}

/** Begins a message that goes on after bytes whose checksum is known. */
export function startChecksum(before: u64): void {
  memory.fill(REDUCED, 0, REACH);
  filled = 0;
  carried = before;
  carriedBytes = 8;
}

/** Takes in bytes of the message, wherever they stand. */
export function addToChecksum(address: usize, bytes: i32): void {
  let p = address;
  const end = p + bytes;
  // A checksum before the message is the same as its bytes XORed into the message's first.
  while (carriedBytes > 0 && p < end) {
    reduceByte(load<u8>(p) ^ <u8>carried);
    carried >>= 8;
    carriedBytes--;
    p++;
  }
  while (p < end) {
    const stop = p + min<usize>(STRETCH - filled, end - p);
    p = reduceBlocks(p, stop);
    while (p < stop) {
      reduceByte(load<u8>(p));
      p++;
    }
    if (filled === STRETCH) makeRoom();
  }
}

/** The checksum of the message so far, which may go on. */
export function checksum(): u64 {
  // Bytes in the last REACH were XORed into the message where it may yet come: undone, so that the message ends here.
  const start = REDUCED + filled;
  memory.copy(LAST + REACH, start, REACH);
  for (let at = LAST + 2 * REACH - 16; at >= LAST + REACH; at -= 16) v128.store(at, reduced(at, v128.load(at)));
  return tableChecksum(LAST + REACH, LAST + 2 * REACH) ^ carried;
}

/** Takes away whole blocks of what stands before `stop`; returns where it has come to. */
function reduceBlocks(from: usize, stop: usize): usize {
  let p = from;
  let at = REDUCED + REACH + filled;
  while (stop - p >= BLOCK) {
    v128.store(at, reduced(at, v128.load(p)));
    v128.store(at, reduced(at + 16, v128.load(p, 16)), 16);
    v128.store(at, reduced(at + 32, v128.load(p, 32)), 32);
    v128.store(at, reduced(at + 48, v128.load(p, 48)), 48);
    p += BLOCK;
    at += BLOCK;
  }
  filled = at - REDUCED - REACH;
  return p;
}

function reduceByte(byte: u8): void {
  const at = REDUCED + REACH + filled;
  store<u8>(
    at,
    byte ^
      load<u8>(at - FIRST) ^
      load<u8>(at - SECOND) ^
      load<u8>(at - THIRD) ^
      load<u8>(at - FOURTH) ^
      load<u8>(at - FIFTH),
  );
  filled++;
  if (filled === STRETCH) makeRoom();
}

/** Sixteen bytes, with those XORed into them that are sent to `at`. */
@inline
function reduced(at: usize, bytes: v128): v128 {
  return v128.xor(
    v128.xor(v128.xor(bytes, v128.load(at - FIRST)), v128.xor(v128.load(at - SECOND), v128.load(at - THIRD))),
    v128.xor(v128.load(at - FOURTH), v128.load(at - FIFTH)),
  );
}

function makeRoom(): void {
  memory.copy(REDUCED, REDUCED + STRETCH, REACH);
  filled = 0;
}

/** Slicing by 8. */
function tableChecksum(from: usize, end: usize): u64 {
  let crc: u64 = 0;
  for (let p = from; p < end; p += 8) {
    const low = crc ^ load<u64>(p);
    crc =
      entry(7, low & 0xff) ^
      entry(6, (low >> 8) & 0xff) ^
      entry(5, (low >> 16) & 0xff) ^
      entry(4, (low >> 24) & 0xff) ^
      entry(3, (low >> 32) & 0xff) ^
      entry(2, (low >> 40) & 0xff) ^
      entry(1, (low >> 48) & 0xff) ^
      entry(0, low >> 56);
  }
  return crc;
}

@inline
function entry(slice: i32, byte: u64): u64 {
  return load<u64>(TABLES + (slice << 11) + (<i32>byte << 3));
}
