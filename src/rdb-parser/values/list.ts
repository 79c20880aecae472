import { RdbError } from '../errors.js';
import { readLength } from '../length.js';
import { type ListContainer, UNKNOWN } from '../records.js';
import { readStringHead } from '../string.js';
import type { ValueContext, ValueType } from '../value-context.js';

/** Node containers of a quicklist. Source: quicklist.h QUICKLIST_NODE_CONTAINER_PLAIN, _PACKED (Redis 7.0). */
const CONTAINER_PLAIN = 1;
const CONTAINER_PACKED = 2;

/** A count, then that many items in list order. */
function decodePlainList(context: ValueContext): void {
  const { reader, record, visitor } = context;
  const count = readLength(reader);
  record.elementCount = count;
  context.meter.begin(record);
  let payload = 0;
  let longest = 0;
  for (let i = 0; i < count; i++) {
    const length = visitor === undefined ? context.element() : context.elementKept(context.text, visitor);
    context.meter.item(length, context.integer);
    visitor?.item?.(context.text);
    payload += length;
    if (length > longest) longest = length;
  }
  record.setPlain(count, payload, longest);
}

/** One ziplist that is the whole list. */
function decodeZiplistList(context: ValueContext): void {
  const { record } = context;
  context.meter.begin(record);
  const totals = new NodeTotals();
  decodeNode(context, 'ziplist', totals);
  record.packing = 'ziplist';
  record.blobBytes = totals.bytes;
  totals.store(context);
  record.listNodes = 1;
}

/** Quicklist as of 3.2: a node count, then a ziplist each. */
function decodeQuicklist(context: ValueContext): void {
  decodeNodes(context, () => 'ziplist');
}

/** Quicklist as of 7.0: each node says whether it is one plain item or a listpack. */
function decodeQuicklist2(context: ValueContext): void {
  decodeNodes(context, readContainer);
}

function readContainer({ reader }: ValueContext): ListContainer {
  const container = readLength(reader);
  if (container === CONTAINER_PACKED) return 'listpack';
  if (container === CONTAINER_PLAIN) return 'plain';
  throw new RdbError('bad-value', `a list node of container ${container} does not exist`, {
    offset: reader.offset - 1,
  });
}

function decodeNodes(context: ValueContext, container: (context: ValueContext) => ListContainer): void {
  const { reader, record } = context;
  const nodes = readLength(reader);
  context.meter.begin(record);
  const totals = new NodeTotals();
  for (let i = 0; i < nodes; i++) decodeNode(context, container(context), totals);
  totals.store(context);
  record.listNodes = nodes;
}

/** What a list's nodes add up to. */
class NodeTotals {
  elements = 0;
  /** Inflated node bytes. */
  bytes = 0;
  payload = 0;
  longest = 0;
  /** False once a node was passed over unread: then payload and longest element are not known. */
  allSeen = true;

  store(context: ValueContext): void {
    const { record } = context;
    record.blobBytes = this.bytes;
    record.setPlain(
      this.elements,
      this.allSeen ? this.payload : UNKNOWN,
      this.allSeen ? this.longest : UNKNOWN,
    );
  }

  see(length: number): void {
    this.payload += length;
    if (length > this.longest) this.longest = length;
  }
}

function decodeNode(context: ValueContext, container: ListContainer, totals: NodeTotals): void {
  if (container === 'plain') decodePlainNode(context, totals);
  else decodePackedNode(context, container, totals);
}

function decodePlainNode(context: ValueContext, totals: NodeTotals): void {
  const { reader, visitor, head } = context;
  let length: number;
  if (visitor === undefined) {
    readStringHead(reader, head);
    if (context.checks !== undefined) context.checks.passString(head);
    else reader.skip(head.stored);
    length = head.length;
  } else length = context.elementKept(context.text, visitor);
  visitor?.listNode?.('plain', length, 1);
  if (context.meter.listNode('plain', length, 1)) context.meter.item(length, 0);
  visitor?.item?.(context.text);
  totals.elements++;
  totals.bytes += length;
  totals.see(length);
}

function decodePackedNode(
  context: ValueContext,
  container: 'ziplist' | 'listpack',
  totals: NodeTotals,
): void {
  const { cursor, visitor, head, checks } = context;
  if (checks !== undefined) {
    totals.elements += checks.listBlob(container);
    totals.bytes += checks.blobBytes;
    totals.allSeen = false;
    return;
  }
  const announced = context.openBlob(container);
  const bytes = head.length;
  totals.bytes += bytes;
  visitor?.listNode?.(container, bytes, announced);
  const metered = context.meter.listNode(container, bytes, announced);
  if (!metered && !context.deep && visitor === undefined && announced !== UNKNOWN) {
    context.skipBlob();
    totals.elements += announced;
    if (announced > 0) totals.allSeen = false;
    return;
  }
  const keep = visitor === undefined ? undefined : context.text;
  cursor.open(container, head);
  while (cursor.next(keep, visitor?.keepBytes)) {
    if (metered) context.meter.item(cursor.length, cursor.integer);
    visitor?.item?.(context.text);
    totals.see(cursor.length);
  }
  totals.elements += cursor.count;
}

const ALL = ['redis', 'valkey', 'keydb', 'dragonfly'] as const;

/** Every way the file format writes a list. Codes: rdb.h (Redis 7.4). */
export const listTypes: readonly ValueType[] = [
  {
    code: 1,
    name: 'LIST',
    dataType: 'list',
    dialects: ALL,
    writers: 'Redis <= 3.0',
    decode: decodePlainList,
  },
  {
    code: 10,
    name: 'LIST_ZIPLIST',
    dataType: 'list',
    dialects: ALL,
    writers: 'Redis 2.4 - 3.0',
    layout: { holds: 'ziplist' },
    decode: decodeZiplistList,
  },
  {
    code: 14,
    name: 'LIST_QUICKLIST',
    dataType: 'list',
    dialects: ALL,
    writers: 'Redis 3.2 - 6.2, KeyDB, Dragonfly',
    layout: { holds: 'ziplist', node: 'bare' },
    decode: decodeQuicklist,
  },
  {
    code: 18,
    name: 'LIST_QUICKLIST_2',
    dataType: 'list',
    dialects: ALL,
    writers: 'Redis 7.0+, Valkey',
    layout: { holds: 'listpack', node: 'contained' },
    decode: decodeQuicklist2,
  },
];
