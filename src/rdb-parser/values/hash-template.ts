import { RdbError } from '../errors.js';
import type { HashTemplate } from '../hash-templates.js';
import { readLength } from '../length.js';
import { UNKNOWN } from '../records.js';
import { skipString } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/*
 * Hash templates (Redis 8.10): field names shared by many hashes. A snapshot lists them first (opcode 242), its hashes
 * name one by id and hold values only; DUMP payloads carry the names along.
 */

/** How the names stand in a self-contained value. */
const NAMES_LISTPACK = 0;
const NAMES_STRINGS = 1;

/** Templates a snapshot may list; more are damage. */
const MAX_TEMPLATES = 2 ** 20;

/** Opcode 242: id, field count, names. */
export function readHashTemplate(context: ValueContext): void {
  const { reader, templates } = context;
  const id = readLength(reader);
  const template = readNames(context, readLength(reader));
  if (templates.size >= MAX_TEMPLATES) {
    throw new RdbError('bad-count', `more than ${MAX_TEMPLATES} hash templates`, { offset: reader.offset });
  }
  templates.set(id, template);
}

function readNames({ reader }: ValueContext, fields: number): HashTemplate {
  let nameBytes = 0;
  for (let i = 0; i < fields; i++) nameBytes += skipString(reader);
  return { fields, nameBytes };
}

/** Names in front of a self-contained value. */
function readOwnNames(context: ValueContext): HashTemplate {
  const { reader } = context;
  const format = readLength(reader);
  if (format === NAMES_STRINGS) return readNames(context, readLength(reader));
  if (format !== NAMES_LISTPACK) {
    throw new RdbError('bad-value', `template names of format ${format} do not exist`, {
      offset: reader.offset - 1,
    });
  }
  context.openBlob('listpack');
  context.cursor.open('listpack', context.head);
  let nameBytes = 0;
  while (context.cursor.next()) nameBytes += context.cursor.length;
  return { fields: context.cursor.count, nameBytes };
}

function templateOf({ reader, templates }: ValueContext, id: number): HashTemplate {
  const template = templates.get(id);
  if (template !== undefined) return template;
  throw new RdbError('bad-value', `hash template ${id} is not in the snapshot`, { offset: reader.offset });
}

/** Values as strings, in the template's order. */
function decodeValues(context: ValueContext, template: HashTemplate): void {
  const { record, text } = context;
  record.elementCount = template.fields;
  context.meter.begin(record);
  let payload = template.nameBytes;
  let longest = 0;
  text.setText('');
  for (let i = 0; i < template.fields; i++) {
    const { visitor } = context;
    const length =
      visitor === undefined ? context.element() : context.elementKept(context.secondText, visitor);
    context.meter.pair(0, 0, length, context.integer, 0);
    visitor?.pair?.(text, context.secondText, 0);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(template.fields, payload, longest);
}

/** Values in a listpack whose first element is the template's id. */
function decodePackedValues(context: ValueContext): void {
  const { record, head, cursor } = context;
  context.meter.begin(record);
  const announced = context.openBlob('listpack');
  record.packing = 'listpack';
  record.blobBytes = head.length;
  context.meter.blob('listpack', announced === UNKNOWN ? UNKNOWN : announced - 1, head.length);
  const { visitor } = context;
  if (visitor === undefined && announced !== UNKNOWN && announced > 0) {
    record.elementCount = announced - 1;
    context.skipBlob();
    return;
  }
  cursor.open('listpack', head);
  context.text.setText(''); // names are not kept
  const keep = visitor === undefined ? undefined : context.secondText;
  while (cursor.next(keep, visitor?.keepBytes)) {
    if (cursor.count > 1) visitor?.pair?.(context.text, context.secondText, 0);
  }
  if (cursor.count === 0) throw cursor.fault('it has no template id');
  record.elementCount = cursor.count - 1;
}

const REDIS = ['redis'] as const;
const WRITERS = 'Redis 8.10';

export const hashTemplateTypes: readonly ValueType[] = [
  {
    code: 29,
    name: 'HASH_TMPL_LP',
    dataType: 'hash',
    dialects: REDIS,
    writers: `${WRITERS} (DUMP payloads)`,
    decode: (context) => {
      readOwnNames(context);
      decodePackedValues(context);
    },
  },
  {
    code: 30,
    name: 'HASH_TMPL_LP_REF',
    dataType: 'hash',
    dialects: REDIS,
    writers: WRITERS,
    decode: decodePackedValues,
  },
  {
    code: 31,
    name: 'HASH_TMPL_ARRAY',
    dataType: 'hash',
    dialects: REDIS,
    writers: `${WRITERS} (DUMP payloads)`,
    decode: (context) => decodeValues(context, readOwnNames(context)),
  },
  {
    code: 32,
    name: 'HASH_TMPL_ARRAY_REF',
    dataType: 'hash',
    dialects: REDIS,
    writers: WRITERS,
    decode: (context) => decodeValues(context, templateOf(context, readLength(context.reader))),
  },
];
