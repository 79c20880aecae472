import { UNKNOWN } from '../rdb-parser/records.js';
import type {
  BytesCell,
  Cell,
  Note,
  ReportColumn,
  ReportDocument,
  ReportSection,
  Sentence,
} from '../report/document.js';
import { keyValue } from '../store/key-value.js';
import type { Change, EncodingChange } from './change-sums.js';
import { joined, type WhatIf } from './what-if.js';

const TITLE = 'What if';
const SUMMARY = 'What the keys would take in another server or with other settings.';

/**
 * The two figures and their difference as a document, to be shown in any format.
 * @param top rows per table; 0 shows all
 */
export function whatIfDocument(result: WhatIf, top: number): ReportDocument {
  const types = joined(
    result.encodings.map((row) => ({ ...row, nowEncoding: undefined, otherEncoding: undefined })),
    ({ type }) => type,
  );
  return {
    id: 'what-if',
    title: TITLE,
    summary: SUMMARY,
    parameters: { now: result.nowProfile, other: result.otherProfile },
    notes: notesOn(result),
    sections: [
      totalSection(result),
      table('types', 'By type', [label('type', 'Type')], byNowBytes(types), ({ type }) => [type]),
      encodingSection(result.encodings),
      cutTable(
        table(
          'prefixes',
          'By prefix and type',
          [{ name: 'prefix', title: 'Prefix', kind: 'prefix' }, label('type', 'Type')],
          result.patterns.filter((row) => row.nowBytes !== row.otherBytes),
          ({ prefix, type }) => [prefix, type],
        ),
        top,
      ),
      cutTable(keySection(result), top),
    ],
  };
}

function notesOn(result: WhatIf): Note[] {
  const { nowProfile, otherProfile, warnings, approximateKeys } = result;
  const note = (...text: Sentence): Note => ({ severity: 'note', text });
  const notes: Note[] = [
    note(
      'Now: ',
      { kind: 'text', value: nowProfile },
      '. Then: ',
      { kind: 'text', value: otherProfile },
      '.',
    ),
    ...warnings.map((warning): Note => ({ severity: 'warning', text: [warning] })),
  ];
  if (nowProfile === otherProfile) {
    notes.push({ severity: 'warning', text: ['That is the same server twice: nothing can change.'] });
  } else if (serverOf(nowProfile) !== serverOf(otherProfile)) {
    notes.push(
      note(
        'Both are what MEMORY USAGE would say. Versions count differently, sets and streams above all, so a part of the difference may be one of their reports only: docs/memory-model.md says which.',
      ),
    );
  }
  if (approximateKeys > 0) {
    notes.push(
      note(
        { kind: 'count', value: approximateKeys, noun: 'key' },
        ' are counted by their size on disk: modules, and types that one of the servers does not know.',
      ),
    );
  }
  return notes;
}

/** `redis 7.2` of `redis 7.2, 64-bit, jemalloc`. */
function serverOf(profile: string): string {
  return profile.split(',')[0]!;
}

function totalSection({ encodings, keyTables }: WhatIf): ReportSection {
  const [keys = NOTHING] = joined<Change>(encodings, () => '');
  const total = {
    keys: keys.keys,
    nowBytes: keys.nowBytes + keyTables.nowBytes,
    otherBytes: keys.otherBytes + keyTables.otherBytes,
  };
  const rows: readonly (Change & { readonly part: string })[] = [
    { part: 'keys', ...keys },
    { part: 'key tables', ...keyTables, keys: keys.keys },
    { part: 'together', ...total },
  ];
  return table('total', 'In all', [label('part', 'Part')], rows, ({ part }) => [part]);
}

const NOTHING: Change = { keys: 0, nowBytes: 0, otherBytes: 0 };

function encodingSection(encodings: readonly EncodingChange[]): ReportSection {
  const section = table(
    'encodings',
    'Encodings that change',
    [label('type', 'Type'), label('encoding_now', 'Now'), label('encoding_then', 'Then')],
    byNowBytes(encodings.filter((row) => row.nowEncoding !== row.otherEncoding)),
    ({ type, nowEncoding, otherEncoding }) => [type, nowEncoding ?? null, otherEncoding ?? null],
  );
  return { ...section, empty: ['No key changes its encoding.'] };
}

function keySection({ keys }: WhatIf): ReportSection {
  return {
    ...section('keys', 'Keys that change most'),
    columns: [
      { name: 'key', title: 'Key', kind: 'key' },
      { name: 'db', title: 'Database', kind: 'number', optional: true },
      label('type', 'Type'),
      { name: 'elements', title: 'Elements', kind: 'count', optional: true },
      label('encoding_now', 'Now'),
      label('encoding_then', 'Then'),
      ...BYTES_COLUMNS,
    ],
    rows: keys.map((key) => [
      keyCell(key.key),
      key.db,
      key.type,
      key.elements === UNKNOWN ? null : key.elements,
      key.nowEncoding ?? null,
      key.otherEncoding ?? null,
      ...bytesCells(key),
    ]),
  };
}

const BYTES_COLUMNS: readonly ReportColumn[] = [
  { name: 'bytes_now', title: 'Bytes now', kind: 'bytes' },
  { name: 'bytes_then', title: 'then', kind: 'bytes' },
  { name: 'difference_bytes', title: 'Difference', kind: 'bytes' },
  { name: 'difference_share', title: 'of now', kind: 'ratio', optional: true },
];

function bytesCells({ nowBytes, otherBytes }: Omit<Change, 'keys'>): readonly Cell[] {
  const difference = otherBytes - nowBytes;
  return [nowBytes, otherBytes, difference, nowBytes === 0 ? null : difference / nowBytes];
}

/** A table of named changes. */
function table<Row extends Change>(
  id: string,
  title: string,
  names: readonly ReportColumn[],
  rows: readonly Row[],
  nameOf: (row: Row) => readonly Cell[],
): ReportSection {
  return {
    ...section(id, title),
    columns: [...names, { name: 'keys', title: 'Keys', kind: 'count' }, ...BYTES_COLUMNS],
    rows: rows.map((row) => [...nameOf(row), row.keys, ...bytesCells(row)]),
  };
}

function section(id: string, title: string): Omit<ReportSection, 'columns' | 'rows'> {
  return { id, title, layout: 'table', notes: [], remarks: {}, charts: [], sql: '' };
}

function cutTable(whole: ReportSection, top: number): ReportSection {
  const empty = ['Nothing changes.'];
  if (top === 0 || whole.rows.length <= top) return { ...whole, empty };
  return { ...whole, empty, rows: whole.rows.slice(0, top), totalRows: whole.rows.length };
}

function byNowBytes<Row extends Change>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => b.nowBytes - a.nowBytes || b.otherBytes - a.otherBytes);
}

function label(name: string, title: string): ReportColumn {
  return { name, title, kind: 'label' };
}

function keyCell(key: Uint8Array): string | BytesCell {
  const value = keyValue(key);
  return typeof value === 'string' ? value : { hex: value.toString('hex') };
}
