import { describeProfile } from '../memory/index.js';
import type {
  BytesCell,
  Cell,
  ColumnKind,
  Note,
  ReportColumn,
  ReportDocument,
  ReportSection,
  Sentence,
} from '../report/document.js';
import { keyValue } from '../store/key-value.js';
import type { Calibration } from './calibrate.js';
import { type KeyError, type KindErrors, knownElements, shareOf, totalErrors } from './error-table.js';
import { optionsBetween } from './profile-advice.js';

/**
 * The error table as a document, to be shown in any format.
 * @param top keys told one by one; 0 for all that were kept
 */
export function calibrationDocument(calibration: Calibration, top: number): ReportDocument {
  const { kinds, worstKeys, otherEncodings, server, profile, input } = calibration;
  return {
    id: 'calibrate',
    title: 'Calibration',
    summary: 'How far the modelled memory of keys is from what a server says of them.',
    parameters: { input, server: server.server, profile: describeProfile(profile) },
    notes: [...notesOnServer(calibration), ...notesOnKeys(calibration), verdictOn(totalErrors(kinds))],
    sections: [
      errorSection(kinds),
      keySection('worst', 'Keys that are furthest off', worstKeys, top),
      keySection('encodings', 'Keys of another encoding', otherEncodings, top),
    ].filter((section) => section.rows.length > 0),
  };
}

function notesOnServer({
  server,
  serverName,
  profile,
  serverProfile,
  usualProfile,
  warnings,
}: Calibration): Note[] {
  const { allocator, quantumBytes } = server;
  const steps = quantumBytes === undefined ? '' : ` with ${quantumBytes}-byte steps`;
  const mode = server.cluster ? ', in a cluster' : '';
  const notes: Note[] = [
    note('note', `Server: ${server.server}, ${allocator}${steps}${mode}, at ${serverName}.`),
    note('note', `Modelled for: ${describeProfile(profile)}.`),
    ...warnings.map((warning) => note('warning', warning)),
  ];
  const asked = optionsBetween(serverProfile, profile);
  if (asked.length > 0) {
    notes.push(note('warning', `That is not what the server is: it was asked for by ${asked.join(' ')}.`));
  }
  const missing = optionsBetween(usualProfile, serverProfile);
  notes.push(
    missing.length === 0
      ? note('good', 'A load of this snapshot models the same server without being told.')
      : note(
          'warning',
          `A load of this snapshot assumes ${describeProfile(usualProfile)}. For this server add: ${missing.join(' ')}`,
        ),
  );
  return notes;
}

function notesOnKeys({ server, facts, expiredKeys, kinds }: Calibration): Note[] {
  const notes: Note[] = [];
  const held = [...server.keys.values()].reduce((sum, keys) => sum + keys, 0);
  if (held > facts.keysRead || held < facts.keysRead - expiredKeys) {
    const text: Sentence = [
      'The server holds ',
      { kind: 'count', value: held, noun: 'key' },
      ', the snapshot ',
      { kind: 'count', value: facts.keysRead },
      ': it may have loaded another file, or been written to since.',
    ];
    notes.push({ severity: 'warning', text });
  }
  if (expiredKeys > 0) {
    const text: Sentence = [
      { kind: 'count', value: expiredKeys, noun: 'key' },
      expiredKeys === 1
        ? ' is past its time: a server drops it when it loads the file, so it is not asked for.'
        : ' are past their time: a server drops them when it loads the file, so they are not asked for.',
    ];
    notes.push({ severity: 'note', text });
  }
  if (kinds.some(({ encoding }) => encoding === 'skiplist')) {
    const text =
      'Heights of skiplist nodes are drawn at random; the model has their mean: single keys differ, sums agree.';
    notes.push(note('note', text));
  }
  if (server.server.startsWith('valkey') && kinds.some(({ encoding }) => encoding === 'hashtable')) {
    const text =
      'Which buckets of a Valkey hash table overflow is random; the model has the mean: single keys differ, sums agree.';
    notes.push(note('note', text));
  }
  return notes;
}

function verdictOn(total: KindErrors): Note {
  if (total.keys === 0) return note('warning', 'No key could be compared.');
  if (total.exact === total.keys && total.otherEncodings === 0) {
    const text: Sentence = [
      'All ',
      { kind: 'count', value: total.keys, noun: 'key' },
      ' compared are exactly equal.',
    ];
    return { severity: 'good', text };
  }
  const text: Sentence = [
    { kind: 'count', value: total.keys, noun: 'key' },
    ' compared: ',
    { kind: 'ratio', value: total.exact / total.keys },
    ' exactly equal, ',
    { kind: 'ratio', value: total.within1Percent / total.keys },
    ' within 1 %, their sum off by ',
    { kind: 'ratio', value: shareOf(total.modelledBytes, total.serverBytes) },
    '.',
  ];
  return { severity: 'note', text };
}

function errorSection(kinds: readonly KindErrors[]): ReportSection {
  return section(
    'errors',
    'By type and encoding',
    [
      ['type', 'Type', 'label'],
      ['encoding', 'Encoding', 'label'],
      ['keys', 'Keys', 'count'],
      ['exact_share', 'Exact', 'ratio'],
      ['within_1_percent_share', 'Within 1 %', 'ratio'],
      ['worst_error_share', 'Worst', 'ratio'],
      ['modelled_bytes', 'Modelled', 'bytes'],
      ['server_bytes', 'Server', 'bytes'],
      ['total_error_share', 'Total', 'ratio'],
      ['other_encodings', 'Other encoding', 'count'],
      ['missing_keys', 'Not there', 'count'],
    ],
    [...kinds, totalErrors(kinds)].map((row) => [
      row.type,
      row.encoding ?? null,
      row.keys,
      row.keys === 0 ? null : row.exact / row.keys,
      row.keys === 0 ? null : row.within1Percent / row.keys,
      row.keys === 0 ? null : row.worst,
      row.modelledBytes,
      row.serverBytes,
      row.serverBytes === 0 ? null : row.modelledBytes / row.serverBytes - 1,
      row.otherEncodings,
      row.missing,
    ]),
  );
}

function keySection(id: string, title: string, keys: readonly KeyError[], top: number): ReportSection {
  const shown = top === 0 ? keys : keys.slice(0, top);
  return section(
    id,
    title,
    [
      ['key', 'Key', 'key'],
      ['db', 'Database', 'number'],
      ['type', 'Type', 'label'],
      ['elements', 'Elements', 'count'],
      ['encoding', 'Encoding', 'label'],
      ['server_encoding', 'Server', 'label'],
      ['modelled_bytes', 'Modelled', 'bytes'],
      ['server_bytes', 'Server', 'bytes'],
      ['error_share', 'Error', 'ratio'],
    ],
    shown.map((key) => [
      keyCell(key.key),
      key.db,
      key.type,
      knownElements(key),
      key.encoding ?? null,
      key.serverEncoding ?? null,
      key.memoryBytes,
      key.serverBytes,
      key.serverBytes === 0 ? null : key.memoryBytes / key.serverBytes - 1,
    ]),
  );
}

function section(
  id: string,
  title: string,
  columns: readonly (readonly [name: string, title: string, kind: ColumnKind])[],
  rows: readonly (readonly Cell[])[],
): ReportSection {
  const optional = new Set(['db', 'elements', 'missing_keys', 'other_encodings']);
  const declared = columns.map(
    ([name, columnTitle, kind]): ReportColumn => ({
      name,
      title: columnTitle,
      kind,
      ...(optional.has(name) ? { optional: true as const } : {}),
    }),
  );
  return { id, title, layout: 'table', notes: [], columns: declared, rows, remarks: {}, charts: [], sql: '' };
}

function note(severity: Note['severity'], text: string): Note {
  return { severity, text: [text] };
}

function keyCell(key: Uint8Array): string | BytesCell {
  const value = keyValue(key);
  return typeof value === 'string' ? value : { hex: value.toString('hex') };
}
