import { readdirSync, readFileSync } from 'node:fs';
import { vi } from 'vitest';
import {
  bytesSource,
  Decoder,
  type Opcode,
  opcodes,
  RdbError,
  type ValueType,
  valueTypes,
} from '../../src/rdb-parser/index.js';
import { readTruthSet, shippedTruthSetNames } from '../fixtures.js';

/** A snapshot that is part of this repository. */
interface Fixture {
  /** Path below fixtures/. */
  readonly name: string;
  /** Written by a server, or put together by hand. */
  readonly real: boolean;
  readonly bytes: Uint8Array;
}

/** Which fixture holds a record, the first real one before any made by hand. */
export type Coverage = ReadonlyMap<ValueType | Opcode, { readonly name: string; readonly real: boolean }>;

const FOLDER = new URL('../../fixtures/', import.meta.url);

function fixtures(): Fixture[] {
  const inFolder = (folder: string, real: boolean): Fixture[] =>
    readdirSync(new URL(folder, FOLDER))
      .filter((name) => name.endsWith('.rdb'))
      .map((name) => ({ name: folder + name, real, bytes: readFileSync(new URL(folder + name, FOLDER)) }));
  return [
    ...shippedTruthSetNames().map((name) => ({
      name: `truth/${name}`,
      real: true,
      bytes: readTruthSet(name).snapshot,
    })),
    ...inFolder('', true),
    ...inFolder('handmade/', false),
    ...inFolder('handmade/refused/', false),
  ];
}

export interface ProductCoverage {
  readonly product: string;
  readonly magics: readonly string[];
  readonly real: number;
  readonly handmade: number;
}

/** Goes through all fixtures and notes which records are met, by the tables' own rows. */
export function readCoverage(): {
  readonly records: Coverage;
  readonly products: readonly ProductCoverage[];
} {
  const records = new Map<ValueType | Opcode, { name: string; real: boolean }>();
  const products = new Map<string, { magics: Set<string>; real: number; handmade: number }>();
  const rows = [
    ...valueTypes.map((row) => ({ row, method: 'decode' as const })),
    ...opcodes.map((row) => ({ row, method: 'read' as const })),
  ];
  for (const { name, real, bytes } of fixtures()) {
    const spies = rows.map(({ row, method }) => ({ row, spy: vi.spyOn(row as never, method as never) }));
    const decoder = new Decoder(bytesSource(bytes));
    try {
      while (decoder.next());
    } catch (error) {
      if (!(error instanceof RdbError)) throw error; // refused ones are met too
    }
    for (const { row, spy } of spies) {
      const calls = (spy as unknown as { mock: { calls: unknown[] } }).mock.calls.length;
      if (calls > 0 && !records.has(row)) records.set(row, { name, real });
      (spy as unknown as { mockRestore(): void }).mockRestore();
    }
    const end = opcodes.find((opcode) => opcode.name === 'EOF')!;
    if (decoder.facts.complete && !records.has(end)) records.set(end, { name, real });
    const { product, magic } = decoder.facts;
    const known = products.get(product) ?? { magics: new Set(), real: 0, handmade: 0 };
    known.magics.add(magic);
    if (real) known.real++;
    else known.handmade++;
    products.set(product, known);
  }
  return {
    records,
    products: [...products].map(([product, { magics, ...counts }]) => ({
      product,
      magics: [...magics].sort(),
      ...counts,
    })),
  };
}
