import { readU32le } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import type { WholeBlob } from './whole-blob.js';

/**
 * Walks the elements of a blob that lies in memory whole, checking everything that is written twice in it. Made for
 * speed: `PackedCursor` does the same for blobs of any size.
 */
export abstract class ElementWalk {
  /** Elements given so far. */
  count = 0;
  /** Of the element at hand: an integer, exact in its signed halves, or text at `bytes[textAt ..]`. */
  isInteger = false;
  high = 0;
  low = 0;
  textAt = 0;
  textLength = 0;
  protected bytes: Uint8Array = new Uint8Array(0);
  /** Where the next element is, and the blob's end. */
  protected at = 0;
  protected end = 0;
  protected start = 0;
  private fileOffset = 0;
  private readonly packing: string;

  constructor(packing: string) {
    this.packing = packing;
  }

  /** @param fileOffset where the blob's string starts in the snapshot, for faults */
  open(blob: WholeBlob, fileOffset: number): void {
    this.bytes = blob.bytes;
    this.start = this.at = blob.at;
    this.end = blob.at + blob.length;
    this.fileOffset = fileOffset;
    this.count = 0;
    this.readHeader();
  }

  /** Moves to the next element; false behind the last. @throws RdbError `bad-blob` */
  abstract next(): boolean;

  protected abstract readHeader(): void;

  /** The integer at hand, rounded beyond 2^53. */
  get value(): number {
    return this.high * 2 ** 32 + (this.low >>> 0);
  }

  fault(problem: string): RdbError {
    return new RdbError('bad-blob', `a ${this.packing} is damaged: ${problem}`, {
      offset: this.fileOffset,
      blobOffset: this.at - this.start,
    });
  }

  /** The element at hand is an integer of `width` bytes at `at`, little-endian, signed. */
  protected setInteger(at: number, width: number): void {
    const { bytes } = this;
    this.isInteger = true;
    switch (width) {
      case 1:
        this.low = (bytes[at]! << 24) >> 24;
        break;
      case 2:
        this.low = ((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16;
        break;
      case 3:
        this.low = ((bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)) << 8) >> 8;
        break;
      case 4:
        this.low = readU32le(bytes, at) | 0;
        break;
      default:
        this.low = readU32le(bytes, at) | 0;
        this.high = readU32le(bytes, at + 4) | 0;
        return;
    }
    this.high = this.low < 0 ? -1 : 0;
  }

  protected setSmall(value: number): void {
    this.isInteger = true;
    this.low = value;
    this.high = value < 0 ? -1 : 0;
  }

  protected setText(at: number, length: number): void {
    this.isInteger = false;
    this.textAt = at;
    this.textLength = length;
  }
}

/** A 16-bit count that says "more than fits here". Source: listpack.c LP_HDR_NUMELE_UNKNOWN, ziplist.c (Redis 7.2). */
export const COUNT_UNKNOWN = 0xffff;
