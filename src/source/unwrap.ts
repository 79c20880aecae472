import { ChunkReader } from './chunk-reader.js';
import { FOREIGN_HEAD_BYTES, foreignError } from './foreign.js';
import { gunzip, isGzip } from './gzip.js';
import { isLz4Frame, skipFrame, unlz4 } from './lz4.js';
import { type ReplicationFraming, stripReplication } from './replication.js';
import { SourceError } from './source-error.js';
import type { UnpackFacts } from './unpacking.js';
import { isSkippableFrame, isZstd, unzstd } from './zstd.js';

/** A snapshot with everything around it taken off. */
export interface Unwrapped {
  /** Stands at the magic. */
  readonly reader: ChunkReader;
  /** Names of the wrappings, outermost first. */
  readonly wrappings: readonly string[];
  readonly facts: readonly UnpackFacts[];
  readonly framing: ReplicationFraming | undefined;
}

/**
 * Takes wrappings off until the RDB magic stands in front.
 * @param input the input's name, for errors
 * @throws SourceError when no snapshot comes out
 */
export async function unwrap(raw: ChunkReader, input: string): Promise<Unwrapped> {
  const wrappings: string[] = [];
  const facts: UnpackFacts[] = [];
  let reader = raw;
  for (;;) {
    const head = await reader.peek(8);
    if (head.length === 0) throw nothingIn(input, wrappings);
    if (isSkippableFrame(head)) {
      await skipFrame(reader, input);
      continue;
    }
    if (await stripEnvelope(reader, head, input)) {
      wrappings.push('valkey-envelope');
      continue;
    }
    const format = FORMATS.find((candidate) => candidate.matches(head));
    if (format === undefined) break;
    if (facts.length === MOST_LAYERS) {
      throw new SourceError({
        code: 'unsupported',
        input,
        problem: `is compressed more than ${MOST_LAYERS} times over`,
        advice: 'Unpack it first.',
      });
    }
    const fact: UnpackFacts = { input, members: 0, trailingBytes: 0 };
    facts.push(fact);
    wrappings.push(format.name);
    reader = new ChunkReader(format.unpack(reader, fact));
  }
  const outer = await reader.peek(FOREIGN_HEAD_BYTES);
  const framing = await stripReplication(reader);
  const magic = await reader.peek(6);
  if (!isMagic(magic)) throw foreignError(outer, input, wrappings.at(-1) ?? '');
  return { reader, wrappings, facts, framing };
}

interface Format {
  readonly name: string;
  matches(head: Uint8Array): boolean;
  unpack(reader: ChunkReader, facts: UnpackFacts): AsyncGenerator<Uint8Array>;
}

const FORMATS: readonly Format[] = [
  { name: 'gzip', matches: isGzip, unpack: gunzip },
  { name: 'zstd', matches: isZstd, unpack: unzstd },
  { name: 'lz4', matches: isLz4Frame, unpack: unlz4 },
];

/** Compressed backups of compressed files happen; more layers than this is an attack or a mistake. */
const MOST_LAYERS = 3;

/** A magic cut short passes too, so that the decoder says where the file ends. */
function isMagic(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  if (text.length >= 6) return text.startsWith('REDIS') || text === 'VALKEY';
  return text !== '' && ('REDIS'.startsWith(text) || 'VALKEY'.startsWith(text));
}

/**
 * Valkey's streaming compression: a short header (version, codec, flags, kind), then a frame of the codec, which is told
 * by its own first bytes. Source: Valkey 9.2 tests (`VCS`), its development builds (`VKCS`).
 */
const ENVELOPES = [
  { mark: 'VCS', bytes: 7, codecAt: 4 },
  { mark: 'VKCS', bytes: 8, codecAt: 5 },
] as const;

async function stripEnvelope(reader: ChunkReader, head: Uint8Array, input: string): Promise<boolean> {
  const text = Buffer.from(head).toString('latin1');
  const envelope = ENVELOPES.find(({ mark }) => text.startsWith(mark));
  if (envelope === undefined || head.length < envelope.bytes) return false;
  await reader.take(envelope.bytes);
  const frame = await reader.peek(4);
  if (!isLz4Frame(frame) && !isZstd(frame)) {
    throw new SourceError({
      code: frame.length < 4 ? 'truncated-container' : 'unsupported',
      input,
      problem: `is a compressed Valkey snapshot whose codec (${head[envelope.codecAt]}) is not known`,
      advice: 'Save it with streaming compression off.',
    });
  }
  return true;
}

function nothingIn(input: string, wrappings: readonly string[]): SourceError {
  const wrapping = wrappings.at(-1);
  return new SourceError({
    code: 'empty',
    input,
    problem: wrapping === undefined ? 'is empty' : `holds nothing: its ${wrapping} data is empty`,
    advice:
      'A save that failed (disk full, killed child) leaves such a file; look into the log of the server.',
  });
}
