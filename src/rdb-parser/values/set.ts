import { readLength } from '../length.js';
import { type Packing, UNKNOWN } from '../records.js';
import { MANY_ELEMENTS } from '../short-lengths.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** A count, then that many members, in no promised order. */
function decodePlainSet(context: ValueContext): void {
  const { reader, record, meter, visitor, totals, lengths } = context;
  const count = readLength(reader);
  record.elementCount = count;
  meter.begin(record);
  totals.clear();
  const skims = visitor === undefined && count >= MANY_ELEMENTS;
  if (skims) lengths.clear();
  for (let i = 0; i < count; i++) {
    if (skims && !meter.classify) {
      i += lengths.skim(reader, count - i, 0);
      if (i === count) break;
    }
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    meter.member(length, context.integer);
    visitor?.member?.(context.text);
    totals.add(length);
  }
  if (skims) lengths.tell(totals, (length, members) => meter.members(length, members));
  record.setPlain(count, totals.payload, totals.longest);
}

function decodePackedSet(context: ValueContext, packing: Packing): void {
  const { record, head, cursor, visitor } = context;
  context.meter.begin(record);
  if (context.checks !== undefined) {
    context.checks.collectionBlob(packing, 'members');
    return;
  }
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
  {
    code: 2,
    name: 'SET',
    dataType: 'set',
    dialects: ALL,
    writers: 'all',
    layout: { holds: 'members' },
    decode: decodePlainSet,
  },
  {
    code: 11,
    name: 'SET_INTSET',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 2.4+, Valkey, KeyDB, Dragonfly',
    layout: { holds: 'intset' },
    decode: (context) => decodePackedSet(context, 'intset'),
  },
  {
    code: 20,
    name: 'SET_LISTPACK',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 7.2+, Valkey',
    layout: { holds: 'listpack' },
    decode: (context) => decodePackedSet(context, 'listpack'),
  },
];
