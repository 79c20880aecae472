import { ByteReader } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import { LzfSource } from '../lzf.js';
import { INTEGER_CLASS, type IntegerClass, type Packing } from '../records.js';
import type { StringBytes, StringHead } from '../string.js';
import { nextInIntset, openIntset } from './intset.js';
import { nextInListpack, openListpack } from './listpack.js';
import { nextInZiplist, openZiplist } from './ziplist.js';
import { nextInZipmap, openZipmap } from './zipmap.js';

/** Inflated bytes are walked through a window of this size. */
const BLOB_WINDOW_BYTES = 2 ** 16;

/**
 * Walks the elements of one packed blob, in place or while inflating it; nothing is allocated per element. Reused:
 * `open`, then `next` until false (or `abandon`), and the snapshot's reader stands behind the blob.
 */
export class PackedCursor {
  /** Of the element at hand: length of its text. */
  length = 0;
  integer: IntegerClass = INTEGER_CLASS.none;
  /** Whether it is stored as an integer; `value` is that integer (a double, so rounded beyond 2^53). */
  isInteger = false;
  value = 0;
  /** Exact halves of `value`. */
  high = 0;
  low = 0;
  /** Elements given so far. */
  count = 0;

  /** The blob's bytes; decoders of the packings read from it. */
  reader: ByteReader;
  /** Where the blob starts, in `reader`'s offsets, and its inflated length. */
  start = 0;
  blobBytes = 0;
  /** State of the packing's own walk: width, element count, whose turn it is. */
  width = 0;
  announced = 0;
  turn = 0;

  private packing: Packing = 'listpack';
  private inPlace = true;
  private fileOffset = 0;
  private readonly snapshot: ByteReader;
  private readonly lzf: LzfSource;
  private readonly inflated: ByteReader;
  private readonly pastEnd = (): RdbError => this.fault('it ends inside an element');

  constructor(snapshot: ByteReader) {
    this.snapshot = snapshot;
    this.reader = snapshot;
    this.lzf = new LzfSource(snapshot);
    this.inflated = new ByteReader(this.lzf, { windowBytes: BLOB_WINDOW_BYTES });
  }

  /** @param head of the blob's string; the snapshot's reader stands at its first stored byte */
  open(packing: Packing, head: StringHead): void {
    this.packing = packing;
    this.count = this.turn = 0;
    this.blobBytes = head.length;
    this.fileOffset = this.snapshot.offset;
    this.inPlace = head.form === 'raw';
    if (this.inPlace) {
      this.reader = this.snapshot;
    } else {
      this.lzf.open(head.stored, head.length);
      this.inflated.reset(this.lzf);
      this.reader = this.inflated;
    }
    this.start = this.reader.offset;
    this.reader.setLimit(this.start + head.length, this.pastEnd);
    try {
      openers[packing](this);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Moves to the next element, false behind the last; `keep` gets its text, at most `cap` bytes of it. */
  next(keep?: StringBytes, cap = 0): boolean {
    let more: boolean;
    try {
      more = steps[this.packing](this, keep, cap);
      if (!more) this.checkEnd();
    } catch (error) {
      this.release();
      throw error;
    }
    if (more) this.count++;
    else this.finish();
    return more;
  }

  /** Passes over what was not looked at. */
  abandon(): void {
    const left = this.start + this.blobBytes - this.reader.offset;
    if (this.inPlace) this.reader.skip(left);
    this.finish();
  }

  /** Bytes of the blob already walked. */
  get position(): number {
    return this.reader.offset - this.start;
  }

  /** A fault of the blob, at the place reached. */
  fault(problem: string): RdbError {
    return new RdbError('bad-blob', `a ${this.packing} is damaged: ${problem}`, {
      offset: this.fileOffset,
      blobOffset: this.position,
    });
  }

  /** Sets the element at hand to an integer of at most 32 bits. */
  setInteger(value: number, integer: IntegerClass, length: number): void {
    this.isInteger = true;
    this.value = value;
    this.high = value < 0 ? -1 : 0;
    this.low = value | 0;
    this.integer = integer;
    this.length = length;
  }

  private checkEnd(): void {
    if (this.position !== this.blobBytes) {
      throw this.fault(`its elements end at byte ${this.position} of ${this.blobBytes}`);
    }
  }

  private finish(): void {
    this.release();
    if (!this.inPlace) this.lzf.close();
  }

  private release(): void {
    this.reader.clearLimit();
  }
}

type Opener = (cursor: PackedCursor) => void;
type Step = (cursor: PackedCursor, keep: StringBytes | undefined, cap: number) => boolean;

const openers: Readonly<Record<Packing, Opener>> = {
  listpack: openListpack,
  ziplist: openZiplist,
  intset: openIntset,
  zipmap: openZipmap,
};

const steps: Readonly<Record<Packing, Step>> = {
  listpack: nextInListpack,
  ziplist: nextInZiplist,
  intset: nextInIntset,
  zipmap: nextInZipmap,
};
