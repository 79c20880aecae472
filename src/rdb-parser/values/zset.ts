import { RdbError } from '../errors.js';
import { readLength } from '../length.js';
import { type Packing, UNKNOWN } from '../records.js';
import { MANY_ELEMENTS } from '../short-lengths.js';
import type { StringBytes } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** A binary score: IEEE 754 double, little-endian. */
const SCORE_BYTES = 8;
/** Lengths of a text score that stand for values. Source: rdb.c rdbLoadDoubleValue (Redis 7.2). */
const SCORE_NAN = 253;
const SCORE_PLUS_INFINITY = 254;
const SCORE_MINUS_INFINITY = 255;

function decodePlainZset(context: ValueContext, readScore: (context: ValueContext) => number): void {
  const { reader, record, meter, visitor, totals, lengths } = context;
  const count = readLength(reader);
  record.elementCount = count;
  meter.begin(record);
  totals.clear();
  const skims = readScore === readBinaryScore && visitor === undefined && count >= MANY_ELEMENTS;
  if (skims) lengths.clear();
  let notNumbers = 0;
  for (let i = 0; i < count; i++) {
    if (skims && !meter.classify) {
      i += lengths.skim(reader, count - i, SCORE_BYTES);
      if (i === count) break;
    }
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    const { integer } = context;
    const score = readScore(context);
    if (Number.isNaN(score)) notNumbers++;
    meter.scored(length, integer, score);
    visitor?.scored?.(context.text, score);
    totals.add(length);
  }
  if (skims) lengths.tell(totals, (length, members) => meter.scoredMembers(length, members));
  record.setPlain(count, totals.payload, totals.longest);
  reportNotNumbers(context, notNumbers);
}

function readTextScore({ reader }: ValueContext): number {
  const length = reader.u8();
  if (length === SCORE_NAN) return Number.NaN;
  if (length === SCORE_PLUS_INFINITY) return Number.POSITIVE_INFINITY;
  if (length === SCORE_MINUS_INFINITY) return Number.NEGATIVE_INFINITY;
  reader.ensure(length);
  const text = latin1(reader.buffer, reader.pos, length);
  const score = parseScore(text);
  if (score === undefined) {
    throw new RdbError('bad-value', `a score's text is no number: ${JSON.stringify(text.slice(0, 40))}`, {
      offset: reader.offset,
    });
  }
  reader.pos += length;
  return score;
}

function readBinaryScore({ reader }: ValueContext): number {
  return reader.f64le();
}

/** Member and score take turns in the blob. */
function decodePackedZset(context: ValueContext, packing: Packing): void {
  const { record, head, cursor, visitor, text, secondText } = context;
  context.meter.begin(record);
  if (context.checks !== undefined) {
    context.checks.collectionBlob(packing, 'scored');
    return;
  }
  const announced = context.openBlob(packing);
  const count = announced === UNKNOWN ? UNKNOWN : Math.floor(announced / 2);
  record.packing = packing;
  record.blobBytes = head.length;
  record.elementCount = count;
  const metered = context.meter.blob(packing, count, head.length);
  if (!metered && !context.deep && visitor === undefined && announced !== UNKNOWN) {
    if (announced % 2 === 1) throw oddCount(context, announced);
    context.skipBlob();
    return;
  }
  let payload = 0;
  let longest = 0;
  let notNumbers = 0;
  cursor.open(packing, head);
  while (cursor.next(visitor === undefined ? undefined : text, visitor?.keepBytes)) {
    const { length, integer } = cursor;
    if (!cursor.next(secondText, LONGEST_SCORE_TEXT)) throw oddCount(context, cursor.count);
    const score = cursor.isInteger ? cursor.value : packedScore(secondText);
    if (Number.isNaN(score)) notNumbers++;
    if (metered) context.meter.scored(length, integer, score);
    visitor?.scored?.(text, score);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(cursor.count / 2, payload, longest);
  reportNotNumbers(context, notNumbers);
}

/** Longer text is no score of a server's. Source: util.c MAX_LONG_DOUBLE_CHARS is above it, d2string stays below 32. */
const LONGEST_SCORE_TEXT = 128;

/** Servers do not look at a packed score's text on load; what is no number counts as NaN here. */
function packedScore(text: StringBytes): number {
  return parseScore(latin1(text.bytes, 0, text.kept)) ?? Number.NaN;
}

function parseScore(text: string): number | undefined {
  if (text === 'inf' || text === '+inf') return Number.POSITIVE_INFINITY;
  if (text === '-inf') return Number.NEGATIVE_INFINITY;
  if (/^[-+]?nan$/i.test(text)) return Number.NaN;
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

function latin1(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function oddCount(context: ValueContext, elements: number): RdbError {
  return new RdbError('bad-count', `a packed zset holds ${elements} elements, an odd number`, {
    offset: context.reader.offset,
  });
}

function reportNotNumbers(context: ValueContext, count: number): void {
  if (count > 0)
    context.problem(
      'nan-score',
      'warning',
      `a zset has ${count} scores that are no numbers; servers refuse it`,
    );
}

const ALL = ['redis', 'valkey', 'keydb', 'dragonfly'] as const;

/** Every way the file format writes a sorted set. Codes: rdb.h (Redis 7.4). */
export const zsetTypes: readonly ValueType[] = [
  {
    code: 3,
    name: 'ZSET',
    dataType: 'zset',
    dialects: ALL,
    writers: 'Redis <= 3.2',
    decode: (context) => decodePlainZset(context, readTextScore),
  },
  {
    code: 5,
    name: 'ZSET_2',
    dataType: 'zset',
    dialects: ALL,
    writers: 'Redis 4.0+, Valkey, KeyDB, Dragonfly',
    layout: { holds: 'scored' },
    decode: (context) => decodePlainZset(context, readBinaryScore),
  },
  {
    code: 12,
    name: 'ZSET_ZIPLIST',
    dataType: 'zset',
    dialects: ALL,
    writers: 'Redis 2.4 - 6.2, KeyDB, Dragonfly',
    layout: { holds: 'ziplist', pairs: true },
    decode: (context) => decodePackedZset(context, 'ziplist'),
  },
  {
    code: 17,
    name: 'ZSET_LISTPACK',
    dataType: 'zset',
    dialects: ALL,
    writers: 'Redis 7.0+, Valkey',
    layout: { holds: 'listpack', pairs: true },
    decode: (context) => decodePackedZset(context, 'listpack'),
  },
];
