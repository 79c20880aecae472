import { RdbError } from '../errors.js';
import { readLength, readNumber64, skipNumber } from '../length.js';
import { UNKNOWN } from '../records.js';
import { readStringHead, skipString } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

const ID_BYTES = 16;
/** Pending entry: id, then delivery time. */
const PENDING_BYTES = ID_BYTES + 8;
/** Groups kept by name for one key; the totals count all. */
const MAX_GROUP_FACTS = 10_000;
/** Bytes of a group's or consumer's name that are kept. */
const MAX_NAME_BYTES = 2 ** 12;

/**
 * A stream: nodes of entries, its ids, consumer groups. `version` 1 is Redis 5.0's; 2 (7.0) adds ids of deleted
 * entries, 3 (7.2) the consumers' active time, 4 (8.6) idempotent producers, 5 (8.8) entries given back.
 */
function decodeStream(context: ValueContext, version: number): void {
  const { reader, record } = context;
  const { stream } = record;
  context.meter.begin(record);
  stream.nodes = readLength(reader);
  stream.listpackBytes = 0;
  for (let i = 0; i < stream.nodes; i++) decodeNode(context);
  record.elementCount = readLength(reader);
  context.checks?.streamLength(record.elementCount);
  stream.lastIdMs = readNumber64(reader);
  stream.lastIdSeq = readNumber64(reader);
  if (version >= 2) for (let i = 0; i < 5; i++) skipNumber(reader); // first id, last deleted id, entries added
  stream.groups = readLength(reader);
  stream.consumers = stream.pending = 0;
  stream.oldestPendingMs = UNKNOWN;
  stream.groupFacts = [];
  for (let i = 0; i < stream.groups; i++) decodeGroup(context, version);
  if (version >= 4) skipProducers(context);
}

function decodeNode(context: ValueContext): void {
  const { reader, record, head, text, visitor } = context;
  readStringHead(reader, head);
  if (head.length !== ID_BYTES) {
    throw new RdbError('bad-value', `a stream node's id has ${head.length} bytes, not ${ID_BYTES}`, {
      offset: reader.offset,
    });
  }
  text.read(reader, head, ID_BYTES);
  if (context.checks !== undefined) {
    context.checks.streamBlob();
    record.stream.listpackBytes += context.checks.blobBytes;
    return;
  }
  context.openBlob('listpack');
  const bytes = head.length;
  record.stream.listpackBytes += bytes;
  context.meter.streamNode(text.bytes, 0, bytes);
  visitor?.streamNode?.(idHalf(text.bytes, 0), idHalf(text.bytes, 8), bytes);
  context.skipBlob();
}

function decodeGroup(context: ValueContext, version: number): void {
  const { reader, record, head, text, visitor } = context;
  const { stream } = record;
  readStringHead(reader, head);
  text.read(reader, head, MAX_NAME_BYTES);
  context.meter.streamGroup(text.bytes, 0, text.kept);
  const keepFacts = stream.groupFacts.length < MAX_GROUP_FACTS;
  const name = keepFacts ? text.copy() : undefined;
  const lastIdMs = readNumber64(reader);
  const lastIdSeq = readNumber64(reader);
  visitor?.streamGroup?.(text, lastIdMs, lastIdSeq);
  if (version >= 2) skipNumber(reader); // entries read
  const pending = readLength(reader);
  let oldest = UNKNOWN;
  for (let i = 0; i < pending; i++) {
    reader.ensure(PENDING_BYTES);
    context.meter.streamPending(reader.buffer, reader.pos);
    reader.pos += ID_BYTES;
    const low = reader.u32le();
    const deliveredMs = (reader.u32le() | 0) * 2 ** 32 + low;
    if (oldest === UNKNOWN || deliveredMs < oldest) oldest = deliveredMs;
    skipNumber(reader); // delivery count
  }
  const consumers = readLength(reader);
  for (let i = 0; i < consumers; i++) decodeConsumer(context, version);
  if (version >= 5) passGivenBack(context, readLength(reader));
  stream.pending += pending;
  stream.consumers += consumers;
  if (oldest !== UNKNOWN && (stream.oldestPendingMs === UNKNOWN || oldest < stream.oldestPendingMs)) {
    stream.oldestPendingMs = oldest;
  }
  if (name !== undefined) {
    stream.groupFacts.push({ name, lastIdMs, lastIdSeq, consumers, pending, oldestPendingMs: oldest });
  }
}

function decodeConsumer(context: ValueContext, version: number): void {
  const { reader, head, text, visitor } = context;
  readStringHead(reader, head);
  text.read(reader, head, MAX_NAME_BYTES);
  context.meter.streamConsumer(text.bytes, 0, text.kept);
  const seenMs = reader.i64le();
  const activeMs = version >= 3 ? reader.i64le() : seenMs;
  const pending = readLength(reader);
  for (let i = 0; i < pending; i++) {
    reader.ensure(ID_BYTES);
    context.meter.streamConsumerPending(reader.buffer, reader.pos);
    reader.pos += ID_BYTES;
  }
  visitor?.streamConsumer?.(text, seenMs, activeMs, pending);
}

function skipProducers({ reader }: ValueContext): void {
  skipNumber(reader); // how long ids are remembered
  skipNumber(reader); // how many
  const producers = readLength(reader);
  for (let i = 0; i < producers; i++) {
    skipString(reader);
    const entries = readLength(reader);
    for (let j = 0; j < entries; j++) {
      skipString(reader);
      skipNumber(reader);
      skipNumber(reader);
    }
  }
  skipNumber(reader); // ids added
  skipNumber(reader); // duplicates met
}

/** Pending ids that no consumer has. */
function passGivenBack({ reader, meter }: ValueContext, count: number): void {
  for (let i = 0; i < count; i++) {
    reader.ensure(ID_BYTES);
    meter.streamGivenBack?.(reader.buffer, reader.pos);
    reader.pos += ID_BYTES;
  }
}

/** Half of a stream id: 8 bytes big-endian. */
function idHalf(bytes: Uint8Array, at: number): bigint {
  let value = 0n;
  for (let i = at; i < at + 8; i++) value = (value << 8n) | BigInt(bytes[i]!);
  return value;
}

/** Every way the file format writes a stream. Codes: rdb.h (Redis 7.4, 8.6, 8.8). */
export const streamTypes: readonly ValueType[] = [
  {
    code: 15,
    name: 'STREAM_LISTPACKS',
    dataType: 'stream',
    dialects: ['redis', 'valkey', 'keydb', 'dragonfly'],
    writers: 'Redis 5.0 - 6.2, KeyDB, Dragonfly',
    layout: { holds: 'stream', version: 1 },
    decode: (context) => decodeStream(context, 1),
  },
  {
    code: 19,
    name: 'STREAM_LISTPACKS_2',
    dataType: 'stream',
    dialects: ['redis', 'valkey', 'dragonfly'],
    writers: 'Redis 7.0',
    layout: { holds: 'stream', version: 2 },
    decode: (context) => decodeStream(context, 2),
  },
  {
    code: 21,
    name: 'STREAM_LISTPACKS_3',
    dataType: 'stream',
    dialects: ['redis', 'valkey', 'dragonfly'],
    writers: 'Redis 7.2+, Valkey',
    layout: { holds: 'stream', version: 3 },
    decode: (context) => decodeStream(context, 3),
  },
  {
    code: 26,
    name: 'STREAM_LISTPACKS_4',
    dataType: 'stream',
    dialects: ['redis'],
    writers: 'Redis 8.6',
    decode: (context) => decodeStream(context, 4),
  },
  {
    code: 27,
    name: 'STREAM_LISTPACKS_5',
    dataType: 'stream',
    dialects: ['redis'],
    writers: 'Redis 8.8+',
    decode: (context) => decodeStream(context, 5),
  },
];
