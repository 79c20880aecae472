import { readAux } from './aux.js';
import type { ByteReader } from './byte-reader.js';
import { RdbError } from './errors.js';
import type { MutableKeyRecord } from './key-record.js';
import { readLength, readNumber64, skipNumber } from './length.js';
import { metadataClassName, moduleName, moduleVersion } from './module-id.js';
import type { Dialect, ModuleAux } from './records.js';
import type { MutableSnapshotFacts } from './snapshot-facts.js';
import { newStringHead, readStringHead, type StringBytes, skipString } from './string.js';
import type { ValueContext } from './value-context.js';
import { readHashTemplate } from './values/hash-template.js';
import { skipModuleItems } from './values/module.js';

/** What an opcode's handler works with. */
export interface OpcodeContext {
  readonly reader: ByteReader;
  readonly record: MutableKeyRecord;
  readonly facts: MutableSnapshotFacts;
  readonly values: ValueContext;
  readonly text: StringBytes;
  /** Changes which tables hold, once an AUX field has told the product. */
  setDialect(dialect: Dialect): void;
}

/** A byte that introduces something that is no key. */
export interface Opcode {
  readonly code: number;
  /** As in the server's rdb.h, without RDB_OPCODE_. */
  readonly name: string;
  readonly dialects: readonly Dialect[];
  readonly writers: string;
  readonly read: (context: OpcodeContext) => void;
}

/** End of the snapshot; handled by the decoder itself. */
export const OPCODE_EOF = 255;
export const OPCODE_AUX = 250;
export const OPCODE_EXPIRETIME_MS = 252;
export const OPCODE_FREQ = 249;
export const OPCODE_IDLE = 248;

/** Bytes of a function library's source that are looked at for its first line. */
const FUNCTION_HEAD_BYTES = 512;
const ALL: readonly Dialect[] = ['redis', 'valkey', 'keydb', 'dragonfly'];

/** Codes: rdb.h (Redis 7.4, 8.6; Valkey 9.1), librdb's list of Redis Enterprise's, Dragonfly's rdb_extensions.h. */
export const opcodes: readonly Opcode[] = [
  { code: OPCODE_EOF, name: 'EOF', dialects: ALL, writers: 'all', read: () => {} },
  { code: 254, name: 'SELECTDB', dialects: ALL, writers: 'all', read: readSelectDb },
  { code: 253, name: 'EXPIRETIME', dialects: ALL, writers: 'Redis <= 2.4', read: readExpirySeconds },
  {
    code: OPCODE_EXPIRETIME_MS,
    name: 'EXPIRETIME_MS',
    dialects: ALL,
    writers: 'Redis 2.6+, Valkey, KeyDB, Dragonfly',
    read: readExpiryMs,
  },
  {
    code: 251,
    name: 'RESIZEDB',
    dialects: ALL,
    writers: 'Redis 3.2+, Valkey, KeyDB, Dragonfly',
    read: readResizeDb,
  },
  {
    code: OPCODE_AUX,
    name: 'AUX',
    dialects: ALL,
    writers: 'Redis 3.2+, Valkey, KeyDB, Dragonfly',
    read: readAux,
  },
  { code: OPCODE_FREQ, name: 'FREQ', dialects: ALL, writers: 'Redis 5.0+, Valkey, KeyDB', read: readFreq },
  { code: OPCODE_IDLE, name: 'IDLE', dialects: ALL, writers: 'Redis 5.0+, Valkey, KeyDB', read: readIdle },
  { code: 247, name: 'MODULE_AUX', dialects: ALL, writers: 'Redis 5.0+, Valkey', read: readModuleAux },
  {
    code: 246,
    name: 'FUNCTION_PRE_GA',
    dialects: ALL,
    writers: 'Redis 7.0 release candidates',
    read: readFunctionPreGa,
  },
  {
    code: 245,
    name: 'FUNCTION2',
    dialects: ALL,
    writers: 'Redis 7.0+, Valkey, Dragonfly',
    read: readFunction,
  },
  { code: 244, name: 'SLOT_INFO', dialects: ALL, writers: 'Redis 7.4+ cluster', read: readSlotInfo },
  { code: 243, name: 'KEY_META', dialects: ['redis'], writers: 'Redis 8.6+', read: readKeyMetadata },
  {
    code: 243,
    name: 'SLOT_IMPORT',
    dialects: ['valkey'],
    writers: 'Valkey 9.0+ cluster',
    read: readSlotImport,
  },
  {
    code: 242,
    name: 'HASH_TEMPLATE',
    dialects: ['redis'],
    writers: 'Redis 8.10',
    read: ({ values }) => readHashTemplate(values),
  },
  { code: 242, name: 'UPDATE', dialects: ['valkey'], writers: 'Valkey 9.2', read: readUpdate },
  { code: 121, name: 'SLOT_NUM', dialects: ['redis'], writers: 'Redis Enterprise', read: skipOneNumber },
  { code: 107, name: 'RAM_LRU', dialects: ['redis'], writers: 'Redis Enterprise', read: skipOneNumber },
  { code: 102, name: 'GFLAGS', dialects: ['redis'], writers: 'Redis Enterprise', read: refuseMemcached },
  { code: 101, name: 'GCAS', dialects: ['redis'], writers: 'Redis Enterprise', read: refuseMemcached },
  {
    code: 224,
    name: 'STREAM_CHUNK',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: (context) => skipBytes(context, 8),
  },
  { code: 220, name: 'KEY_MASK', dialects: ['dragonfly'], writers: 'Dragonfly', read: readKeyMask },
  {
    code: 211,
    name: 'FULL_SYNC_END',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: (context) => skipBytes(context, 8),
  },
  {
    code: 203,
    name: 'COMPRESSED_BLOB_END',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: refuseCompressedBlob,
  },
  {
    code: 202,
    name: 'COMPRESSED_LZ4_BLOB',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: refuseCompressedBlob,
  },
  {
    code: 201,
    name: 'COMPRESSED_ZSTD_BLOB',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: refuseCompressedBlob,
  },
  {
    code: 200,
    name: 'FULL_SYNC_CUT',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    read: (context) => skipBytes(context, 8),
  },
];

/** Opcode byte → opcode, for one dialect. */
export function opcodeTable(dialect: Dialect): readonly (Opcode | undefined)[] {
  const table: (Opcode | undefined)[] = new Array<Opcode | undefined>(256).fill(undefined);
  for (const opcode of opcodes) if (opcode.dialects.includes(dialect)) table[opcode.code] = opcode;
  return table;
}

/** Last database of a server with as many as it takes. Source: redis src/config.c (7.0), createIntConfig "databases". */
const LAST_DATABASE = 2 ** 31 - 2;

function readSelectDb({ reader, record, facts }: OpcodeContext): void {
  const { offset } = reader;
  record.db = readLength(reader);
  if (record.db > LAST_DATABASE) {
    facts.addProblem({
      code: 'absurd-database',
      severity: 'warning',
      text: 'databases whose number no server can have, so that none will load the file',
      offset,
      db: record.db,
      key: undefined,
    });
  }
  facts.database(record.db);
}

/** Signed 32-bit seconds, as the server extends them. */
function readExpirySeconds({ reader, record }: OpcodeContext): void {
  record.hasExpiry = true;
  record.expiresAtExact = undefined;
  record.expiresAtMs = (reader.u32le() | 0) * 1000;
}

/** 1 January 1990: no server's time lies before it. */
const YEAR_1990_MS = 631_152_000_000;
/** Last millisecond of the year 9999: what is beyond is not meant as a time. */
const YEAR_10000_MS = 253_402_300_800_000;
/** From this version on times are little-endian whatever the host. Source: rdb.c rdbLoadMillisecondTime (Redis 5.0). */
const PORTABLE_TIME_VERSION = 9;

function readExpiryMs({ reader, record, facts }: OpcodeContext): void {
  const low = reader.u32le();
  const high = reader.u32le() | 0;
  record.hasExpiry = true;
  record.expiresAtMs = high * 2 ** 32 + low;
  record.expiresAtExact = undefined;
  if (high >= 2 ** 21 || high < -(2 ** 21)) {
    if (facts.rdbVersion < PORTABLE_TIME_VERSION && takeSwapped(record, high, low)) return;
    record.expiresAtExact = (BigInt(high) << 32n) | BigInt(low);
  }
}

/** Old snapshots of big-endian hosts hold times the other way round: taken so when only that makes sense. */
function takeSwapped(record: MutableKeyRecord, high: number, low: number): boolean {
  const swapped = swap32(low) * 2 ** 32 + swap32(high);
  if (swapped < YEAR_1990_MS || swapped >= YEAR_10000_MS) return false;
  record.expiresAtMs = swapped;
  return true;
}

function swap32(value: number): number {
  return ((value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)) >>> 0;
}

function readResizeDb({ reader, record, facts }: OpcodeContext): void {
  const keys = readLength(reader);
  const expires = readLength(reader);
  const database = facts.database(record.db);
  database.keysAnnounced = Math.max(database.keysAnnounced, 0) + keys;
  database.expiresAnnounced = Math.max(database.expiresAnnounced, 0) + expires;
}

function readFreq({ reader, record }: OpcodeContext): void {
  record.freq = reader.u8();
}

function readIdle({ reader, record }: OpcodeContext): void {
  record.idleSeconds = readLength(reader);
}

/** A module's data beside the keys: its id, then items; the first says whether it belongs before or behind them. */
function readModuleAux({ reader, facts }: OpcodeContext): void {
  const offset = reader.offset - 1;
  const id = readNumber64(reader);
  readLength(reader); // the item kind of "when", always an unsigned number
  const when = readLength(reader);
  skipModuleItems(reader);
  const placed: ModuleAux['when'] = when === 1 ? 'before' : when === 2 ? 'after' : 'unknown';
  facts.addModuleAux({
    moduleName: moduleName(id),
    moduleVersion: moduleVersion(id),
    when: placed,
    serializedBytes: reader.offset - offset,
    offset,
  });
}

/** A whole library's source; its first line names engine and library. */
function readFunction({ reader, facts, text }: OpcodeContext): void {
  const offset = reader.offset - 1;
  const head = newStringHead();
  readStringHead(reader, head);
  text.read(reader, head, FUNCTION_HEAD_BYTES);
  const firstLine = text.text().split('\n', 1)[0] ?? '';
  const engine = /^#!\s*(\S+)/.exec(firstLine)?.[1] ?? 'unknown';
  const name = /\bname\s*=\s*(\S+)/.exec(firstLine)?.[1] ?? 'unknown';
  facts.addFunction({ name, engine, bytes: head.length, offset });
}

function readFunctionPreGa({ reader, facts, text }: OpcodeContext): void {
  const offset = reader.offset - 1;
  const head = newStringHead();
  readStringHead(reader, head);
  text.read(reader, head, FUNCTION_HEAD_BYTES);
  const name = text.text();
  readStringHead(reader, head);
  text.read(reader, head, FUNCTION_HEAD_BYTES);
  const engine = text.text();
  if (readLength(reader) !== 0) skipString(reader);
  facts.addFunction({ name, engine, bytes: skipString(reader), offset });
}

function readSlotInfo({ reader, facts }: OpcodeContext): void {
  for (let i = 0; i < 3; i++) skipNumber(reader); // slot, keys, keys with expiry
  facts.slotRecords++;
}

/** Metadata of the key that follows: classes with module-style items. */
function readKeyMetadata({ reader, facts, record }: OpcodeContext): void {
  const classes = readLength(reader);
  for (let i = 0; i < classes; i++) {
    const name = metadataClassName(reader.u32le());
    skipModuleItems(reader);
    facts.addProblem({
      code: 'unknown-record',
      severity: 'info',
      text: `key metadata of class ${name} was passed over`,
      offset: reader.offset,
      db: record.db,
      key: undefined,
    });
  }
}

function readSlotImport({ reader, facts }: OpcodeContext): void {
  skipString(reader);
  const ranges = readLength(reader);
  for (let i = 0; i < ranges; i++) {
    skipNumber(reader);
    skipNumber(reader);
  }
  facts.recordsSkipped++;
}

/** A command in the protocol's form, between the keys. */
function readUpdate({ reader, facts }: OpcodeContext): void {
  const parts = readProtocolNumber(reader, '*');
  for (let i = 0; i < parts; i++) {
    reader.skip(readProtocolNumber(reader, '$'));
    reader.skip(2);
  }
  facts.recordsSkipped++;
}

/** `*3\r\n` and the like. */
function readProtocolNumber(reader: ByteReader, mark: string): number {
  if (reader.u8() !== mark.charCodeAt(0)) {
    throw new RdbError('bad-value', `an inline command does not go on with "${mark}"`, {
      offset: reader.offset - 1,
    });
  }
  let value = 0;
  for (;;) {
    const byte = reader.u8();
    if (byte === 0x0d) break;
    if (byte < 0x30 || byte > 0x39 || value > 2 ** 40) {
      throw new RdbError('bad-value', 'an inline command has a length that is no number', {
        offset: reader.offset - 1,
      });
    }
    value = value * 10 + (byte - 0x30);
  }
  reader.skip(1);
  return value;
}

function skipOneNumber({ reader, facts }: OpcodeContext): void {
  skipNumber(reader);
  facts.recordsSkipped++;
}

function refuseMemcached({ reader }: OpcodeContext): void {
  throw new RdbError(
    'unknown-opcode',
    'a record of Redis Enterprise for its memcached protocol, whose form is not published; export the database without it',
    { offset: reader.offset - 1 },
  );
}

function skipBytes({ reader, facts }: OpcodeContext, count: number): void {
  reader.skip(count);
  facts.recordsSkipped++;
}

/** Flags of the next key: bit 1 announces four bytes more. */
function readKeyMask({ reader, facts }: OpcodeContext): void {
  const mask = reader.u32le();
  if ((mask & 2) !== 0) reader.skip(4);
  facts.recordsSkipped++;
}

function refuseCompressedBlob({ reader }: OpcodeContext): void {
  throw new RdbError(
    'unsupported-value',
    'a compressed block of a Dragonfly snapshot; save it again with --compression_mode=0',
    { offset: reader.offset - 1 },
  );
}
