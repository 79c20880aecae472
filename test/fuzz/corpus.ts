import { readdirSync, readFileSync } from 'node:fs';
import { bytesSource, Decoder, RdbError } from '../../src/rdb-parser/index.js';

/** A snapshot in parts: its header, and its records one by one. What follows the last record is left out. */
export interface Specimen {
  readonly name: string;
  readonly header: Uint8Array;
  readonly records: readonly Uint8Array[];
}

/** Specimens of at most so many records, cut out of a snapshot at even distances. */
const RECORDS = 12;
/** Larger records are no use: mutations would rarely hit their structure. */
const LARGEST_RECORD = 2 ** 14;

/** Every fixture, and every snapshot made by hand. @param folder the fixtures' */
export function readCorpus(folder: URL): Specimen[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rdb'))
    .sort()
    .map((name) => dissect(name, readFileSync(new URL(name, folder))))
    .filter((specimen) => specimen.records.length > 0);
}

/** Cuts a snapshot at its records; records of every type are kept. */
function dissect(name: string, bytes: Uint8Array): Specimen {
  const decoder = new Decoder(bytesSource(bytes));
  const starts: { readonly at: number; readonly type: string }[] = [];
  try {
    while (decoder.next()) starts.push({ at: decoder.record.offset, type: decoder.record.typeName });
  } catch (error) {
    if (!(error instanceof RdbError)) throw error;
    starts.push({ at: Math.max(error.at.offset - 1, 9), type: 'refused' });
  }
  const ends = [...starts.slice(1).map(({ at }) => at), decoder.offset];
  const byType = new Map<string, Uint8Array[]>();
  for (const [i, { at, type }] of starts.entries()) {
    if (ends[i]! - at > LARGEST_RECORD) continue;
    const known = byType.get(type) ?? [];
    if (known.length < RECORDS) known.push(bytes.slice(at, ends[i]));
    byType.set(type, known);
  }
  return { name, header: bytes.slice(0, starts[0]?.at ?? 9), records: [...byType.values()].flat() };
}
