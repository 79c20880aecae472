/**
 * The layer's whole vocabulary: what a snapshot holds, as the decoder tells it.
 *
 * A `KeyRecord` is one reused object: its fields are overwritten by the next `Decoder.next()`. Numbers that may be
 * unknown use `UNKNOWN` (-1) so that the hot path never allocates; `snapshotKey()` turns the record into a plain
 * object with `undefined` for library users, and the store writes NULL.
 */

/** "Not known" in a numeric field of a record. Never a value of that field. */
export const UNKNOWN = -1;

/** What TYPE would say; `module` for a module's value (its own name stands in `moduleName`). */
export const DATA_TYPES = [
  'string',
  'list',
  'set',
  'zset',
  'hash',
  'stream',
  'array',
  'gcra',
  'json',
  'cron',
  'sketch',
  'module',
] as const;
export type DataType = (typeof DATA_TYPES)[number];

/** Which blob a packed value is written as. */
export type Packing = 'ziplist' | 'listpack' | 'intset' | 'zipmap';

/** How a list node is written: one element as it is, or a blob of several. */
export type ListContainer = 'plain' | 'ziplist' | 'listpack';

/**
 * How small the integer is that an element's text spells, or 0 for text that is no canonical signed 64-bit decimal.
 * The classes are cut so that every packed encoding's width follows from them (listpack.c `lpEncodeGetType`,
 * ziplist.c `zipTryEncoding`, intset.c `_intsetValueEncoding`).
 */
export const INTEGER_CLASS = {
  /** no canonical integer */
  none: 0,
  /** 0..12 (ziplist immediate, listpack 7 bit) */
  to12: 1,
  /** 13..127 (listpack 7 bit, ziplist int8) */
  to127: 2,
  /** -128..-1 (ziplist int8, listpack 13 bit) */
  int8: 3,
  /** -4096..4095 (listpack 13 bit, int16 elsewhere) */
  int13: 4,
  int16: 5,
  int24: 6,
  int32: 7,
  int64: 8,
} as const;
export type IntegerClass = (typeof INTEGER_CLASS)[keyof typeof INTEGER_CLASS];

/** One consumer group of a stream. */
export interface StreamGroupFacts {
  readonly name: Uint8Array;
  readonly lastIdMs: bigint;
  readonly lastIdSeq: bigint;
  readonly consumers: number;
  readonly pending: number;
  /** Delivery time of the entry that waits longest, ms; UNKNOWN when none is pending. */
  readonly oldestPendingMs: number;
}

/** What a stream holds besides its entries. Reused with its record. */
export interface StreamFacts {
  readonly nodes: number;
  readonly groups: number;
  readonly consumers: number;
  /** Pending entries over all groups. */
  readonly pending: number;
  /** Sum of the nodes' listpack sizes, inflated, in bytes. */
  readonly listpackBytes: number;
  /** Last generated id. */
  readonly lastIdMs: bigint;
  readonly lastIdSeq: bigint;
  /** Delivery time of the pending entry that waits longest, ms; UNKNOWN when none is pending. */
  readonly oldestPendingMs: number;
  /** The groups one by one; the first 10,000 of them. */
  readonly groupFacts: readonly StreamGroupFacts[];
}

/** One key, as far as the file tells. Sizes in bytes, times in milliseconds since the epoch. */
export interface KeyRecord {
  readonly db: number;

  /** The key's bytes are `keyBuffer[keyStart .. keyStart + keyLength)`. Valid until the next `next()`. */
  readonly keyBuffer: Uint8Array;
  readonly keyStart: number;
  readonly keyLength: number;

  /** The value type byte and its name in the server's rdb.h (without RDB_TYPE_). */
  readonly typeCode: number;
  readonly typeName: string;
  readonly dataType: DataType;

  /** The blob that the whole value is (a list's nodes are not meant); undefined for a plain one. */
  readonly packing: Packing | undefined;
  /** Inflated bytes of that blob, or of all of a list's nodes; 0 without any. */
  readonly blobBytes: number;

  /** Cardinality: LLEN, SCARD, ZCARD, HLEN, XLEN, 1 for a string; UNKNOWN for an opaque module. */
  readonly elementCount: number;
  /** The user's own bytes (STRLEN; sum of element lengths), UNKNOWN where it would need inflating. */
  readonly payloadBytes: number;
  /** Longest element, field or value, UNKNOWN where it would need inflating. */
  readonly longestElementBytes: number;
  /** For a string: the class of the integer it spells; 0 otherwise. */
  readonly integerClass: IntegerClass;
  /** For a string: what its first bytes say that it holds, an index of CONTENT_KINDS; 0 for other types and short ones. */
  readonly contentKind: number;
  /** List nodes in the file; 0 for other types and for plain lists (type 1). */
  readonly listNodes: number;

  readonly hasExpiry: boolean;
  /** Absolute expiry, rounded to a double; 0 without one. */
  readonly expiresAtMs: number;
  /** The exact expiry, set only when `expiresAtMs` is not (beyond ±2^53). */
  readonly expiresAtExact: bigint | undefined;
  /** Seconds since last use (LRU), UNKNOWN when the file has none. */
  readonly idleSeconds: number;
  /** LFU counter 0..255, UNKNOWN when the file has none. */
  readonly freq: number;

  /** Hash fields (or KeyDB members) with an expiry of their own; UNKNOWN where only a walk would tell. */
  readonly fieldsWithTtl: number;
  /** The soonest of them, UNKNOWN when there is none. */
  readonly firstFieldExpiryMs: number;

  /** Module name (`ReJSON-RL`), undefined for other types. */
  readonly moduleName: string | undefined;
  readonly moduleVersion: number;

  readonly stream: StreamFacts;

  /** Where the record starts: its first attribute opcode (expiry, idle, ...) or its value type byte. */
  readonly offset: number;
  /** File bytes from the value type byte to the last byte of the value, as written. */
  readonly serializedBytes: number;
  /** File bytes of the value alone. */
  readonly valueBytes: number;
}

/**
 * Listens to a value's parts as the decoder passes over them, so that a memory figure needs no second pass.
 * Called per element: implementations must not allocate. Lengths are in bytes of the logical text (an integer counts
 * its decimal digits).
 */
export interface ValueMeter {
  /** A value starts. Key facts, expiry, `typeCode`, `dataType` are set; `elementCount` too for plain collections. */
  begin(record: KeyRecord): void;

  /**
   * Whether elements need their integer class; without it 0 is given for all. Looked at before each element, so a
   * meter can stop asking when the value turns out too big to be packed.
   */
  readonly classify: boolean;

  /**
   * The whole value is one blob of `elementCount` elements (hash: fields), UNKNOWN when its header does not tell. True:
   * report its elements too (a walk, perhaps inflating it).
   */
  blob(packing: Packing, elementCount: number, blobBytes: number): boolean;

  /** List node. `bytes`: inflated blob, or the element's length when plain. True: report its items too. */
  listNode(container: ListContainer, bytes: number, elementCount: number): boolean;

  item(length: number, integer: IntegerClass): void;
  member(length: number, integer: IntegerClass): void;
  scored(length: number, integer: IntegerClass, score: number): void;
  /** A hash field; `ttlMs` is its absolute expiry, 0 for none. */
  pair(
    fieldLength: number,
    fieldInteger: IntegerClass,
    valueLength: number,
    valueInteger: IntegerClass,
    ttlMs: number,
  ): void;

  /**
   * Many elements of one length, up to 63 bytes, of a plain collection that is not classified: `count` members, scored
   * members, or fields with values of one length, that do not expire. Told behind all others.
   */
  members(length: number, count: number): void;
  scoredMembers(length: number, count: number): void;
  pairs(fieldLength: number, valueLength: number, count: number): void;

  /** Stream node: 16-byte id at `buffer[at]` (big-endian), inflated listpack size. Ascending ids. */
  streamNode(buffer: Uint8Array, at: number, listpackBytes: number): void;
  /** A consumer group starts; its pending ids and consumers follow. Names come in byte order. */
  streamGroup(buffer: Uint8Array, at: number, nameLength: number): void;
  /** Pending entry of the group: 16-byte id, then 8 bytes delivery time (little-endian), at `buffer[at]`. Ascending. */
  streamPending(buffer: Uint8Array, at: number): void;
  streamConsumer(buffer: Uint8Array, at: number, nameLength: number): void;
  /** Pending id of the last consumer: 16 bytes at `buffer[at]`. Ascending. */
  streamConsumerPending(buffer: Uint8Array, at: number): void;
  /** Pending id of the group that no consumer has: 16 bytes at `buffer[at]`. */
  streamGivenBack?(buffer: Uint8Array, at: number): void;

  /** Array element: index as two 32-bit halves, tag 0 string, 1 integer, 2 double, 3 short string; `length` of strings. */
  arrayElement(indexHigh: number, indexLow: number, tag: number, length: number): void;

  /** The value is complete; all fields of the record are final. */
  end(record: KeyRecord): void;
}

/** An element's text: `bytes[0 .. kept)`, all of it unless `length` is more. Valid during the call only. */
export interface ElementBytes {
  readonly bytes: Uint8Array;
  readonly kept: number;
  readonly length: number;
}

/**
 * Sees every part of a value with its bytes: for looking into one key. Slower than a meter. At most `keepBytes` of an
 * element are kept, so a huge one never fills memory.
 */
export interface ElementVisitor {
  readonly keepBytes: number;
  item?(item: ElementBytes): void;
  member?(member: ElementBytes): void;
  scored?(member: ElementBytes, score: number): void;
  /** `ttlMs`: absolute expiry of the field, 0 for none. */
  pair?(field: ElementBytes, value: ElementBytes, ttlMs: number): void;
  listNode?(container: ListContainer, bytes: number, elementCount: number): void;
  streamNode?(idMs: bigint, idSeq: bigint, listpackBytes: number): void;
  streamGroup?(name: ElementBytes, lastIdMs: bigint, lastIdSeq: bigint): void;
  streamConsumer?(name: ElementBytes, seenMs: bigint, activeMs: bigint, pending: number): void;
  arrayElement?(index: bigint, value: ElementBytes): void;
}

/** Which family wrote the file: decides what clashing type and opcode numbers mean. */
export type Dialect = 'redis' | 'valkey' | 'keydb' | 'dragonfly';

export interface AuxField {
  readonly name: string;
  readonly value: string;
}

/** What RESIZEDB promised for one database and what was read. */
export interface DatabaseFacts {
  readonly db: number;
  /** UNKNOWN without a RESIZEDB. */
  readonly keysAnnounced: number;
  readonly expiresAnnounced: number;
  readonly keysRead: number;
  readonly expiresRead: number;
}

export interface FunctionLibrary {
  readonly name: string;
  readonly engine: string;
  readonly bytes: number;
  readonly offset: number;
}

export interface ModuleAux {
  readonly moduleName: string;
  readonly moduleVersion: number;
  readonly when: 'before' | 'after' | 'unknown';
  readonly serializedBytes: number;
  readonly offset: number;
}

export type ProblemCode =
  | 'checksum-mismatch'
  | 'duplicate-key'
  | 'empty-collection'
  | 'absurd-expiry'
  | 'absurd-database'
  | 'count-mismatch'
  | 'newer-version'
  | 'nan-score'
  | 'trailing-bytes'
  | 'key-cut'
  | 'aux-cut'
  | 'duplicate-field'
  | 'repeated-aux'
  | 'clock'
  | 'damaged'
  | 'unknown-record'
  /** How the input was wrapped, not what the snapshot holds. */
  | 'input'
  /** The memory figures rest on a guess. */
  | 'memory-profile';

/** One kind of trouble, told once with its first place and how often it came. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly offset: number;
  readonly db: number;
  /** Of a long key its first kilobyte. */
  readonly key: Uint8Array | undefined;
  readonly count: number;
}

/** `absent`: version below 5 or file cut before it; `off`: eight zero bytes. */
export type ChecksumState = 'ok' | 'mismatch' | 'off' | 'absent' | 'unchecked';

/** Everything a snapshot tells besides its keys. Grows while decoding, final when `next()` has returned false. */
export interface SnapshotFacts {
  /** Whose numbering of types and opcodes holds. */
  readonly dialect: Dialect;
  /** Whose server wrote it: Valkey 8 still writes the Redis dialect. */
  readonly product: Dialect;
  /** The header's nine bytes as text, `REDIS0011`. */
  readonly magic: string;
  readonly rdbVersion: number;
  /** `7.2.6`, from redis-ver or valkey-ver; undefined when absent. */
  readonly serverVersion: string | undefined;
  readonly createdAtMs: number;
  readonly usedMemoryBytes: number;
  readonly wordBits: number;
  readonly aux: readonly AuxField[];
  readonly databases: readonly DatabaseFacts[];
  readonly functions: readonly FunctionLibrary[];
  readonly moduleAux: readonly ModuleAux[];
  readonly slotRecords: number;
  readonly problems: readonly Problem[];
  readonly keysRead: number;
  /** Records passed over by name: opcodes of other products, Enterprise's private ones. */
  readonly recordsSkipped: number;
  /** True once the EOF opcode was read. */
  readonly complete: boolean;
  readonly checksum: ChecksumState;
  /** Hexadecimal, 16 digits; undefined where not applicable. */
  readonly checksumStored: string | undefined;
  readonly checksumComputed: string | undefined;
  /** Bytes up to and including the trailer. */
  readonly snapshotBytes: number;
  /** Bytes after the trailer, and what they look like. */
  readonly trailingBytes: number;
  readonly trailingKind: 'none' | 'aof' | 'zeros' | 'replication-mark' | 'another-snapshot' | 'unknown';
}
