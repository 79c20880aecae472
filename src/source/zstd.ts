import type { ChunkReader } from './chunk-reader.js';
import { SourceError } from './source-error.js';
import { type UnpackFacts, unpackError } from './unpacking.js';
import type { ZstdStream } from './zstd-stream.js';

/** Largest window that is unpacked, in bytes; the decoder holds that much in memory. */
export const MAX_WINDOW_BYTES = 64 * 2 ** 20;

/**
 * Unpacks zstd frames one after another, skippable frames between them too. Zero padding behind the last one is
 * passed over, other bytes there are counted in `facts.trailingBytes`.
 * @throws SourceError when the data is cut or damaged, needs a dictionary or a window above `MAX_WINDOW_BYTES`; after
 *   the bytes before the fault
 */
export async function* unzstd(reader: ChunkReader, facts: UnpackFacts): AsyncGenerator<Uint8Array> {
  const { openZstdStream } = await import('./zstd-stream.js');
  const stream = await openZstdStream();
  try {
    do {
      checkFrame(await reader.peek(LONGEST_HEADER), facts.input);
      yield* unpackFrame(reader, stream, facts.input);
      facts.members++;
    } while ((await reader.skipZeros()) && startsFrame(await reader.peek(4)));
  } finally {
    stream.close();
  }
  facts.trailingBytes += await reader.drain();
}

/** Whether these bytes start a zstd frame. Source: RFC 8878, 3.1.1. */
export function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** Whether these bytes start a skippable frame, which zstd and LZ4 share. Source: RFC 8878, 3.1.2. */
export function isSkippableFrame(bytes: Uint8Array): boolean {
  return (bytes[0]! & 0xf0) === 0x50 && bytes[1] === 0x2a && bytes[2] === 0x4d && bytes[3] === 0x18;
}

/** Magic, descriptor, window, dictionary id, content size. */
const LONGEST_HEADER = 4 + 1 + 1 + 4 + 8;

/** Refuses what the decoder would have to allocate too much for. Source: RFC 8878, 3.1.1.1. */
function checkFrame(header: Uint8Array, input: string): void {
  if (!isZstd(header)) return;
  const descriptor = header[4] ?? 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const singleSegment = (descriptor & 0x20) !== 0;
  const at = singleSegment ? 5 : 6;
  if (header.subarray(at, at + dictionaryBytes).some((byte) => byte !== 0)) {
    throw new SourceError({
      code: 'unsupported',
      input,
      problem: 'is zstd data that needs a dictionary',
      advice: 'Unpack it first: zstd -dc -D DICTIONARY FILE | rdbscope analyze -',
    });
  }
  const windowBytes = singleSegment ? contentBytes(header, at + dictionaryBytes) : windowOf(header[5] ?? 0);
  if (windowBytes <= MAX_WINDOW_BYTES) return;
  throw new SourceError({
    code: 'unsupported',
    input,
    problem: `is zstd data with a window of ${windowBytes} bytes; at most ${MAX_WINDOW_BYTES} are held in memory`,
    advice: 'Unpack it first: zstd -dc --long=31 FILE | rdbscope analyze -',
  });
}

function windowOf(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** The content size of a single-segment frame, which is its window. */
function contentBytes(header: Uint8Array, at: number): number {
  const fieldBytes = [1, 2, 4, 8][header[4]! >> 6]!;
  let value = 0;
  for (let i = fieldBytes - 1; i >= 0; i--) value = value * 256 + (header[at + i] ?? 0);
  return fieldBytes === 2 ? value + 256 : value;
}

async function* unpackFrame(
  reader: ChunkReader,
  stream: ZstdStream,
  input: string,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const chunk = await reader.next();
    if (chunk === undefined)
      throw unpackError('truncated-container', input, 'is cut: its zstd data ends in the middle');
    for (let at = 0; at < chunk.length || stream.outputFull; ) {
      at += stream.step(chunk.subarray(at));
      if (stream.output.length > 0) yield stream.output;
      if (stream.problem !== undefined) {
        throw unpackError('damaged-container', input, `is damaged zstd data (${stream.problem})`);
      }
      if (!stream.frameEnded) continue;
      if (at < chunk.length) reader.putBack(chunk.subarray(at));
      return;
    }
  }
}

function startsFrame(head: Uint8Array): boolean {
  return isZstd(head) || isSkippableFrame(head);
}
