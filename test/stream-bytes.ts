import { listpack, RdbBytes } from './rdb-bytes.js';

/** Type bytes of streams by version. */
export const STREAM_TYPES = [15, 19, 21, 26, 27] as const;
export type StreamVersion = 1 | 2 | 3 | 4 | 5;

export interface EntrySketch {
  /** Distance from the node's id: milliseconds, sequence. */
  readonly id: readonly [ms: number, seq: number];
  readonly deleted?: boolean;
  /** Values of the node's own fields, or fields and values of the entry's own. */
  readonly values?: readonly (string | number | Uint8Array)[];
  readonly pairs?: readonly (string | number | Uint8Array)[];
}

export interface NodeSketch {
  readonly id: readonly [ms: number, seq: number];
  readonly fields: readonly string[];
  readonly entries: readonly EntrySketch[];
  /** Told instead of the right count of entries alive. */
  readonly alive?: number;
}

export interface GroupSketch {
  readonly name: string | Uint8Array;
  /** Ids as [ms, seq]. */
  readonly pending: readonly (readonly [ms: number, seq: number])[];
  readonly consumers: readonly {
    readonly name: string | Uint8Array;
    readonly pending: readonly (readonly [ms: number, seq: number])[];
  }[];
  readonly givenBack?: readonly (readonly [ms: number, seq: number])[];
}

export interface StreamSketch {
  readonly nodes?: readonly NodeSketch[];
  readonly groups?: readonly GroupSketch[];
  /** Told instead of the right count of entries. */
  readonly length?: number;
}

/** A stream's node as a listpack. */
export function streamNode({ fields, entries, alive }: NodeSketch): Uint8Array {
  const deleted = entries.filter((entry) => entry.deleted === true).length;
  const elements: (string | number | Uint8Array)[] = [
    alive ?? entries.length - deleted,
    deleted,
    fields.length,
    ...fields,
    0,
  ];
  for (const { id, deleted: gone, values, pairs } of entries) {
    const flags = (gone === true ? 1 : 0) | (pairs === undefined ? 2 : 0);
    if (pairs === undefined) elements.push(flags, ...id, ...(values ?? []), 3 + fields.length);
    else elements.push(flags, ...id, pairs.length / 2, ...pairs, 4 + pairs.length);
  }
  return listpack(elements);
}

/** A whole key: type, name, stream. */
export function streamKey(
  version: StreamVersion,
  key: string,
  { nodes = [], groups = [], length }: StreamSketch,
): Uint8Array {
  const bytes = new RdbBytes('');
  bytes
    .bytes(Uint8Array.of(STREAM_TYPES[version - 1]!))
    .string(key)
    .length(nodes.length);
  for (const node of nodes) bytes.string(rawId(node.id)).string(streamNode(node));
  const entries = nodes.flatMap((node) => node.entries).filter((entry) => entry.deleted !== true).length;
  bytes
    .length(length ?? entries)
    .length(99)
    .length(9); // last id
  if (version >= 2) bytes.length(1).length(1).length(0).length(0).length(entries);
  bytes.length(groups.length);
  for (const group of groups) addGroup(bytes, version, group);
  if (version >= 4)
    bytes
      .length(100)
      .length(100)
      .length(1)
      .string('producer')
      .length(1)
      .string('iid')
      .length(1)
      .length(1)
      .length(1)
      .length(0);
  return bytes.raw();
}

function addGroup(
  bytes: RdbBytes,
  version: number,
  { name, pending, consumers, givenBack = [] }: GroupSketch,
): void {
  bytes.string(name).length(9).length(9);
  if (version >= 2) bytes.length(3); // entries read
  bytes.length(pending.length);
  for (const id of pending) bytes.bytes(rawId(id)).bytes(milliseconds(1_700_000_000_000n)).length(1);
  bytes.length(consumers.length);
  for (const consumer of consumers) {
    bytes.string(consumer.name).bytes(milliseconds(1_700_000_000_000n));
    if (version >= 3) bytes.bytes(milliseconds(-1n));
    bytes.length(consumer.pending.length);
    for (const id of consumer.pending) bytes.bytes(rawId(id));
  }
  if (version < 5) return;
  bytes.length(givenBack.length);
  for (const id of givenBack) bytes.bytes(rawId(id));
}

function rawId([ms, seq]: readonly [number, number]): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(BigInt(ms));
  bytes.writeBigUInt64BE(BigInt(seq), 8);
  return bytes;
}

function milliseconds(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
