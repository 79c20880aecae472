import { CONTENT_FROM_BYTES, CONTENT_LOOK_BYTES, contentKindIndex } from '../content.js';
import { integerClassOf, integerClassOfText } from '../integer-class.js';
import { INTEGER_CLASS } from '../records.js';
import { readStringHead } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** Longer text is never an integer. Source: object.c tryObjectEncoding (Redis 7.2). */
const LONGEST_INTEGER_TEXT = 20;

function decodeString(context: ValueContext): void {
  const { reader, record, head, visitor } = context;
  context.meter.begin(record);
  readStringHead(reader, head);
  record.elementCount = 1;
  record.payloadBytes = head.length;
  record.longestElementBytes = head.length;
  if (head.form === 'integer') record.integerClass = integerClassOf(head.integer);
  else if (head.form === 'raw' && head.length <= LONGEST_INTEGER_TEXT) {
    reader.ensure(head.length);
    record.integerClass = integerClassOfText(reader.buffer, reader.pos, head.length);
  } else record.integerClass = INTEGER_CLASS.none;
  if (context.checks !== undefined) {
    context.checks.passString(head);
    return;
  }
  if (head.length >= CONTENT_FROM_BYTES) {
    context.peek.look(reader, head, CONTENT_LOOK_BYTES);
    const { bytes, at, count } = context.peek;
    record.contentKind = contentKindIndex(bytes, at, count);
  }
  if (visitor === undefined) {
    reader.skip(head.stored);
    return;
  }
  context.text.read(reader, head, visitor.keepBytes);
  visitor.item?.(context.text);
}

export const stringTypes: readonly ValueType[] = [
  {
    code: 0,
    name: 'STRING',
    dataType: 'string',
    dialects: ['redis', 'valkey', 'keydb', 'dragonfly'],
    writers: 'all',
    layout: { holds: 'text' },
    decode: decodeString,
  },
];
