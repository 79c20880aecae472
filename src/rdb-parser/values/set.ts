import { LONGEST_SHORT, readLength } from '../length.js';
import { INTEGER_CLASS, type Packing, UNKNOWN } from '../records.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** A count, then that many members, in no promised order. */
function decodePlainSet(context: ValueContext): void {
  const { reader, record, visitor, totals } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  totals.clear();
  for (let i = 0; i < count; i++) {
    if (visitor === undefined && !context.meter.classify) {
      i += skimMembers(context, count - i);
      if (i === count) break;
    }
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    context.meter.member(length, context.integer);
    visitor?.member?.(context.text);
    totals.add(length);
  }
  record.setPlain(count, totals.payload, totals.longest);
}

/** Members that are short raw strings and lie in the window whole, nearly all are: returns how many it passed. */
function skimMembers({ reader, meter, totals }: ValueContext, most: number): number {
  const { buffer, end } = reader;
  let { pos } = reader;
  let passed = 0;
  while (passed < most && pos < end) {
    const length = buffer[pos]!;
    if (length > LONGEST_SHORT || pos + 1 + length > end) break;
    pos += 1 + length;
    meter.member(length, INTEGER_CLASS.none);
    totals.add(length);
    passed++;
  }
  reader.pos = pos;
  return passed;
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
  { code: 2, name: 'SET', dataType: 'set', dialects: ALL, writers: 'all', decode: decodePlainSet },
  {
    code: 11,
    name: 'SET_INTSET',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 2.4+, Valkey, KeyDB, Dragonfly',
    oneString: { holds: 'intset', pairs: false },
    decode: (context) => decodePackedSet(context, 'intset'),
  },
  {
    code: 20,
    name: 'SET_LISTPACK',
    dataType: 'set',
    dialects: ALL,
    writers: 'Redis 7.2+, Valkey',
    oneString: { holds: 'listpack', pairs: false },
    decode: (context) => decodePackedSet(context, 'listpack'),
  },
];
