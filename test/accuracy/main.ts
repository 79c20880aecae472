import { compareSet } from './comparison.js';
import { type SetSummary, summarize } from './summary.js';
import { haveCollection, type TruthSet, truthSets } from './truth-sets.js';

/* Prints how far the modelled figures are from what live servers said: `npm run accuracy [part of a set's name]`. */

const HEADER = [
  'set',
  'keys',
  'exact %',
  'within 1 %',
  'exact %, decided by the file',
  'skiplists > 100 within 2 %',
  'total error %',
  'other encodings',
  'not modelled',
];

function percent(part: number, whole: number): string {
  return whole === 0 ? '-' : ((100 * part) / whole).toFixed(2);
}

function row(set: TruthSet, summary: SetSummary): readonly string[] {
  const { plain, fixed, skiplists } = summary;
  const measured = plain.keys > 0;
  return [
    set.name,
    String(summary.keys),
    percent(plain.exact, plain.keys),
    percent(plain.close, plain.keys),
    percent(fixed.exact, fixed.keys),
    skiplists.keys === 0 ? '-' : `${skiplists.close} of ${skiplists.keys}`,
    measured ? (100 * summary.totalError).toFixed(3) : '-',
    String(summary.otherEncodings.length),
    String(summary.approximate),
  ];
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = HEADER.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  for (const cells of rows) {
    const line = cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)));
    process.stdout.write(`${line.join('  ')}\n`);
  }
}

const wanted = process.argv[2] ?? '';
const sets = truthSets().filter(({ name }) => name.includes(wanted));
print([HEADER, ...sets.map((set) => row(set, summarize(compareSet(set), set.name.startsWith('valkey'))))]);
if (!haveCollection()) {
  process.stdout.write('\nOnly the sets kept in fixtures/truth are here; the full collection is not.\n');
}
process.stdout.write(`
"exact" and "within 1 %": all keys but skiplists, whose node heights are random, and modules. "Decided by the file":
without Valkey's hash tables, whose buckets overflow by chance, and without the kinds of keys that docs/memory-model.md
lists. "-": the server has no MEMORY USAGE, or the set no such key.
`);
