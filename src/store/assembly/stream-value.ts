// A stream of one node and no consumer group: all else is the decoder's. Source of the layout: redis/src/rdb.c
// rdbSaveObject, OBJ_STREAM, 7.2.

import { bytes, HEAD_BYTES, INTEGER, logical, OTHER, readHead, readLength, stored } from './string-head';

/** A node's id, behind the byte that tells its length. */
const ID_BYTES: u32 = 16;
/** Most bytes of a number in length form. */
const NUMBER_BYTES: usize = 9;
const FORM_64_BIT: u32 = 0x81;
/** From version 2 on: the first id, the highest one deleted, how many were added. */
const MORE_NUMBERS: i32 = 5;
/** Length, last id, those numbers, groups. */
const NUMBERS: usize = 9;

// Of the stream read last: the node's head is the one that string-head.ts read last but for `bytes`.
export let nodeForm: i32 = 0;
export let nodeAt: usize = 0;
export let nodeStored: u32 = 0;
export let nodeBytes: u32 = 0;
export let entries: u64 = 0;
export let lastMs: u64 = 0;
export let lastSeq: u64 = 0;

let number: u64 = 0;
let behind: usize = 0;

/** Reads the stream whose count of nodes is at an address; returns where what is behind it begins, or 0. */
export function readStream(from: usize, end: usize, hasMoreNumbers: bool): usize {
  if (end - from <= 2 + ID_BYTES + HEAD_BYTES) return 0;
  if (load<u8>(from) !== 1 || load<u8>(from, 1) !== <u8>ID_BYTES) return 0;
  nodeForm = readHead(from + 2 + ID_BYTES);
  if (nodeForm === OTHER || nodeForm === INTEGER) return 0;
  nodeAt = bytes;
  nodeStored = stored;
  nodeBytes = logical;
  if (nodeAt >= end || nodeStored >= <u32>(end - nodeAt)) return 0;
  behind = nodeAt + nodeStored;
  if (end - behind <= NUMBERS * NUMBER_BYTES) return 0;
  if (!readNumber()) return 0;
  entries = number;
  if (!readNumber()) return 0;
  lastMs = number;
  if (!readNumber()) return 0;
  lastSeq = number;
  const more = hasMoreNumbers ? MORE_NUMBERS : 0;
  for (let i = 0; i < more; i++) if (!readNumber()) return 0;
  // groups
  return readNumber() && number === 0 ? behind : 0;
}

/** Reads a number of up to 64 bits in length form. */
function readNumber(): bool {
  if (<u32>load<u8>(behind) === FORM_64_BIT) {
    number = bswap<u64>(load<u64>(behind, 1));
    behind += NUMBER_BYTES;
    return true;
  }
  if (!readLength(behind)) return false;
  number = stored;
  behind = bytes;
  return true;
}
