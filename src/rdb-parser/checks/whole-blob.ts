import { type ByteReader, MAX_CONTIGUOUS } from '../byte-reader.js';
import type { StringHead } from '../string.js';
import { inflateWhole, MOST_INFLATED, MOST_STORED } from '../whole-lzf.js';

/** Largest blob that is looked at as a whole; larger ones are walked piece by piece. */
const MOST_BYTES = MOST_INFLATED;

/** A packed blob that lies in memory whole: `bytes[at .. at + length)`, inflated when it was compressed. Reused. */
export class WholeBlob {
  /** Valid until the next blob is taken, by whomever. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  length = 0;
  /** For raw blobs longer than the reader gives at once; made when the first one comes. */
  private scratch = new Uint8Array(0);

  /** Takes the blob whose head was read; false, with nothing read, when it is too large. */
  take(reader: ByteReader, head: StringHead): boolean {
    if (head.length > MOST_BYTES || head.stored > MOST_BYTES) return false;
    if (head.form === 'lzf') {
      if (head.stored > Math.min(MOST_STORED, MAX_CONTIGUOUS)) return false;
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
    if (this.scratch.length === 0) this.scratch = new Uint8Array(MOST_BYTES);
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
    this.bytes = inflateWhole(reader.buffer, from, head.stored, head.length, start);
    this.at = 0;
  }
}
