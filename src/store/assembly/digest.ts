// What needs every byte of the key: its cluster slot and a seeded 64-bit hash, eight bytes a step.

import { hasBrace, key, length } from './key';

/** Source: redis/src/cluster.h CLUSTER_SLOTS, 7.2. */
const SLOT_MASK: u32 = 16383;
/** CRC16-CCITT, polynomial 0x1021, as XMODEM uses it. Source: redis/src/crc16.c, 7.2. */
const POLYNOMIAL: u32 = 0x1021;
const CRC = memory.data(8 * 256 * 2); // [zero bytes behind][byte] u16

export let slot: u32 = 0;
export let hash: u64 = 0;

let seed: u64 = 0;

export function initDigest(hashSeed: u64): void {
  seed = hashSeed;
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1;
    store<u16>(CRC + (byte << 1), crc);
  }
  for (let zeros: u32 = 1; zeros < 8; zeros++) {
    for (let byte: u32 = 0; byte < 256; byte++) {
      const before = entry(zeros - 1, byte);
      store<u16>(CRC + (((zeros << 8) | byte) << 1), ((before << 8) & 0xffff) ^ entry(0, before >> 8));
    }
  }
}

/** @param salt mixed into the hash: the same key of another db hashes differently */
export function digestKey(salt: u32): void {
  let state = seed ^ (<u64>salt * 0x9e3779b97f4a7c15) ^ <u64>length;
  let crc: u32 = 0;
  let at = key;
  let left = length;
  for (; left >= 8; left -= 8) {
    const word = load<u64>(at);
    state = rotl(state ^ word, 31) * 0xbf58476d1ce4e5b9;
    crc = crcStep(crc, word);
    at += 8;
  }
  if (left > 0) {
    const word = load<u64>(at) & (~(<u64>0) >> ((8 - left) << 3));
    state = rotl(state ^ word, 31) * 0xbf58476d1ce4e5b9;
    crc = crcTail(crc, at, left);
  }
  state = (state ^ (state >> 30)) * 0x94d049bb133111eb;
  hash = state ^ (state >> 31);
  slot = (hasBrace() ? taggedCrc(crc) : crc) & SLOT_MASK;
}

/** The CRC of the hash tag, between the first `{` and the next `}`; of the whole key when there is none or it is empty. */
function taggedCrc(whole: u32): u32 {
  const end = key + length;
  let open = key;
  while (open < end && load<u8>(open) !== 0x7b) open++;
  let close = open;
  while (close < end && load<u8>(close) !== 0x7d) close++;
  if (close >= end || close === open + 1) return whole;
  let crc: u32 = 0;
  let at = open + 1;
  let left = <i32>(close - at);
  for (; left >= 8; left -= 8) {
    crc = crcStep(crc, load<u64>(at));
    at += 8;
  }
  return crcTail(crc, at, left);
}

@inline
function crcStep(crc: u32, word: u64): u32 {
  return (
    entry(7, ((crc >> 8) ^ <u32>word) & 0xff) ^
    entry(6, (crc ^ <u32>(word >> 8)) & 0xff) ^
    entry(5, <u32>(word >> 16) & 0xff) ^
    entry(4, <u32>(word >> 24) & 0xff) ^
    entry(3, <u32>(word >> 32) & 0xff) ^
    entry(2, <u32>(word >> 40) & 0xff) ^
    entry(1, <u32>(word >> 48) & 0xff) ^
    entry(0, <u32>(word >> 56))
  );
}

/** Up to seven bytes, none of which waits for the one before it. */
@inline
function crcTail(crc: u32, at: usize, bytes: i32): u32 {
  if (bytes === 0) return crc;
  const last = bytes - 1;
  const first = entry(last, ((crc >> 8) ^ load<u8>(at)) & 0xff);
  if (last === 0) return first ^ ((crc << 8) & 0xffff);
  let tail = first ^ entry(last - 1, (crc ^ load<u8>(at, 1)) & 0xff);
  for (let i = 2; i < bytes; i++) tail ^= entry(last - i, load<u8>(at + i));
  return tail;
}

@inline
function entry(zeros: u32, byte: u32): u32 {
  return load<u16>(CRC + (((zeros << 8) | byte) << 1));
}
