import {
  bytesSource,
  Decoder,
  type DecoderOptions,
  keyOf,
  printableBytes,
  type SnapshotFacts,
  UNKNOWN,
} from '../src/rdb-parser/index.js';

/** One key as tests compare it: printable, unknown things left out. */
export interface DecodedKey {
  readonly key: string;
  readonly [field: string]: string | number | undefined;
}

export interface Decoded {
  readonly keys: readonly DecodedKey[];
  readonly facts: SnapshotFacts;
}

export interface DecodeOptions extends DecoderOptions {
  /** Bytes that one read of the source gives at most. */
  readonly pieceBytes?: number;
}

/** Decodes a whole snapshot into plain objects. */
export function decode(bytes: Uint8Array, options: DecodeOptions = {}): Decoded {
  const decoder = new Decoder(bytesSource(bytes, options.pieceBytes), options);
  const keys: DecodedKey[] = [];
  decoder.readHeader();
  while (decoder.next()) keys.push(plain(decoder));
  return { keys, facts: decoder.facts };
}

/** What a damaged snapshot still gives, and the fault. */
export function decodeUntilFault(
  bytes: Uint8Array,
  options: DecodeOptions = {},
): Decoded & { readonly fault: unknown } {
  const decoder = new Decoder(bytesSource(bytes, options.pieceBytes), options);
  const keys: DecodedKey[] = [];
  let fault: unknown;
  try {
    decoder.readHeader();
    while (decoder.next()) keys.push(plain(decoder));
  } catch (error) {
    fault = error;
  }
  return { keys, facts: decoder.facts, fault };
}

function plain(decoder: Decoder): DecodedKey {
  const { record } = decoder;
  const known = (value: number): number | undefined => (value === UNKNOWN ? undefined : value);
  const fields = {
    key: printableBytes(keyOf(record)),
    db: record.db,
    type: record.dataType,
    typeName: record.typeName,
    packing: record.packing,
    elements: known(record.elementCount),
    payload: known(record.payloadBytes),
    longest: known(record.longestElementBytes),
    integer: record.integerClass === 0 ? undefined : record.integerClass,
    nodes: record.listNodes === 0 ? undefined : record.listNodes,
    expiresAtMs: record.hasExpiry ? String(record.expiresAtExact ?? record.expiresAtMs) : undefined,
    idle: known(record.idleSeconds),
    freq: known(record.freq),
    fieldsWithTtl: record.fieldsWithTtl === 0 ? undefined : known(record.fieldsWithTtl),
    firstFieldExpiryMs: known(record.firstFieldExpiryMs),
    module: record.moduleName,
    groups: record.dataType === 'stream' ? record.stream.groups : undefined,
    consumers: record.dataType === 'stream' ? record.stream.consumers : undefined,
    pending: record.dataType === 'stream' ? record.stream.pending : undefined,
    offset: record.offset,
    serialized: record.serializedBytes,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as unknown as DecodedKey;
}
