import { readLength } from '../length.js';
import { type Packing, UNKNOWN } from '../records.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** A count, then that many members, in no promised order. */
function decodePlainSet(context: ValueContext): void {
  const { reader, record, visitor } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  let payload = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    context.meter.member(length, context.integer);
    visitor?.member?.(context.text);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(count, payload, longest);
}

function decodePackedSet(context: ValueContext, packing: Packing): void {
  const { record, head, cursor, visitor } = context;
  context.meter.begin(record);
  const announced = context.openBlob(packing);
  record.packing = packing;
  record.blobBytes = head.length;
  record.elementCount = announced;
  const metered = context.meter.blob(packing, announced, head.length);
  if (!metered && !context.deep && visitor === undefined && announced !== UNKNOWN) {
    context.skipBlob();
    return;
  }
  let payload = 0;
  let longest = 0;
  const keep = visitor === undefined ? undefined : context.text;
  cursor.open(packing, head);
  while (cursor.next(keep, visitor?.keepBytes)) {
    if (metered) context.meter.member(cursor.length, cursor.integer);
    visitor?.member?.(context.text);
    payload += cursor.length;
    if (cursor.length > longest) longest = cursor.length;
  }
  record.setPlain(cursor.count, payload, longest);
}

const ALL = ['redis', 'valkey', 'keydb', 'dragonfly'] as const;

/** Every way the file format writes a set. Codes: rdb.h (Redis 7.4). */
export const setTypes: readonly ValueType[] = [
  { code: 2, name: 'SET', dataType: 'set', dialects: ALL, writers: 'all', decode: decodePlainSet },
  {
    code: 11,
    name: 'SET_INTSET',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 2.4+, Valkey, KeyDB, Dragonfly',
    decode: (context) => decodePackedSet(context, 'intset'),
  },
  {
    code: 20,
    name: 'SET_LISTPACK',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 7.2+, Valkey',
    decode: (context) => decodePackedSet(context, 'listpack'),
  },
];
