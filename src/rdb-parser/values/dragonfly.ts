import { readLength } from '../length.js';
import { UNKNOWN } from '../records.js';
import { readStringHead } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** A JSON document as text. */
function decodeJson(context: ValueContext): void {
  const { reader, record, head } = context;
  context.meter.begin(record);
  readStringHead(reader, head);
  reader.skip(head.stored);
  record.setPlain(1, head.length, head.length);
}

/** Member and expiry (decimal text on a clock of its own, -1 for none) as strings. */
function decodeSetWithExpiry(context: ValueContext): void {
  const { reader, record, head, visitor } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  let payload = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    const { integer } = context;
    visitor?.member?.(context.text);
    context.readText(head);
    if (context.expiryText.text() !== '-1') record.fieldsWithTtl++;
    context.meter.member(length, integer);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(count, payload, longest);
}

/** Count-min sketch: width, depth, total, then the counters. */
function decodeCountMinSketch(context: ValueContext): void {
  const { reader, record } = context;
  context.meter.begin(record);
  const width = readLength(reader);
  const depth = readLength(reader);
  readLength(reader);
  reader.skip(8 * width * depth);
  record.elementCount = UNKNOWN;
}

export const dragonflyTypes: readonly ValueType[] = [
  {
    code: 30,
    name: 'JSON',
    dataType: 'json',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    decode: decodeJson,
  },
  {
    code: 32,
    name: 'SET_WITH_EXPIRY',
    dataType: 'set',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    decode: decodeSetWithExpiry,
  },
  {
    code: 35,
    name: 'CMS',
    dataType: 'sketch',
    dialects: ['dragonfly'],
    writers: 'Dragonfly',
    decode: decodeCountMinSketch,
  },
];
