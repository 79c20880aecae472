import { RdbError } from '../errors.js';
import { readLength, readNumber64 } from '../length.js';
import { type ElementVisitor, type Packing, UNKNOWN } from '../records.js';
import { MANY_PAIRS } from '../short-lengths.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** "No expiry" of a field in Valkey's form. Source: hash entry EXPIRY_NONE (Valkey 9.0). */
const VALKEY_NO_EXPIRY = -1n;

/** A count, then field and value in turn. */
function decodePlainHash(context: ValueContext): void {
  const { reader, record, meter, totals, pairLengths } = context;
  const count = readLength(reader);
  record.elementCount = count;
  meter.begin(record);
  totals.clear();
  const skims = context.visitor === undefined && count >= MANY_PAIRS;
  if (skims) pairLengths.clear();
  for (let i = 0; i < count; i++) {
    if (skims && !meter.classify) {
      i += pairLengths.skimPairs(reader, count - i);
      if (i === count) break;
    }
    decodePair(context, noExpiry, noExpiry);
  }
  if (skims) pairLengths.tellPairs(totals, (field, value, pairs) => meter.pairs(field, value, pairs));
  record.setPlain(count, totals.payload, totals.longest);
}

/** Redis 7.4: the soonest expiry, then each field's own, counted from it plus one, before the field. */
function decodeHashMetadata(context: ValueContext): void {
  const soonest = Number(context.reader.i64le());
  decodePairs(
    context,
    ({ reader }) => {
      const relative = Number(readNumber64(reader));
      return relative === 0 ? 0 : soonest + relative - 1;
    },
    noExpiry,
  );
}

/** Release candidates of Redis 7.4: absolute expiries before the field. */
function decodeHashMetadataPreGa(context: ValueContext): void {
  decodePairs(context, ({ reader }) => Number(readNumber64(reader)), noExpiry);
}

/** Valkey 9: absolute expiries behind the value. */
function decodeValkeyHash(context: ValueContext): void {
  decodePairs(context, noExpiry, ({ reader }) => {
    const expiry = reader.i64le();
    return expiry === VALKEY_NO_EXPIRY ? 0 : Number(expiry);
  });
}

function noExpiry(): number {
  return 0;
}

function decodePairs(
  context: ValueContext,
  expiryBefore: (context: ValueContext) => number,
  expiryBehind: (context: ValueContext) => number,
): void {
  const { reader, record, totals } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  totals.clear();
  for (let i = 0; i < count; i++) decodePair(context, expiryBefore, expiryBehind);
  record.setPlain(count, totals.payload, totals.longest);
}

/** One field and its value. The expiries are absolute, 0 for none. */
function decodePair(
  context: ValueContext,
  expiryBefore: (context: ValueContext) => number,
  expiryBehind: (context: ValueContext) => number,
): void {
  const { record, visitor, totals, text, secondText } = context;
  const before = expiryBefore(context);
  const fieldLength = visitor === undefined ? context.element() : context.elementKept(text, visitor);
  const fieldInteger = context.integer;
  const valueLength = visitor === undefined ? context.element() : context.elementKept(secondText, visitor);
  const valueInteger = context.integer;
  const behind = expiryBehind(context);
  const ttlMs = before !== 0 ? before : behind;
  if (ttlMs !== 0) record.addFieldExpiry(ttlMs);
  context.meter.pair(fieldLength, fieldInteger, valueLength, valueInteger, ttlMs);
  visitor?.pair?.(text, secondText, ttlMs);
  totals.add(fieldLength);
  totals.add(valueLength);
}

/** Field and value take turns in the blob. */
function decodePackedHash(context: ValueContext, packing: Packing): void {
  const { record, head, visitor } = context;
  context.meter.begin(record);
  if (context.checks !== undefined) {
    context.checks.collectionBlob(packing, 'pairs');
    return;
  }
  const announced = context.openBlob(packing);
  const count = announced === UNKNOWN ? UNKNOWN : Math.floor(announced / 2);
  record.packing = packing;
  record.blobBytes = head.length;
  record.elementCount = count;
  const metered = context.meter.blob(packing, count, head.length);
  if (!metered && !context.deep && visitor === undefined && announced !== UNKNOWN) {
    if (announced % 2 === 1) throw unevenCount(context, announced, 2);
    context.skipBlob();
    return;
  }
  walkPairs(context, packing, metered, visitor, false);
}

/** Redis 7.4: field, value and absolute expiry (0 for none) take turns; walked for the number of expiries. */
function decodeListpackEx(context: ValueContext): void {
  const { record, head, visitor } = context;
  context.meter.begin(record);
  if (context.checks !== undefined) {
    context.checks.collectionBlob('listpack', 'pairs-with-expiry');
    return;
  }
  const announced = context.openBlob('listpack');
  const count = announced === UNKNOWN ? UNKNOWN : Math.floor(announced / 3);
  record.packing = 'listpack';
  record.blobBytes = head.length;
  record.elementCount = count;
  const metered = context.meter.blob('listpack', count, head.length);
  walkPairs(context, 'listpack', metered, visitor, true);
}

function decodeListpackExGa(context: ValueContext): void {
  context.reader.skip(8); // the soonest expiry: the walk finds it again
  decodeListpackEx(context);
}

function walkPairs(
  context: ValueContext,
  packing: Packing,
  metered: boolean,
  visitor: ElementVisitor | undefined,
  withExpiry: boolean,
): void {
  const { record, head, cursor, text, secondText } = context;
  const group = withExpiry ? 3 : 2;
  let payload = 0;
  let longest = 0;
  cursor.open(packing, head);
  while (cursor.next(visitor === undefined ? undefined : text, visitor?.keepBytes)) {
    const fieldLength = cursor.length;
    const fieldInteger = cursor.integer;
    if (!cursor.next(visitor === undefined ? undefined : secondText, visitor?.keepBytes)) {
      throw unevenCount(context, cursor.count, group);
    }
    const valueLength = cursor.length;
    const valueInteger = cursor.integer;
    let ttlMs = 0;
    if (withExpiry) {
      if (!cursor.next()) throw unevenCount(context, cursor.count, group);
      if (!cursor.isInteger) throw cursor.fault('a field has an expiry that is no integer');
      ttlMs = cursor.value;
      if (ttlMs !== 0) record.addFieldExpiry(ttlMs);
    }
    if (metered) context.meter.pair(fieldLength, fieldInteger, valueLength, valueInteger, ttlMs);
    visitor?.pair?.(text, secondText, ttlMs);
    payload += fieldLength + valueLength;
    longest = Math.max(longest, fieldLength, valueLength);
  }
  record.setPlain(cursor.count / group, payload, longest);
}

/** Valkey 9.2: paths, each with fields and values of its own. The element count is that of all fields. */
function decodePathHash(context: ValueContext): void {
  const { reader, record, totals } = context;
  const paths = readLength(reader);
  record.elementCount = UNKNOWN;
  context.meter.begin(record);
  totals.clear();
  let fields = 0;
  for (let i = 0; i < paths; i++) {
    totals.add(context.element());
    const count = readLength(reader);
    for (let j = 0; j < count; j++) decodePair(context, noExpiry, noExpiry);
    fields += count;
  }
  record.setPlain(fields, totals.payload, totals.longest);
}

/** Dragonfly: field, value and expiry (decimal text on a clock of its own, -1 for none) as strings. */
function decodeDragonflyHash(context: ValueContext): void {
  const { record, expiryText } = context;
  decodePairs(context, noExpiry, () => {
    context.readText(context.head);
    if (expiryText.text() !== '-1') record.fieldsWithTtl++;
    return 0;
  });
}

function unevenCount(context: ValueContext, elements: number, group: number): RdbError {
  return new RdbError('bad-count', `a packed hash holds ${elements} elements, not a multiple of ${group}`, {
    offset: context.reader.offset,
  });
}

const ALL = ['redis', 'valkey', 'keydb', 'dragonfly'] as const;
const REDIS = ['redis'] as const;
const VALKEY = ['valkey'] as const;

/** Every way the file format writes a hash. Codes: rdb.h (Redis 7.4 and 8.8, Valkey 9.1), Dragonfly's rdb_extensions.h. */
export const hashTypes: readonly ValueType[] = [
  {
    code: 4,
    name: 'HASH',
    dataType: 'hash',
    dialects: ALL,
    writers: 'all',
    layout: { holds: 'pairs' },
    decode: decodePlainHash,
  },
  {
    code: 9,
    name: 'HASH_ZIPMAP',
    dataType: 'hash',
    dialects: ALL,
    writers: 'Redis 2.4',
    decode: (context) => decodePackedHash(context, 'zipmap'),
  },
  {
    code: 13,
    name: 'HASH_ZIPLIST',
    dataType: 'hash',
    dialects: ALL,
    writers: 'Redis 2.6 - 6.2, KeyDB, Dragonfly',
    layout: { holds: 'ziplist', pairs: true },
    decode: (context) => decodePackedHash(context, 'ziplist'),
  },
  {
    code: 16,
    name: 'HASH_LISTPACK',
    dataType: 'hash',
    dialects: ALL,
    writers: 'Redis 7.0+, Valkey',
    layout: { holds: 'listpack', pairs: true },
    decode: (context) => decodePackedHash(context, 'listpack'),
  },
  {
    code: 22,
    name: 'HASH_METADATA_PRE_GA',
    dataType: 'hash',
    dialects: REDIS,
    writers: 'Redis 7.4 release candidates',
    decode: decodeHashMetadataPreGa,
  },
  {
    code: 22,
    name: 'HASH_2',
    dataType: 'hash',
    dialects: VALKEY,
    writers: 'Valkey 9.0+',
    decode: decodeValkeyHash,
  },
  {
    code: 23,
    name: 'HASH_LISTPACK_EX_PRE_GA',
    dataType: 'hash',
    dialects: REDIS,
    writers: 'Redis 7.4 release candidates',
    decode: decodeListpackEx,
  },
  {
    code: 23,
    name: 'PATH_HASH',
    dataType: 'hash',
    dialects: VALKEY,
    writers: 'Valkey 9.2',
    decode: decodePathHash,
  },
  {
    code: 24,
    name: 'HASH_METADATA',
    dataType: 'hash',
    dialects: REDIS,
    writers: 'Redis 7.4+',
    decode: decodeHashMetadata,
  },
  {
    code: 25,
    name: 'HASH_LISTPACK_EX',
    dataType: 'hash',
    dialects: REDIS,
    writers: 'Redis 7.4+',
    decode: decodeListpackExGa,
  },
  {
    code: 31,
    name: 'HASH_WITH_EXPIRY',
    dataType: 'hash',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    decode: decodeDragonflyHash,
  },
];
