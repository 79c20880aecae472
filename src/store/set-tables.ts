import type { Database } from 'better-sqlite3';
import type { ExpiryBuckets } from './expiry-buckets.js';
import type { ExpiryRow } from './expiry-rows.js';
import type { KeyKinds } from './key-kinds.js';
import { keyValue } from './key-value.js';
import type { LargestKey, LargestKeys } from './largest-keys.js';
import type { PrefixMarks } from './prefix-marks.js';
import { visitPrefixes } from './prefix-rows.js';
import { NONE, type PrefixTree, SUM } from './prefix-tree.js';
import type { SizeHistograms } from './size-histograms.js';
import type { SlotTotal, SlotTotals } from './slot-totals.js';
import type { StreamGroupRow, StreamGroups } from './stream-groups.js';
import { inserter, insertRows, type Value } from './table-insert.js';
import type { TotalsRow } from './totals.js';

/** What is counted over all files of a load. */
export interface SetSums {
  readonly kinds: KeyKinds;
  readonly prefixes: PrefixTree;
  readonly expiries: ExpiryBuckets;
  readonly sizes: SizeHistograms;
  readonly slots: SlotTotals;
  readonly streamGroups: StreamGroups;
  readonly marks: PrefixMarks;
  readonly largest: LargestKeys;
}

/**
 * Writes the tables of sums that reports read instead of all rows.
 * @param childrenPerNode more children of a prefix than this are folded
 */
export function writeSetTables(
  database: Database,
  sums: SetSums,
  totals: readonly TotalsRow[],
  childrenPerNode: number,
): void {
  const insertKind = inserter(database, 'kinds');
  for (const { id, type, encoding, moduleName } of sums.kinds.kinds) {
    insertKind({ id, type, encoding, module: moduleName });
  }
  writeTotals(database, totals);
  writeMarks(database, sums.marks);
  writePrefixes(database, sums.prefixes, childrenPerNode, sums.kinds);
  const insertSize = inserter(database, 'size_buckets');
  for (const { typeIndex, measure, bucket, keys, total } of sums.sizes.buckets()) {
    insertSize({ type: sums.kinds.types[typeIndex], measure, bucket, keys, total });
  }
  insertRows(database, 'expiry_buckets', EXPIRY_COLUMNS, sums.expiries.rows(), putExpiry);
  insertRows(database, 'largest_keys', LARGEST_COLUMNS, sums.largest.rows(), putLargest);
  insertRows(database, 'slot_totals', SLOT_COLUMNS, sums.slots.rows(), putSlot);
  insertRows(database, 'stream_groups', GROUP_COLUMNS, sums.streamGroups.rows, putGroup);
}

// Tables of thousands of rows: values are put one behind the other, without an object for each row.

const EXPIRY_COLUMNS = ['start_ms', 'width_ms', 'keys', 'memory_bytes'];
function putExpiry({ startMs, widthMs, keys, memoryBytes }: ExpiryRow, values: Value[]): void {
  values.push(startMs, widthMs, keys, memoryBytes);
}

const LARGEST_COLUMNS = ['ranking', 'key_id', 'value'];
function putLargest({ ranking, keyId, value }: LargestKey, values: Value[]): void {
  values.push(ranking, keyId, value);
}

const SLOT_COLUMNS = ['slot', 'keys', 'memory_bytes'];
function putSlot({ slot, keys, memoryBytes }: SlotTotal, values: Value[]): void {
  values.push(slot, keys, memoryBytes);
}

const GROUP_COLUMNS = ['key_id', 'name', 'last_id', 'consumers', 'pending', 'oldest_pending_ms'];
function putGroup(group: StreamGroupRow, values: Value[]): void {
  const { keyId, name, lastId, consumers, pending, oldestPendingMs } = group;
  values.push(keyId, keyValue(name), lastId, consumers, pending, oldestPendingMs);
}

function writeMarks(database: Database, marks: PrefixMarks): void {
  const insert = inserter(database, 'prefix_marks');
  for (const row of marks.rows()) {
    insert({
      prefix_id: row.prefixId,
      mark: row.mark,
      compressed: row.compressed,
      keys: row.keys,
      memory_bytes: row.memoryBytes,
      serialized_bytes: row.serializedBytes,
      payload_bytes: row.payloadBytes,
      elements: row.elements,
      first_key_id: row.firstKeyId,
      last_key_id: row.lastKeyId,
    });
  }
}

function writeTotals(database: Database, totals: readonly TotalsRow[]): void {
  const insert = inserter(database, 'totals');
  for (const row of totals) {
    insert({
      file_id: row.fileId,
      db: row.db,
      kind_id: row.kindId,
      keys: row.keys,
      memory_bytes: row.memoryBytes,
      serialized_bytes: row.serializedBytes,
      elements: row.elements,
      key_name_bytes: row.keyNameBytes,
      keys_without_ttl: row.keysWithoutTtl,
      memory_without_ttl: row.memoryWithoutTtl,
      expired_keys: row.expiredKeys,
      expired_memory_bytes: row.expiredMemoryBytes,
      largest_key_bytes: row.largestKeyBytes,
      largest_key_id: row.largestKeyId,
    });
  }
}

function writePrefixes(
  database: Database,
  prefixes: PrefixTree,
  childrenPerNode: number,
  kinds: KeyKinds,
): void {
  const insertNode = inserter(database, 'prefixes');
  const insertType = inserter(database, 'prefix_types');
  const insertAlias = inserter(database, 'prefix_aliases');
  visitPrefixes(prefixes, childrenPerNode, {
    node({ id, parentId, depth, text, ownKeys, sums, types }) {
      insertNode({
        id,
        parent_id: parentId === NONE ? null : parentId,
        depth,
        prefix: text,
        own_keys: ownKeys,
        keys: sums[SUM.keys],
        memory_bytes: sums[SUM.memoryBytes],
        serialized_bytes: sums[SUM.serializedBytes],
        elements: sums[SUM.elements],
        key_name_bytes: sums[SUM.keyNameBytes],
        keys_without_ttl: sums[SUM.keysWithoutTtl],
        memory_without_ttl: sums[SUM.memoryWithoutTtl],
        expired_keys: sums[SUM.expiredKeys],
        largest_key_bytes: sums[SUM.largestKeyBytes],
      });
      for (const { typeIndex, sums: typeSums } of types) {
        insertType({
          prefix_id: id,
          type: kinds.types[typeIndex],
          keys: typeSums[SUM.keys],
          memory_bytes: typeSums[SUM.memoryBytes],
          serialized_bytes: typeSums[SUM.serializedBytes],
          elements: typeSums[SUM.elements],
          keys_without_ttl: typeSums[SUM.keysWithoutTtl],
          memory_without_ttl: typeSums[SUM.memoryWithoutTtl],
        });
      }
    },
    alias: (id, standing) => insertAlias({ id, prefix_id: standing }),
  });
}
