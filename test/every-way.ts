import { createMemoryModel, profileFor } from '../src/memory/index.js';
import {
  bytesSource,
  Decoder,
  type DecoderOptions,
  type ElementVisitor,
  keyOf,
  printableBytes,
} from '../src/rdb-parser/index.js';
import { type Decoded, decode } from './decode.js';

/** A visitor that sees everything and keeps nothing. */
export const blindVisitor: ElementVisitor = {
  keepBytes: 64,
  item: () => {},
  member: () => {},
  scored: () => {},
  pair: () => {},
  listNode: () => {},
  streamNode: () => {},
  streamGroup: () => {},
  streamConsumer: () => {},
  arrayElement: () => {},
};

/** The ways a snapshot can be gone through; none may lose step where another does not. */
export const WAYS: Readonly<
  Record<string, DecoderOptions & { readonly pieceBytes?: number; readonly metered?: true }>
> = {
  deep: { deep: true },
  visited: { visitor: blindVisitor },
  checked: { check: true },
  metered: { metered: true },
  'byte by byte': { pieceBytes: 1 },
};

/**
 * Decodes a snapshot in every way and holds the keys, their types and counts against the plain way's, which it returns.
 * @throws when a way sees other keys or counts
 */
export function decodeEveryWay(bytes: Uint8Array): Decoded {
  const plain = decode(bytes);
  const expected = plain.keys.map(
    ({ key, type, elements, offset }) => `${key} ${type} ${elements} ${offset}`,
  );
  for (const [way, options] of Object.entries(WAYS)) {
    const seen = seenKeys(bytes, options);
    if (seen.join('\n') !== expected.join('\n')) {
      throw new Error(`${way} sees ${JSON.stringify(seen)}, not ${JSON.stringify(expected)}`);
    }
  }
  return plain;
}

function seenKeys(bytes: Uint8Array, options: (typeof WAYS)[string]): string[] {
  const decoder = new Decoder(bytesSource(bytes, options.pieceBytes), options);
  decoder.readHeader();
  if (options.metered) {
    const { product, serverVersion, rdbVersion } = decoder.facts;
    decoder.meter = createMemoryModel(profileFor({ dialect: product, serverVersion, rdbVersion }).profile);
  }
  const seen: string[] = [];
  while (decoder.next()) {
    const { record } = decoder;
    const elements = record.elementCount === -1 ? undefined : record.elementCount;
    seen.push(`${printableBytes(keyOf(record))} ${record.dataType} ${elements} ${record.offset}`);
  }
  return seen;
}
