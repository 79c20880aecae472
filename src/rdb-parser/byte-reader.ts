import type { ByteSource } from '../source/byte-source.js';
import { Crc64 } from './crc64.js';
import { RdbError } from './errors.js';

/** Most bytes that `ensure` may ask for at once; longer strings are taken in pieces. */
export const MAX_CONTIGUOUS = 2 ** 16;

/** Room for what one `read` of a source gives, beside what is carried over. */
const WINDOW_BYTES = 2 ** 19;

/**
 * Forward cursor over a source with an absolute offset. The only place that knows how bytes arrive: decoders index
 * `buffer` between `pos` and `end` and call `ensure` when that is not enough.
 *
 * `ensure(n)` must be called only for bytes that the record being read has to have: then a record boundary never lies
 * in carried-over bytes, which have gone into the checksum already.
 */
export class ByteReader {
  readonly buffer: Uint8Array;
  /** The same bytes. */
  readonly view: DataView;
  /** Next byte to read; `end` is the first that may not be read (not arrived yet, or past the limit). */
  pos = 0;
  end = 0;
  /** Called before bytes in front of `pos` are given up: the owner of a view into `buffer` saves it. */
  beforeDiscard: (() => void) | undefined;

  private source: ByteSource;
  /** Where what the window holds begins. */
  private start = 0;
  private filled = 0;
  private base = 0;
  private limit = Number.POSITIVE_INFINITY;
  private readonly crc: Crc64 | undefined;
  /** Where in `buffer` the bytes of the last read start. */
  private lastRead = 0;
  private pastLimit: (() => RdbError) | undefined;

  constructor(
    source: ByteSource,
    options: {
      readonly windowBytes?: number | undefined;
      readonly window?: Uint8Array | undefined;
      /** Counts all bytes in; undefined: nobody asks for their checksum. */
      readonly checksum?: Crc64 | undefined;
    } = {},
  ) {
    this.source = source;
    this.buffer = options.window ?? new Uint8Array(options.windowBytes ?? WINDOW_BYTES);
    this.crc = options.checksum;
    this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, this.buffer.byteLength);
  }

  /** Bytes read so far; the offset of the next byte. */
  get offset(): number {
    return this.base + this.pos;
  }

  /** Starts over on another source, for readers that are reused. Not for checksummed ones. */
  reset(source: ByteSource): void {
    this.source = source;
    this.pos = this.end = this.start = this.filled = this.base = this.lastRead = 0;
    this.limit = Number.POSITIVE_INFINITY;
  }

  /**
   * Goes on at another offset; the checksum is lost. What lies before the window needs `seek`, which moves the source.
   * @throws RdbError when the place is behind and the source can't be moved
   */
  moveTo(offset: number, seek: ((offset: number) => void) | undefined): void {
    if (offset >= this.base + this.start && offset <= this.base + this.end) {
      this.pos = offset - this.base;
      return;
    }
    if (seek === undefined) {
      if (offset > this.offset) this.skip(offset - this.offset);
      else throw new RdbError('bad-value', 'the place lies before what was read already', { offset });
      return;
    }
    seek(offset);
    this.beforeDiscard?.();
    this.base = offset;
    this.pos = this.end = this.start = this.filled = this.lastRead = 0;
  }

  /**
   * Lets nothing be read beyond offset `limit` until `clearLimit`; going past it is the fault that `pastLimit` gives (a
   * blob that promises more than it holds).
   */
  setLimit(limit: number, pastLimit: () => RdbError): void {
    this.limit = limit;
    this.pastLimit = pastLimit;
    this.end = Math.min(this.filled, limit - this.base);
  }

  clearLimit(): void {
    this.limit = Number.POSITIVE_INFINITY;
    this.pastLimit = undefined;
    this.end = this.filled;
  }

  /** @throws RdbError `truncated` when the input ends before `count` more bytes. @param count ≤ MAX_CONTIGUOUS */
  ensure(count: number): void {
    while (this.end - this.pos < count) {
      if (!this.refill()) throw this.truncated(count);
    }
  }

  /** Whether the input is used up. */
  atEnd(): boolean {
    return this.pos >= this.end && !this.refill();
  }

  skip(count: number): void {
    let left = count;
    while (left > this.end - this.pos) {
      left -= this.end - this.pos;
      this.pos = this.end;
      if (!this.refill()) throw this.truncated(left);
    }
    this.pos += left;
  }

  u8(): number {
    if (this.pos >= this.end) this.ensure(1);
    return this.buffer[this.pos++]!;
  }

  u16le(): number {
    this.ensure(2);
    const at = this.pos;
    this.pos += 2;
    return this.buffer[at]! | (this.buffer[at + 1]! << 8);
  }

  u32le(): number {
    this.ensure(4);
    const at = this.pos;
    this.pos += 4;
    return readU32le(this.buffer, at);
  }

  u32be(): number {
    this.ensure(4);
    const at = this.pos;
    this.pos += 4;
    return readU32be(this.buffer, at);
  }

  i64le(): bigint {
    const low = this.u32le();
    return (BigInt(this.u32le() | 0) << 32n) | BigInt(low);
  }

  u64be(): bigint {
    const high = this.u32be();
    return (BigInt(high) << 32n) | BigInt(this.u32be());
  }

  f64le(): number {
    this.ensure(8);
    const value = this.view.getFloat64(this.pos, true);
    this.pos += 8;
    return value;
  }

  /** The checksum of everything before the next byte. Only at a record boundary, see the class. */
  checksumHere(): bigint {
    const crc = new Crc64();
    crc.value = this.crc?.value ?? 0n;
    if (this.pos < this.lastRead) throw new Error('checksum asked for inside carried-over bytes');
    crc.update(this.buffer, this.lastRead, this.pos);
    return crc.value;
  }

  private truncated(missing: number): RdbError {
    const at = this.base + this.end;
    if (at >= this.limit && this.pastLimit !== undefined) return this.pastLimit();
    const bytes = missing === 1 ? '1 byte is' : `${missing} bytes are`;
    return new RdbError('truncated', `the input ends where at least ${bytes} missing`, { offset: at });
  }

  /** Brings in more bytes, dropping those before `pos`. False at the end of the input or at the limit. */
  private refill(): boolean {
    if (this.base + this.end >= this.limit) return false;
    this.beforeDiscard?.();
    this.crc?.update(this.buffer, this.lastRead, this.filled);
    const carried = this.filled - this.pos;
    // What is read lands on a whole word: sources copy by words then, several times as fast as by bytes.
    const start = -carried & 7;
    this.buffer.copyWithin(start, this.pos, this.filled);
    this.base += this.pos - start;
    this.pos = this.start = start;
    this.lastRead = start + carried;
    const count = this.source.read(this.buffer, this.lastRead);
    this.filled = this.lastRead + count;
    this.end = Math.min(this.filled, this.limit - this.base);
    return count > 0;
  }
}

export function readU32le(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

export function readU32be(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
