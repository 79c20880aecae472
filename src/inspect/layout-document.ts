import { printableBytes } from '../rdb-parser/printable.js';
import type { Cell, ColumnKind, ReportDocument, ReportSection } from '../report/document.js';
import type { Inspection } from './inspect.js';
import type { ElementText, KeyLayout, LongElement } from './key-layout.js';

/** A key's layout as a document, to be shown in any format. */
export function layoutDocument({ input, layout, warnings }: Inspection): ReportDocument {
  return {
    id: 'inspect',
    title: `Key ${printableBytes(layout.key)}`,
    summary: 'How one key lies in its snapshot, and what stands out in it.',
    parameters: {},
    notes: warnings.map((warning) => ({ severity: 'warning', text: [warning] })),
    sections: [
      keySection(input, layout),
      ...nodeSections(layout),
      ...streamSections(layout),
      ...elementSections(layout),
    ].filter((section) => section.rows.length > 0),
  };
}

type Fact = readonly [name: string, title: string, kind: ColumnKind, value: Cell | undefined];

function keySection(input: string, layout: KeyLayout): ReportSection {
  const { expiresAtMs, createdAtMs } = layout;
  const timeLeft =
    expiresAtMs === undefined || createdAtMs === undefined ? undefined : Number(expiresAtMs) - createdAtMs;
  return record('key', 'Key', [
    ['key', 'Key', 'text', printableBytes(layout.key)],
    ['snapshot', 'Snapshot', 'text', input],
    ['db', 'Database', 'count', layout.db],
    ['type', 'Type', 'label', layout.moduleName ?? layout.type],
    ['encoding', 'Encoding', 'label', layout.encoding],
    ['elements', 'Elements', 'count', layout.elements],
    ['memory_bytes', 'Memory', 'bytes', layout.memoryBytes],
    ['memory_profile', 'As of', 'label', layout.memoryProfile],
    ['payload_bytes', 'Payload', 'bytes', layout.payloadBytes],
    ['largest_element_bytes', 'Longest element', 'bytes', layout.longestBytes],
    ['serialized_bytes', 'In the file', 'bytes', layout.serializedBytes],
    ['file_offset', 'At byte', 'count', layout.offset],
    ['written_as', 'Written as', 'label', `${layout.typeName} (type ${layout.typeCode})`],
    ['packing', 'Packed as', 'label', layout.packing],
    ['blob_bytes', 'Packed bytes', 'bytes', layout.blobBytes],
    ['expires_at_ms', 'Expires', 'ms', exactMs(expiresAtMs)],
    ['ttl_ms', 'Time left in the snapshot', 'duration_ms', timeLeft],
    ['idle_seconds', 'Idle', 'seconds', layout.idleSeconds],
    ['freq', 'LFU counter', 'count', layout.freq],
    ['fields_with_ttl', 'Fields that expire', 'count', layout.fieldsWithTtl],
    ['first_field_expiry_ms', 'First field expires', 'ms', layout.firstFieldExpiryMs],
  ]);
}

function nodeSections({ nodes }: KeyLayout): ReportSection[] {
  if (nodes === undefined) return [];
  return [
    record('nodes', 'Nodes', [
      ['nodes', 'Nodes', 'count', nodes.count],
      ['plain_nodes', 'Of one element', 'count', nodes.plain],
      ['bytes', 'Bytes, inflated', 'bytes', nodes.bytes],
      ['smallest_bytes', 'Smallest', 'bytes', nodes.smallestBytes],
    ]),
    table(
      'largest-nodes',
      'Largest nodes',
      [
        ['node', 'Node', 'count'],
        ['container', 'Written as', 'label'],
        ['bytes', 'Bytes', 'bytes'],
        ['elements', 'Elements', 'count'],
      ],
      nodes.largest.map(({ index, container, bytes, elements }) => [
        index,
        container,
        bytes,
        elements ?? null,
      ]),
    ),
  ];
}

function streamSections({ stream }: KeyLayout): ReportSection[] {
  if (stream === undefined) return [];
  return [
    record('stream', 'Stream', [
      ['nodes', 'Nodes', 'count', stream.nodes],
      ['bytes', 'Entries, inflated', 'bytes', stream.listpackBytes],
      ['last_id', 'Last id', 'label', stream.lastId],
      ['groups', 'Groups', 'count', stream.groups],
      ['consumers', 'Consumers', 'count', stream.consumers],
      ['pending', 'Pending', 'count', stream.pending],
    ]),
    table(
      'groups',
      'Groups with the most pending entries',
      [
        ['name', 'Group', 'text'],
        ['last_id', 'Last id', 'label'],
        ['consumers', 'Consumers', 'count'],
        ['pending', 'Pending', 'count'],
        ['oldest_pending_ms', 'Longest pending since', 'ms'],
      ],
      stream.groupList.map((group) => [
        shown(group.name),
        group.lastId,
        group.consumers,
        group.pending,
        group.oldestPendingMs ?? null,
      ]),
    ),
    table(
      'consumers',
      'Consumers with the most pending entries',
      [
        ['group', 'Group', 'text'],
        ['name', 'Consumer', 'text'],
        ['pending', 'Pending', 'count'],
        ['seen_ms', 'Seen', 'ms'],
        ['active_ms', 'Active', 'ms'],
      ],
      stream.consumerList.map((consumer) => [
        shown(consumer.group),
        shown(consumer.name),
        consumer.pending,
        consumer.seenMs,
        consumer.activeMs ?? null,
      ]),
    ),
    table(
      'largest-nodes',
      'Largest nodes',
      [
        ['first_id', 'First id', 'label'],
        ['bytes', 'Bytes', 'bytes'],
      ],
      stream.largestNodes.map(({ id, bytes }) => [id, bytes]),
    ),
  ];
}

function elementSections({ type, longest, expiring }: KeyLayout): ReportSection[] {
  if (type === 'string') {
    const [value] = longest;
    return value === undefined
      ? []
      : [record('value', 'Value', [['value', 'Starts with', 'text', shown(value.text)]])];
  }
  return [
    elementTable('longest-elements', 'Longest elements', longest),
    elementTable('expiring-fields', 'Fields that expire first', expiring),
  ];
}

function elementTable(id: string, title: string, elements: readonly LongElement[]): ReportSection {
  const isHash = elements.some((element) => element.value !== undefined);
  const isScored = elements.some((element) => element.score !== undefined);
  const expires = elements.some((element) => element.expiresAtMs !== undefined);
  return table(
    id,
    title,
    [
      ['index', '#', 'number'],
      ['element', isHash ? 'Field' : 'Element', 'text'],
      ['element_bytes', isHash ? 'Field bytes' : 'Bytes', 'bytes'],
      ...(isHash
        ? ([
            ['value', 'Value', 'text'],
            ['value_bytes', 'Value bytes', 'bytes'],
          ] as const)
        : []),
      ...(isScored ? ([['score', 'Score', 'label']] as const) : []),
      ...(expires ? ([['expires_at_ms', 'Expires', 'ms']] as const) : []),
    ],
    elements.map(({ index, text, value, score, expiresAtMs }) => [
      index,
      shown(text),
      text.length,
      ...(isHash ? [value === undefined ? null : shown(value), value?.length ?? null] : []),
      ...(isScored ? [score === undefined ? null : String(score)] : []),
      ...(expires ? [expiresAtMs ?? null] : []),
    ]),
  );
}

/** One row, of the facts that are known. */
function record(id: string, title: string, facts: readonly Fact[]): ReportSection {
  const known = facts.filter((fact) => fact[3] !== undefined);
  const columns = known.map(([name, factTitle, kind]) => ({ name, title: factTitle, kind }));
  return { ...EMPTY, id, title, layout: 'record', columns, rows: [known.map((fact) => fact[3] ?? null)] };
}

type Column = readonly [name: string, title: string, kind: ColumnKind];

function table(
  id: string,
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
): ReportSection {
  return {
    ...EMPTY,
    id,
    title,
    layout: 'table',
    columns: columns.map(([name, columnTitle, kind]) => ({ name, title: columnTitle, kind })),
    rows,
  };
}

const EMPTY = { notes: [], remarks: {}, charts: [], sql: '' } as const;

/** Printable, with a mark where it was cut. */
function shown({ bytes, length }: ElementText): string {
  return `${printableBytes(bytes)}${bytes.length < length ? '…' : ''}`;
}

/** Beyond 2^53 decimal text, as documents have it. */
function exactMs(text: string | undefined): Cell | undefined {
  if (text === undefined) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
