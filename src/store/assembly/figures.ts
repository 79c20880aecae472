// What the record at hand takes: by the rule for its lengths, or recalled from what the memory model was asked before; see
// key-figures.ts of the folder above.

import { blockBytes, forgetBlocks, initBlocks, kindOfRange, rangeOf, tellRange } from './blocks';
import { initElements, kindOfTable, setTableKind, tableBytes, UNTOLD } from './elements';
import {
  count,
  hasExpiry,
  isPlainCollection,
  isStream,
  isString,
  keyBytes,
  table,
  typeCode,
  valueBytes,
  width,
} from './plain-record';
import {
  ANY_KEY,
  forgetShapes,
  headBytesOf,
  initShapes,
  kindOf,
  LEFT_KIND,
  memoryBytesOf,
  NO_CELL,
  recall,
  shapeOf,
  tell,
  tellKind,
  totalsCellOf,
} from './shapes';
import { forgetStreams, initStreams, streamBytes } from './stream-value';

const NO_KIND: i32 = -1;

let jointBelow: i32 = 0;
let streamKind: i32 = NO_KIND;

// What is known of the record at hand.
export let memoryBytes: f64 = 0;
export let kind: i32 = 0;
export let cell: i32 = NO_CELL;

export function initFigures(): void {
  initShapes();
  initElements();
  initBlocks();
  initStreams();
}

/** Figures are of another server from now on. @param jointBelowBytes see ValueCosts of the memory model */
export function startFigures(jointBelowBytes: i32): void {
  jointBelow = jointBelowBytes;
  forgetShapes();
  forgetBlocks();
  forgetStreams();
  streamKind = NO_KIND;
}

/**
 * What the memory model says of a key, and of all that are alike.
 * @param integer see integerWidth
 * @param headBytes what the value has no part in
 * @param kind LEFT_KIND: such keys are left to the decoder
 */
export function tellShape(
  typeCode: i32,
  hasExpiry: i32,
  keyBytes: i32,
  valueBytes: i32,
  integer: i32,
  isText: i32,
  memoryBytes: f64,
  headBytes: f64,
  kind: i32,
  type: i32,
  totalsCell: i32,
): void {
  tellKind(kind, type, totalsCell);
  if (isText !== 0 && isJoint(valueBytes, integer)) {
    tell(shapeOf(typeCode, hasExpiry !== 0, keyBytes, valueBytes, integer), memoryBytes, kind);
  } else {
    tell(apartShape(typeCode, valueBytes, integer), memoryBytes - headBytes, kind);
  }
}

/** Which kind of key such a table is; the figures come by setTableCount. */
export function tellTable(table: i32, kind: i32, type: i32, totalsCell: i32): void {
  tellKind(kind, type, totalsCell);
  setTableKind(table, kind);
}

/** Which kind of key a stream is. @param kind LEFT_KIND: as of tellShape */
export function tellStreams(kind: i32, type: i32, totalsCell: i32): void {
  tellKind(kind, type, totalsCell);
  streamKind = kind;
}

/** What values of those lengths take, see BlockCosts of the memory model. @param kind LEFT_KIND: as of tellShape */
export function tellBlock(
  typeCode: i32,
  fromBytes: i32,
  lengths: i32,
  ownBytes: f64,
  extraBytes: i32,
  isUsable: i32,
  kind: i32,
  type: i32,
  totalsCell: i32,
): void {
  tellKind(kind, type, totalsCell);
  tellRange(typeCode, fromBytes, lengths, ownBytes, extraBytes, isUsable, kind);
}

/** Whether a string may lie in one block with its key, so that their figure is told together. */
@inline
function isJoint(valueBytes: i32, integer: u32): bool {
  return integer === 0 && valueBytes < jointBelow;
}

/** Of a value that lies in blocks of its own. Integers of up to 32 bits need none. */
@inline
function apartShape(typeCode: u32, valueBytes: i32, integer: u32): u64 {
  return shapeOf(typeCode, false, ANY_KEY, integer === 1 ? 0 : valueBytes, integer);
}

/** Recalls what the memory model said of such a record; false where it must be asked. */
@inline
export function knowsFigure(): bool {
  if (isString() && isJoint(valueBytes, width)) {
    return knowsShape(0, shapeOf(typeCode, hasExpiry, keyBytes, valueBytes, width));
  }
  const headBytes = headBytesOf(keyBytes, hasExpiry);
  if (isPlainCollection()) return knowsTable(headBytes);
  if (isStream()) {
    memoryBytes = headBytes + streamBytes;
    return streamKind !== NO_KIND && knowsKind(streamKind);
  }
  if (width === 0) {
    const range = rangeOf(typeCode, valueBytes);
    if (range !== 0) {
      memoryBytes = headBytes + blockBytes(range, valueBytes);
      return knowsKind(kindOfRange(range));
    }
  }
  return knowsShape(headBytes, apartShape(typeCode, valueBytes, width));
}

@inline
function knowsShape(headBytes: f64, shape: u64): bool {
  const place = recall(shape);
  if (place === 0) return false;
  memoryBytes = headBytes + memoryBytesOf(place);
  return knowsKind(kindOf(place));
}

/** Whether it is known where such keys are counted, if they are not left to the decoder. */
@inline
function knowsKind(which: i32): bool {
  kind = which;
  cell = totalsCellOf(which);
  return cell !== NO_CELL || which === LEFT_KIND;
}

/** The same for a plain collection. */
function knowsTable(headBytes: f64): bool {
  const which = table();
  kind = kindOfTable(which);
  cell = totalsCellOf(kind);
  const value = tableBytes(which, count);
  // Means of what is random in the server are no whole numbers. Positive ones round up from a half, as in JavaScript.
  memoryBytes = floor(headBytes + value + 0.5);
  return cell !== NO_CELL && value !== UNTOLD;
}
