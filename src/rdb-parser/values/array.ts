import { RdbError } from '../errors.js';
import { readLength, readNumberHalves, skipNumber } from '../length.js';
import { UNKNOWN } from '../records.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** What stands behind an index. Source: rdb.c, array type (Redis 8.8). */
const TAG_STRING = 0;
const TAG_INTEGER = 1;
const TAG_DOUBLE = 2;
const TAG_SHORT_STRING = 3;

const indexHalves = new Uint32Array(2);

/** A sparse array: pairs of index and value, ascending. The element count is that of the values present (ARCOUNT). */
function decodeArray(context: ValueContext): void {
  const { reader, record, visitor, text } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  if (readLength(reader) === 1) skipNumber(reader); // where the next insertion goes
  let payload = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    readNumberHalves(reader, indexHalves);
    const [high, low] = [indexHalves[0]!, indexHalves[1]!];
    const tag = readLength(reader);
    let length: number;
    if (tag === TAG_STRING || tag === TAG_SHORT_STRING) {
      length = visitor === undefined ? context.element() : context.elementKept(text, visitor);
    } else if (tag === TAG_INTEGER || tag === TAG_DOUBLE) {
      length = 8;
      if (visitor === undefined) reader.skip(8);
      else text.setText(tag === TAG_INTEGER ? String(reader.i64le()) : String(reader.f64le()));
    } else {
      throw new RdbError('bad-value', `an array value of kind ${tag} does not exist`, {
        offset: reader.offset - 1,
      });
    }
    context.meter.arrayElement(high, low, tag, length);
    visitor?.arrayElement?.((BigInt(high) << 32n) | BigInt(low), text);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(count, payload, longest);
}

/** A rate limiter's state: one number. Held out of releases. */
function decodeGcra(context: ValueContext): void {
  const { reader, record } = context;
  context.meter.begin(record);
  skipNumber(reader);
  record.setPlain(1, UNKNOWN, UNKNOWN);
}

export const arrayTypes: readonly ValueType[] = [
  {
    code: 28,
    name: 'ARRAY',
    dataType: 'array',
    dialects: ['redis'],
    writers: 'Redis 8.8+',
    decode: decodeArray,
  },
  {
    code: 33,
    name: 'GCRA',
    dataType: 'gcra',
    dialects: ['redis'],
    writers: 'development builds of Redis 8.8',
    decode: decodeGcra,
  },
];
