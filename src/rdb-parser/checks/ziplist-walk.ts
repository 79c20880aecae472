import { readU32be, readU32le } from '../byte-reader.js';
import { COUNT_UNKNOWN, ElementWalk } from './element-walk.js';

const END = 0xff;
const LONG_PREVIOUS = 0xfe;
const HEADER_BYTES = 10;

/** Source: ziplist.c ziplistValidateIntegrity (Redis 7.2): what an entry says of the one before it must hold. */
export class ZiplistWalk extends ElementWalk {
  private announced = 0;
  private lastAt = 0;
  private previousAt = 0;

  constructor() {
    super('ziplist');
  }

  next(): boolean {
    const { bytes, at, end } = this;
    const first = bytes[at]!;
    if (first === END) {
      this.finish();
      return false;
    }
    let previous = first;
    let encodingAt = at + 1;
    if (first === LONG_PREVIOUS) {
      previous = readU32le(bytes, at + 1);
      encodingAt = at + 5;
    }
    if (encodingAt >= end) throw this.fault('an entry goes past its end');
    const expected = this.count === 0 ? 0 : at - this.previousAt;
    if (previous !== expected) {
      throw this.fault(`an entry says that ${previous} bytes stand before it, there are ${expected}`);
    }
    const next = this.entry(encodingAt);
    if (next >= end) throw this.fault('an entry goes past its end');
    this.previousAt = at;
    this.at = next;
    this.count++;
    return true;
  }

  protected readHeader(): void {
    const { bytes, start, end } = this;
    const total = readU32le(bytes, start);
    if (total !== end - start) throw this.fault(`it says ${total} bytes, it has ${end - start}`);
    this.lastAt = start + readU32le(bytes, start + 4);
    this.announced = bytes[start + 8]! | (bytes[start + 9]! << 8);
    this.at = this.previousAt = start + HEADER_BYTES;
  }

  /** The encoding byte and what follows; returns where the next entry starts. */
  private entry(at: number): number {
    const { bytes } = this;
    const encoding = bytes[at]!;
    if (encoding < 0x40) return this.text(at + 1, encoding);
    if (encoding < 0x80) return this.text(at + 2, ((encoding & 0x3f) << 8) | bytes[at + 1]!);
    if (encoding < 0xc0) return this.text(at + 5, readU32be(bytes, at + 1));
    if (encoding >= 0xf1 && encoding <= 0xfd) {
      this.setSmall((encoding & 0x0f) - 1);
      return at + 1;
    }
    const width = INTEGER_WIDTHS.get(encoding);
    if (width === undefined) throw this.fault(`0x${encoding.toString(16)} starts no entry`);
    this.setInteger(at + 1, width);
    return at + 1 + width;
  }

  private text(at: number, length: number): number {
    this.setText(at, length);
    return at + length;
  }

  private finish(): void {
    const { start, at, end } = this;
    if (at + 1 !== end) throw this.fault(`its entries end at byte ${at - start} of ${end - start}`);
    if (this.lastAt !== this.previousAt) {
      throw this.fault(
        `its last entry is said to be at byte ${this.lastAt - start}, it is at ${this.previousAt - start}`,
      );
    }
    if (this.announced !== COUNT_UNKNOWN && this.announced !== this.count) {
      throw this.fault(`it announces ${this.announced} entries and holds ${this.count}`);
    }
  }
}

/** Source: ziplist.c ZIP_INT_16B, _32B, _64B, _24B, _8B (Redis 6.2). */
const INTEGER_WIDTHS: ReadonlyMap<number, number> = new Map([
  [0xc0, 2],
  [0xd0, 4],
  [0xe0, 8],
  [0xf0, 3],
  [0xfe, 1],
]);
