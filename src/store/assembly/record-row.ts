// The row of the record at hand.

import { slot } from './digest';
import { hasNul } from './key';
import { count, expiresAt, freq, hasExpiry, idle, isHash, isStream, largest, payload } from './plain-record';
import { encodeRow } from './rows';
import { encodeStreamRow } from './stream-row';
import { consumers, groups, lastMs, lastSeq, nodes, oldestPendingMs, pending } from './stream-value';

const UNKNOWN: f64 = -1;

/** Returns what `encodeRow` says. @param offset where the record begins in the snapshot */
@inline
export function writeRow(
  row: f64,
  kind: i32,
  db: f64,
  file: i32,
  node: i32,
  memoryBytes: f64,
  serializedBytes: f64,
  offset: f64,
): i32 {
  const isText = hasNul() ? 0 : 1;
  const expires = hasExpiry ? 1 : 0;
  if (isStream()) {
    return encodeStreamRow(
      row,
      isText,
      kind,
      db,
      file,
      node,
      slot,
      count,
      memoryBytes,
      serializedBytes,
      offset,
      payload,
      largest,
      expires,
      expiresAt,
      idle,
      freq,
      UNKNOWN,
      UNKNOWN,
      nodes,
      groups,
      consumers,
      pending,
      oldestPendingMs,
      lastMs,
      lastSeq,
    );
  }
  return encodeRow(
    row,
    isText,
    kind,
    db,
    file,
    node,
    slot,
    count,
    memoryBytes,
    serializedBytes,
    offset,
    payload,
    largest,
    expires,
    expiresAt,
    idle,
    freq,
    isHash() ? 0 : UNKNOWN,
    UNKNOWN,
  );
}
