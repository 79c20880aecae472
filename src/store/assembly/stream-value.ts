// A stream: its nodes, ids and consumer groups, with what they take by the costs that the memory model told once. What
// has no such costs, is damaged or only rare is the decoder's. Source of the layout: redis/src/rdb.c rdbSaveObject,
// OBJ_STREAM, 7.2.

import { announcedElements, LISTPACK } from './blob-head';
import { MAX_TABLED_BYTES, usable } from './blocks';
import { reserve } from './memory';
import {
  addToTree,
  finishTree,
  isTreeBroken,
  setWord,
  startTree,
  treeKeys,
  treeNodeBytes,
  treeNodes,
} from './rax';
import { bytes, HEAD_BYTES, INTEGER, logical, OTHER, RAW, readHead, readLength, stored } from './string-head';

const UNKNOWN: f64 = -1;

/** An id's bytes; they stand behind a byte that tells how many they are. */
const ID_BYTES: usize = 16;
/** Most bytes of a number in length form. */
const NUMBER_BYTES: usize = 9;
const FORM_64_BIT: u32 = 0x81;
/** A consumer's times, and when a pending entry was delivered. */
const TIME_BYTES: usize = 8;

/** From version 2 on: the first id, the highest one deleted, how many were added; and what a group has read. */
const MORE_NUMBERS_VERSION: i32 = 2;
const MORE_NUMBERS: i32 = 5;
/** From version 3 on: when a consumer was active. */
const ACTIVE_TIME_VERSION: i32 = 3;

// Groups that were read, for their table. Of each: the row, the last id's halves, consumers, pending entries, the oldest
// one's time, the name's length, the name. As in stream-groups.ts of the folder above.
const GROUPS_BYTES: usize = 64 << 10;
const GROUP_BYTES: usize = 56;
/** Names of groups and consumers up to there; longer ones are the decoder's. */
const LONGEST_NAME: u32 = 256;

let groupsStart: usize = 0;
/** Behind the groups of the records that were taken, and of the one at hand. */
let groupsTaken: usize = 0;
let groupsEnd: usize = 0;

// Of the server, see StreamCosts of the memory model.
let isCosted: bool = false;
let hasGroupCosts: bool = false;
let countsUsable: bool = false;
let ownBytes: f64 = 0;
let groupBytes: f64 = 0;
let consumerBytes: f64 = 0;
let pendingBytes: f64 = 0;
let treeBytes: f64 = 0;
let treeKeyBytes: f64 = 0;
let treeNodeGuess: f64 = 0;

// The stream read last.
export let nodes: f64 = 0;
export let entries: u64 = 0;
export let lastMs: u64 = 0;
export let lastSeq: u64 = 0;
export let groups: f64 = 0;
export let consumers: f64 = 0;
export let pending: f64 = 0;
export let oldestPendingMs: f64 = UNKNOWN;
/** What it takes besides its head. */
export let streamBytes: f64 = 0;

// The reader's place, and the number read last.
let at: usize = 0;
let end: usize = 0;
let number: u64 = 0;

export function initStreams(): void {
  groupsStart = reserve(GROUPS_BYTES);
  groupsTaken = groupsEnd = groupsStart;
}

export function streamGroupsAddress(): usize {
  return groupsStart;
}

/** Streams of this server are the decoder's. */
export function forgetStreams(): void {
  isCosted = false;
}

/** @param treeNodeBytes 0: the blocks of a tree's nodes are counted @param hasGroups whether the costs hold for streams with groups */
export function setStreamCosts(
  wordBytes: i32,
  countsUsableBytes: i32,
  own: f64,
  tree: f64,
  treeKey: f64,
  treeNodeBytes: f64,
  hasGroups: i32,
  group: f64,
  consumer: f64,
  pendingEntry: f64,
): void {
  isCosted = true;
  setWord(wordBytes);
  countsUsable = countsUsableBytes !== 0;
  ownBytes = own;
  treeBytes = tree;
  treeKeyBytes = treeKey;
  treeNodeGuess = treeNodeBytes;
  hasGroupCosts = hasGroups !== 0;
  groupBytes = group;
  consumerBytes = consumer;
  pendingBytes = pendingEntry;
}

/** Forgets the groups of records that were taken. */
export function emptyGroups(): void {
  groupsTaken = groupsStart;
}

/** Keeps the groups of the record at hand. Returns whether there is little room left for more. */
export function keepGroups(row: f64): bool {
  for (let group = groupsTaken; group < groupsEnd; group += sizeOf(load<u32>(group, 48))) store<f64>(group, row);
  groupsTaken = groupsEnd;
  return groupsTaken - groupsStart > GROUPS_BYTES / 2;
}

/** Behind the groups that are kept. */
export function groupsBehind(): usize {
  return groupsTaken;
}

/** Reads the stream whose count of nodes is at an address; returns where what is behind it begins, or 0. */
export function readStream(from: usize, windowEnd: usize, version: i32): usize {
  if (!isCosted) return 0;
  at = from;
  end = windowEnd;
  groupsEnd = groupsTaken;
  streamBytes = ownBytes;
  return readNodes() && readIds(version) && readGroups(version) ? at : 0;
}

function readNodes(): bool {
  if (!readNumber() || number === 0) return false;
  nodes = <f64>number;
  startTree();
  for (let left = number; left > 0; left--) {
    if (end - at <= 1 + ID_BYTES + HEAD_BYTES || load<u8>(at) !== <u8>ID_BYTES) return false;
    addToTree(at + 1);
    const form = readHead(at + 1 + ID_BYTES);
    if (form === OTHER || form === INTEGER || logical > <u32>MAX_TABLED_BYTES) return false;
    if (bytes >= end || stored >= <u32>(end - bytes)) return false;
    at = bytes + stored;
    streamBytes += countsUsable ? usable(logical) : logical;
    if (announcedElements(LISTPACK, form, bytes, stored, logical) === 0) return false;
  }
  return countTree();
}

function readIds(version: i32): bool {
  if (!readNumber()) return false;
  entries = number;
  if (!readNumber()) return false;
  lastMs = number;
  if (!readNumber()) return false;
  lastSeq = number;
  if (version >= MORE_NUMBERS_VERSION) {
    for (let i = 0; i < MORE_NUMBERS; i++) if (!readNumber()) return false;
  }
  return true;
}

function readGroups(version: i32): bool {
  if (!readNumber()) return false;
  groups = <f64>number;
  consumers = pending = 0;
  oldestPendingMs = UNKNOWN;
  if (number > 0 && !hasGroupCosts) return false;
  for (let left = number; left > 0; left--) if (!readGroup(version)) return false;
  return true;
}

function readGroup(version: i32): bool {
  if (!readName()) return false;
  const nameBytes = stored;
  const group = groupsEnd;
  if (groupsStart + GROUPS_BYTES - group < sizeOf(nameBytes)) return false;
  store<u32>(group, nameBytes, 48);
  memory.copy(group + GROUP_BYTES, bytes, nameBytes);
  if (!readNumber()) return false;
  store<u64>(group, number, 8);
  if (!readNumber()) return false;
  store<u64>(group, number, 16);
  if (version >= MORE_NUMBERS_VERSION && !readNumber()) return false;
  if (!readNumber()) return false;
  const entriesPending = number;
  const oldest = readPending(entriesPending);
  if (at === 0 || !readNumber()) return false;
  const members = number;
  for (let left = members; left > 0; left--) if (!readConsumer(version)) return false;
  store<f64>(group, <f64>members, 24);
  store<f64>(group, <f64>entriesPending, 32);
  store<f64>(group, oldest, 40);
  groupsEnd = group + sizeOf(nameBytes);
  streamBytes += groupBytes;
  pending += <f64>entriesPending;
  consumers += <f64>members;
  if (oldest !== UNKNOWN && (oldestPendingMs === UNKNOWN || oldest < oldestPendingMs)) oldestPendingMs = oldest;
  return true;
}

/** Reads what was delivered and not acknowledged; returns when the oldest was. Not read: `at` is 0 then. */
function readPending(count: u64): f64 {
  let oldest = UNKNOWN;
  startTree();
  for (let left = count; left > 0; left--) {
    if (end - at <= ID_BYTES + TIME_BYTES + NUMBER_BYTES) {
      at = 0;
      return UNKNOWN;
    }
    addToTree(at);
    const delivered = <f64>load<i64>(at, ID_BYTES);
    if (oldest === UNKNOWN || delivered < oldest) oldest = delivered;
    at += ID_BYTES + TIME_BYTES;
    // how often
    if (!readNumber()) {
      at = 0;
      return UNKNOWN;
    }
  }
  if (!countTree()) {
    at = 0;
    return UNKNOWN;
  }
  streamBytes += pendingBytes * <f64>treeKeys;
  return oldest;
}

function readConsumer(version: i32): bool {
  if (!readName()) return false;
  streamBytes += consumerBytes + <f64>stored;
  const times: usize = version >= ACTIVE_TIME_VERSION ? 2 * TIME_BYTES : TIME_BYTES;
  if (end - at <= times) return false;
  at += times;
  if (!readNumber()) return false;
  startTree();
  for (let left = number; left > 0; left--) {
    if (end - at <= ID_BYTES) return false;
    addToTree(at);
    at += ID_BYTES;
  }
  return countTree();
}

/** False where the ids are so far out of order that the tree is the decoder's. */
function countTree(): bool {
  finishTree();
  if (isTreeBroken) return false;
  const ofNodes = treeNodeGuess === 0 ? treeNodeBytes : treeNodeGuess * <f64>treeNodes;
  streamBytes += treeBytes + treeKeyBytes * <f64>treeKeys + ofNodes;
  return true;
}

/** Reads a short raw string. */
function readName(): bool {
  if (end - at <= HEAD_BYTES || readHead(at) !== RAW || stored > LONGEST_NAME) return false;
  if (bytes >= end || stored >= <u32>(end - bytes)) return false;
  at = bytes + stored;
  return true;
}

/** Reads a number of up to 64 bits in length form. */
function readNumber(): bool {
  if (end - at <= NUMBER_BYTES) return false;
  if (<u32>load<u8>(at) === FORM_64_BIT) {
    number = bswap<u64>(load<u64>(at, 1));
    at += NUMBER_BYTES;
    return true;
  }
  if (!readLength(at)) return false;
  number = stored;
  at = bytes;
  return true;
}

/** Of a group, with its name. */
@inline
function sizeOf(nameBytes: u32): usize {
  return GROUP_BYTES + ((nameBytes + 7) & ~7);
}
