import { type ByteReader, MAX_CONTIGUOUS } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import type { StringHead } from '../string.js';

/** Largest blob that is looked at as a whole; larger ones are walked piece by piece. */
const MOST_BYTES = 2 ** 20;

/** A packed blob that lies in memory whole: `bytes[at .. at + length)`, inflated when it was compressed. Reused. */
export class WholeBlob {
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  length = 0;
  private readonly scratch = new Uint8Array(MOST_BYTES);

  /** Takes the blob whose head was read; false, with nothing read, when it is too large. */
  take(reader: ByteReader, head: StringHead): boolean {
    if (head.length > MOST_BYTES || head.stored > MOST_BYTES) return false;
    if (head.form === 'lzf') {
      if (head.stored > MAX_CONTIGUOUS) return false;
      this.inflate(reader, head);
    } else if (head.length <= MAX_CONTIGUOUS) {
      reader.ensure(head.length);
      this.bytes = reader.buffer;
      this.at = reader.pos;
      reader.pos += head.length;
    } else this.gather(reader, head.length);
    this.length = head.length;
    return true;
  }

  private gather(reader: ByteReader, length: number): void {
    for (let filled = 0; filled < length; ) {
      const piece = Math.min(length - filled, MAX_CONTIGUOUS);
      reader.ensure(piece);
      this.scratch.set(reader.buffer.subarray(reader.pos, reader.pos + piece), filled);
      reader.pos += piece;
      filled += piece;
    }
    this.bytes = this.scratch;
    this.at = 0;
  }

  private inflate(reader: ByteReader, head: StringHead): void {
    reader.ensure(head.stored);
    const start = reader.offset;
    const from = reader.pos;
    reader.pos += head.stored;
    const problem = inflateWhole(reader.buffer, from, reader.pos, this.scratch, head.length);
    if (problem !== undefined) {
      throw new RdbError('bad-lzf', `an LZF string is damaged: ${problem}`, { offset: start });
    }
    this.bytes = this.scratch;
    this.at = 0;
  }
}

/** Inflates `input[from .. end)` into the first `length` bytes of `output`; says what is wrong with it. */
function inflateWhole(
  input: Uint8Array,
  from: number,
  end: number,
  output: Uint8Array,
  length: number,
): string | undefined {
  let i = from;
  let o = 0;
  while (i < end) {
    const control = input[i++]!;
    if (control < 32) {
      const stop = o + control + 1;
      if (stop > length || i + control >= end) return 'a run of bytes goes past its end';
      while (o < stop) output[o++] = input[i++]!;
      continue;
    }
    let count = (control >> 5) + 2;
    if (count === 9) count += i < end ? input[i++]! : 0;
    if (i >= end) return 'it ends inside an instruction';
    const distance = (((control & 0x1f) << 8) | input[i++]!) + 1;
    if (distance > o) return `it refers ${distance} bytes back, ${o} are there`;
    const stop = o + count;
    if (stop > length) return `more comes out of it than the ${length} bytes announced`;
    let copied = o - distance;
    while (o < stop) output[o++] = output[copied++]!;
  }
  return o === length ? undefined : `${o} bytes come out of it, ${length} are announced`;
}
