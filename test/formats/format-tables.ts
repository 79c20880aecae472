import { refused } from '../../fixtures/makers/handmade.js';
import { type Opcode, opcodes, type ValueType, valueTypes } from '../../src/rdb-parser/index.js';
import type { Coverage, ProductCoverage } from './coverage.js';

/** Records that are named and refused: nobody has published how long they are, or they need a codec. */
function isRefused(name: string): boolean {
  return Object.keys(refused).some((file) => name === `handmade/refused/${file}`);
}

type Row = ValueType | Opcode;

/** The whole of docs/formats.md. */
export function formatsDocument(records: Coverage): string {
  return `# What is read

Made from the decoder's own tables and from the snapshots in \`fixtures/\` by \`test/formats\`; \`UPDATE_DOCS=1 npx vitest run test/formats\`
writes it anew. _Real_ fixtures were written by a server; _hand-made_ ones were put together from what sources and tools say, because no
server that writes the record was at hand. _Refused_ means that reading stops there with a sentence that names the product; the keys before
it are kept.

## Value types

${tableOf(valueTypes, records)}

## Opcodes

${tableOf(opcodes, records)}

Unknown bytes are never guessed over: reading stops with the byte, its offset and the number of keys before it.
`;
}

/** The excerpt in the README: by product. */
export function productsTable(products: readonly ProductCoverage[], records: Coverage): string {
  const rows = products.map(({ product, magics, real, handmade }) => {
    const mine = [...valueTypes, ...opcodes].filter((row) => row.dialects.includes(product as never));
    const refusedHere = mine.filter((row) => isRefused(records.get(row)?.name ?? ''));
    return [
      NAMES[product] ?? product,
      versions(magics),
      String(mine.length - refusedHere.length),
      refusedHere.map((row) => row.name).join(', ') || '–',
      [...(real > 0 ? ['real'] : []), ...(handmade > 0 ? ['hand-made'] : [])].join(', '),
    ];
  });
  return markdown(
    ['written by', 'headers in the fixtures', 'records read', 'refused by name', 'fixtures'],
    rows,
  );
}

const NAMES: Readonly<Record<string, string>> = {
  redis: 'Redis, Redis Enterprise',
  valkey: 'Valkey',
  keydb: 'KeyDB',
  dragonfly: 'Dragonfly',
};

function tableOf(rows: readonly Row[], records: Coverage): string {
  const lines = [...rows]
    .sort((a, b) => a.code - b.code)
    .map((row) => {
      const found = records.get(row);
      const name = found?.name ?? '';
      return [
        String(row.code),
        `\`${row.name}\``,
        row.dialects.length === 4 ? 'all' : row.dialects.join(', '),
        row.writers,
        isRefused(name) ? 'refused' : 'yes',
        found === undefined ? 'none' : `\`${name}\``,
        found === undefined ? '' : found.real ? 'real' : 'hand-made',
      ];
    });
  return markdown(['byte', 'name', 'in files of', 'written by', 'read', 'fixture', ''], lines);
}

/** `REDIS0006, 0007, VALKEY080`. */
function versions(magics: readonly string[]): string {
  return magics
    .map((magic) => magic.replace(/^REDIS0*/, 'REDIS ').replace(/^VALKEY0*/, 'VALKEY '))
    .join(', ');
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(3, title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
