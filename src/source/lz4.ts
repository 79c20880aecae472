import type { ChunkReader } from './chunk-reader.js';
import { decodeLz4Block } from './lz4-block.js';
import { SourceError } from './source-error.js';
import { type UnpackFacts, unpackError } from './unpacking.js';
import { XxHash32, xxHash32 } from './xxhash32.js';
import { isSkippableFrame } from './zstd.js';

/**
 * Unpacks LZ4 frames one after another, skippable frames between them too, and checks every checksum they carry.
 * Zero padding behind the last one is passed over, other bytes there are counted in `facts.trailingBytes`.
 * @throws SourceError when the data is cut or damaged or needs a dictionary; after the bytes before the fault
 * Source: lz4_Frame_format.md 1.6.4.
 */
export async function* unlz4(reader: ChunkReader, facts: UnpackFacts): AsyncGenerator<Uint8Array> {
  const frames = new Lz4Frames(reader, facts.input);
  do {
    if (isSkippableFrame(await reader.peek(4))) await skipFrame(reader, facts.input);
    else yield* frames.unpackFrame();
    facts.members++;
  } while ((await reader.skipZeros()) && startsFrame(await reader.peek(4)));
  facts.trailingBytes += await reader.drain();
}

/** Whether these bytes start an LZ4 frame. */
export function isLz4Frame(bytes: Uint8Array): boolean {
  return bytes[0] === 0x04 && bytes[1] === 0x22 && bytes[2] === 0x4d && bytes[3] === 0x18;
}

/** Passes over a skippable frame: magic, length, that many bytes. */
export async function skipFrame(reader: ChunkReader, input: string): Promise<void> {
  const header = await reader.take(8);
  let left = header.length < 8 ? 1 : new DataView(header.buffer).getUint32(4, true);
  while (left > 0) {
    const chunk = await reader.next();
    if (chunk === undefined) throw cut(input);
    if (chunk.length > left) reader.putBack(chunk.subarray(left));
    left -= Math.min(left, chunk.length);
  }
}

const DICTIONARY_BYTES = 64 * 1024;

interface FrameHeader {
  readonly blockBytes: number;
  readonly linkedBlocks: boolean;
  readonly blockChecksums: boolean;
  readonly contentChecksum: boolean;
  readonly contentBytes: bigint | undefined;
}

/** Block sizes by the number in the header. */
const BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 2 ** 16, 5: 2 ** 18, 6: 2 ** 20, 7: 2 ** 22 };

/** Unpacks frames with one reused buffer: the last 64 KiB, which linked blocks refer to, and the block after them. */
class Lz4Frames {
  readonly #reader: ChunkReader;
  readonly #input: string;
  #buffer: Uint8Array = new Uint8Array(0);

  constructor(reader: ChunkReader, input: string) {
    this.#reader = reader;
    this.#input = input;
  }

  async *unpackFrame(): AsyncGenerator<Uint8Array> {
    const header = await this.#readHeader();
    if (this.#buffer.length < DICTIONARY_BYTES + header.blockBytes) {
      this.#buffer = new Uint8Array(DICTIONARY_BYTES + header.blockBytes);
    }
    const content = header.contentChecksum ? new XxHash32() : undefined;
    let contentBytes = 0n;
    let kept = 0; // bytes before the block that a match may reach
    for (;;) {
      const size = await this.#readNumber();
      if (size === 0) break;
      const end = await this.#readBlock(size, header, kept);
      const bytes = this.#buffer.subarray(DICTIONARY_BYTES, end);
      content?.update(bytes);
      contentBytes += BigInt(bytes.length);
      yield bytes;
      if (!header.linkedBlocks) continue;
      kept = Math.min(DICTIONARY_BYTES, kept + bytes.length);
      this.#buffer.copyWithin(DICTIONARY_BYTES - kept, end - kept, end);
    }
    if (header.contentBytes !== undefined && header.contentBytes !== contentBytes) {
      throw this.#damaged(`${header.contentBytes} bytes are announced, ${contentBytes} are there`);
    }
    if (content !== undefined && (await this.#readNumber()) !== content.digest()) {
      throw this.#damaged("its content checksum doesn't match");
    }
  }

  async #readHeader(): Promise<FrameHeader> {
    const fixed = await this.#take(6);
    const flags = fixed[4]!;
    const hasDictionary = (flags & 0x01) !== 0;
    const hasSize = (flags & 0x08) !== 0;
    const rest = await this.#take((hasSize ? 8 : 0) + (hasDictionary ? 4 : 0) + 1);
    const described = new Uint8Array(2 + rest.length - 1);
    described.set(fixed.subarray(4));
    described.set(rest.subarray(0, -1), 2);
    if (((xxHash32(described) >> 8) & 0xff) !== rest.at(-1))
      throw this.#damaged('its header checksum is wrong');
    const blockBytes = BLOCK_BYTES[(fixed[5]! >> 4) & 7];
    if (flags >> 6 !== 1 || blockBytes === undefined) throw this.#damaged('an unknown version or block size');
    if (hasDictionary) {
      throw new SourceError({
        code: 'unsupported',
        input: this.#input,
        problem: 'is LZ4 data that needs a dictionary',
        advice: 'Unpack it first: lz4 -dc -D DICTIONARY FILE | rdbscope analyze -',
      });
    }
    return {
      blockBytes,
      linkedBlocks: (flags & 0x20) === 0,
      blockChecksums: (flags & 0x10) !== 0,
      contentChecksum: (flags & 0x04) !== 0,
      contentBytes: hasSize ? new DataView(rest.buffer).getBigUint64(0, true) : undefined,
    };
  }

  /** Unpacks one block behind the dictionary and returns where it ends. */
  async #readBlock(size: number, header: FrameHeader, kept: number): Promise<number> {
    const stored = size >= 2 ** 31;
    const bytes = stored ? size - 2 ** 31 : size;
    if (bytes > header.blockBytes)
      throw this.#damaged(`a block of ${bytes} bytes where ${header.blockBytes} are allowed`);
    const block = await this.#take(bytes);
    if (header.blockChecksums && (await this.#readNumber()) !== xxHash32(block)) {
      throw this.#damaged("a block's checksum doesn't match");
    }
    if (stored) {
      this.#buffer.set(block, DICTIONARY_BYTES);
      return DICTIONARY_BYTES + bytes;
    }
    const room = this.#buffer.subarray(0, DICTIONARY_BYTES + header.blockBytes);
    try {
      return decodeLz4Block(block, room, DICTIONARY_BYTES, DICTIONARY_BYTES - kept);
    } catch (error) {
      if (error instanceof RangeError) throw this.#damaged(error.message);
      throw error;
    }
  }

  async #readNumber(): Promise<number> {
    const bytes = await this.#take(4);
    return new DataView(bytes.buffer).getUint32(0, true);
  }

  async #take(count: number): Promise<Uint8Array> {
    const bytes = await this.#reader.take(count);
    if (bytes.length < count) throw cut(this.#input);
    return bytes;
  }

  #damaged(what: string): SourceError {
    return unpackError('damaged-container', this.#input, `is damaged LZ4 data (${what})`);
  }
}

function startsFrame(head: Uint8Array): boolean {
  return isLz4Frame(head) || isSkippableFrame(head);
}

function cut(input: string): SourceError {
  return unpackError('truncated-container', input, 'is cut: its LZ4 data ends in the middle');
}
