import { crc32, createInflateRaw, type InflateRaw } from 'node:zlib';
import type { ChunkReader } from './chunk-reader.js';
import { type UnpackFacts, unpackError } from './unpacking.js';

/**
 * Inflates gzip members one after another. Zero padding behind the last one is passed over, other bytes there are
 * counted in `facts.trailingBytes`.
 *
 * Node's own Gunzip takes several members too, but raises on bytes behind them and drops what it inflated in the same
 * call, so members are told apart here.
 * @throws SourceError when the data is cut or damaged, after the bytes before the fault
 */
export async function* gunzip(reader: ChunkReader, facts: UnpackFacts): AsyncGenerator<Uint8Array> {
  do {
    await skipHeader(reader, facts.input);
    yield* inflateMember(reader, facts.input);
    facts.members++;
  } while ((await reader.skipZeros()) && isGzip(await reader.peek(3)));
  facts.trailingBytes += await reader.drain();
}

/** Whether these bytes start a gzip member that we can inflate. Source: RFC 1952, 2.3.1. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

const FLAG_HEADER_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

async function skipHeader(reader: ChunkReader, input: string): Promise<void> {
  const fixed = await takeExactly(reader, 10, input);
  const flags = fixed[3]!;
  if ((flags & FLAG_EXTRA) !== 0) {
    const length = await takeExactly(reader, 2, input);
    await takeExactly(reader, length[0]! | (length[1]! << 8), input);
  }
  if ((flags & FLAG_NAME) !== 0) await skipText(reader, input);
  if ((flags & FLAG_COMMENT) !== 0) await skipText(reader, input);
  if ((flags & FLAG_HEADER_CRC) !== 0) await takeExactly(reader, 2, input);
}

async function skipText(reader: ChunkReader, input: string): Promise<void> {
  for (;;) {
    const chunk = await reader.next();
    if (chunk === undefined) throw cut(input);
    const end = chunk.indexOf(0);
    if (end < 0) continue;
    reader.putBack(chunk.subarray(end + 1));
    return;
  }
}

/** Input is given in pieces this small, so that even the densest data (about 1,000 to 1) stays within a few MiB. */
const PIECE_BYTES = 64 * 1024;
const OUTPUT_BYTES = 128 * 1024;

async function* inflateMember(reader: ChunkReader, input: string): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  const feeding = feed(reader, inflate);
  feeding.catch(() => {}); // its outcome is asked for below; an early leave must not count as unhandled
  let checksum = 0;
  let length = 0;
  try {
    for await (const bytes of inflate as AsyncIterable<Buffer>) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      yield bytes;
    }
  } catch (error) {
    if (await feeding) throw cut(input);
    const said = error instanceof Error ? error.message : String(error);
    throw unpackError(
      'damaged-container',
      input,
      `is damaged gzip data (${said}), after ${length} inflated bytes`,
      error,
    );
  } finally {
    inflate.destroy();
  }
  await feeding;
  const trailer = await takeExactly(reader, 8, input);
  const view = new DataView(trailer.buffer, trailer.byteOffset, 8);
  if (view.getUint32(0, true) !== checksum || view.getUint32(4, true) !== length % 2 ** 32) {
    throw unpackError(
      'damaged-container',
      input,
      "is damaged gzip data: its own checksum or length doesn't match",
    );
  }
}

/** Feeds one member and puts back what stands behind it. True when the input ended first. */
async function feed(reader: ChunkReader, inflate: InflateRaw): Promise<boolean> {
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) inflate.once(event, () => resolve());
  });
  let written = 0;
  for (;;) {
    const chunk = await nextOrDestroy(reader, inflate);
    if (chunk === undefined) {
      inflate.end();
      return true;
    }
    const piece = chunk.subarray(0, PIECE_BYTES);
    if (piece.length < chunk.length) reader.putBack(chunk.subarray(piece.length));
    written += piece.length;
    const consumed = new Promise<void>((resolve) => inflate.write(piece, () => resolve()));
    await Promise.race([consumed, closed]);
    // What the member does not use is left over: that is how its end shows.
    const unused = written - inflate.bytesWritten;
    if (unused === 0 && !inflate.destroyed) continue;
    if (unused > 0) reader.putBack(piece.subarray(piece.length - unused));
    return false;
  }
}

async function nextOrDestroy(reader: ChunkReader, inflate: InflateRaw): Promise<Uint8Array | undefined> {
  try {
    return await reader.next();
  } catch (error) {
    inflate.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

async function takeExactly(reader: ChunkReader, count: number, input: string): Promise<Uint8Array> {
  const bytes = await reader.take(count);
  if (bytes.length < count) throw cut(input);
  return bytes;
}

function cut(input: string): Error {
  return unpackError('truncated-container', input, 'is cut: its gzip data ends in the middle');
}
