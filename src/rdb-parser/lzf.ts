import type { ByteSource } from '../source/byte-source.js';
import type { ByteReader } from './byte-reader.js';
import { RdbError } from './errors.js';

/*
 * LZF: instructions without a header. A byte below 32 copies that many + 1 bytes; otherwise its top three bits are a
 * length and the rest, with the next byte, a distance back. For length 7 an extension byte stands before the distance
 * byte. Source: lzf_d.c (liblzf as in Redis 7.2).
 */

const MAX_DISTANCE = 2 ** 13;
const LONGEST_COPY = 9 + 255;

/** Most compressed bytes that the first `count` inflated bytes can take: a one-byte literal costs two. */
export function lzfPrefixInput(count: number): number {
  return 2 * count + 3;
}

/**
 * Inflates up to `wanted` bytes of the LZF data in `input[at .. end)` into `output` from 0 on; returns how many came.
 * Used for a blob's header; the input may be cut off after enough of it.
 * @throws RdbError `bad-lzf` for a reference before the start
 */
export function inflateLzfPrefix(
  input: Uint8Array,
  at: number,
  end: number,
  output: Uint8Array,
  wanted: number,
  offset: number,
): number {
  let i = at;
  let o = 0;
  while (o < wanted && i < end) {
    const control = input[i++]!;
    if (control < 32) {
      for (let left = control + 1; left > 0 && o < wanted; left--) {
        if (i >= end) return o;
        output[o++] = input[i++]!;
      }
      continue;
    }
    let length = control >> 5;
    if (length === 7) {
      if (i >= end) return o;
      length += input[i++]!;
    }
    if (i >= end) return o;
    const distance = (((control & 0x1f) << 8) | input[i++]!) + 1;
    if (distance > o) throw badReference(distance, o, offset);
    for (let left = length + 2; left > 0 && o < wanted; left--) {
      output[o] = output[o - distance]!;
      o++;
    }
  }
  return o;
}

/**
 * Inflates one LZF string piece by piece, holding no more than a window of it: a source for a reader over the inflated
 * bytes. Takes its input from the snapshot's reader. Reused: `open` starts the next string.
 */
export class LzfSource implements ByteSource {
  private readonly window = new Uint8Array(2 ** 16);
  private filled = 0;
  private given = 0;
  private compressedLeft = 0;
  private inflated = 0;
  private length = 0;
  private start = 0;
  private readonly input: ByteReader;

  constructor(input: ByteReader) {
    this.input = input;
  }

  /** The input stands at the first compressed byte. */
  open(compressedLength: number, length: number): void {
    this.start = this.input.offset;
    this.compressedLeft = compressedLength;
    this.length = length;
    this.filled = this.given = this.inflated = 0;
  }

  read(into: Uint8Array, at: number): number {
    if (this.given === this.filled) this.inflateMore();
    const count = Math.min(this.filled - this.given, into.length - at);
    into.set(this.window.subarray(this.given, this.given + count), at);
    this.given += count;
    return count;
  }

  /** Passes over what is left of the compressed bytes. */
  close(): void {
    this.input.skip(this.compressedLeft);
    this.compressedLeft = 0;
  }

  private inflateMore(): void {
    const kept = Math.min(this.filled, MAX_DISTANCE);
    this.window.copyWithin(0, this.filled - kept, this.filled);
    this.filled = this.given = kept;
    const stop = this.window.length - LONGEST_COPY;
    while (this.filled < stop && this.compressedLeft > 0) this.instruction();
    if (this.compressedLeft === 0 && this.inflated !== this.length) {
      throw this.fault(`${this.inflated} bytes come out of it, ${this.length} are announced`);
    }
  }

  private instruction(): void {
    const control = this.byte();
    if (control < 32) {
      const count = control + 1;
      if (count > this.compressedLeft) throw this.fault('a run of bytes goes past its end');
      this.grow(count);
      this.input.ensure(count);
      this.window.set(this.input.buffer.subarray(this.input.pos, this.input.pos + count), this.filled);
      this.input.pos += count;
      this.compressedLeft -= count;
      this.filled += count;
      return;
    }
    let length = control >> 5;
    if (length === 7) length += this.byte();
    const distance = (((control & 0x1f) << 8) | this.byte()) + 1;
    if (distance > this.filled) throw badReference(distance, this.inflated, this.start);
    const count = length + 2;
    this.grow(count);
    for (let i = 0; i < count; i++) this.window[this.filled + i] = this.window[this.filled + i - distance]!;
    this.filled += count;
  }

  private grow(count: number): void {
    this.inflated += count;
    if (this.inflated > this.length)
      throw this.fault(`more comes out of it than the ${this.length} bytes announced`);
  }

  private byte(): number {
    if (this.compressedLeft === 0) throw this.fault('it ends inside an instruction');
    this.compressedLeft--;
    return this.input.u8();
  }

  private fault(problem: string): RdbError {
    return new RdbError('bad-lzf', `an LZF string is damaged: ${problem}`, {
      offset: this.start,
      blobOffset: this.inflated,
    });
  }
}

function badReference(distance: number, have: number, offset: number): RdbError {
  return new RdbError('bad-lzf', `an LZF string refers ${distance} bytes back, ${have} are there`, {
    offset,
    blobOffset: have,
  });
}
