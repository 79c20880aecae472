import { readU32le } from '../byte-reader.js';
import { COUNT_UNKNOWN, ElementWalk } from './element-walk.js';

const END = 0xff;
const HEADER_BYTES = 6;

/** Source: listpack.c lpValidateIntegrity, lpValidateNext (Redis 7.2). */
export class ListpackWalk extends ElementWalk {
  private announced = 0;

  constructor() {
    super('listpack');
  }

  next(): boolean {
    const { bytes, at, end } = this;
    const first = bytes[at]!;
    let size: number;
    if (first < 0x80) {
      this.setSmall(first);
      size = 1;
    } else if (first < 0xc0) {
      this.setText(at + 1, first & 0x3f);
      size = 1 + (first & 0x3f);
    } else if (first < 0xe0) {
      const unsigned = ((first & 0x1f) << 8) | bytes[at + 1]!;
      this.setSmall(unsigned >= 4096 ? unsigned - 8192 : unsigned);
      size = 2;
    } else if (first === END) {
      this.finish();
      return false;
    } else size = this.wide(first);
    const back = size < 128 ? 1 : backLengthBytes(size);
    // the end mark stands behind the last element: something must be left
    if (at + size + back >= end) throw this.fault('an element goes past its end');
    if (size < 128 ? bytes[at + size] !== size : this.backLength(at + size, back) !== size) {
      throw this.fault(`an element of ${size} bytes says that it has another size`);
    }
    this.at = at + size + back;
    this.count++;
    return true;
  }

  protected readHeader(): void {
    const { bytes, start, end } = this;
    const total = readU32le(bytes, start);
    if (total !== end - start) throw this.fault(`it says ${total} bytes, it has ${end - start}`);
    this.announced = bytes[start + 4]! | (bytes[start + 5]! << 8);
    this.at = start + HEADER_BYTES;
  }

  /** Encodings 0xe0..0xf4; returns the bytes of encoding and data. */
  private wide(first: number): number {
    const { bytes, at } = this;
    if (first < 0xf0) {
      const length = ((first & 0x0f) << 8) | bytes[at + 1]!;
      this.setText(at + 2, length);
      return 2 + length;
    }
    if (first === 0xf0) {
      const length = readU32le(bytes, at + 1);
      this.setText(at + 5, length);
      return 5 + length;
    }
    if (first > 0xf4) throw this.fault(`0x${first.toString(16)} starts no element`);
    const width = first === 0xf4 ? 8 : first - 0xf1 + 2;
    this.setInteger(at + 1, width);
    return 1 + width;
  }

  private backLength(at: number, bytes: number): number {
    let told = 0;
    for (let i = at; i < at + bytes; i++) told = told * 128 + (this.bytes[i]! & 0x7f);
    return told;
  }

  private finish(): void {
    if (this.at + 1 !== this.end) {
      throw this.fault(`its elements end at byte ${this.at - this.start} of ${this.end - this.start}`);
    }
    if (this.announced !== COUNT_UNKNOWN && this.announced !== this.count) {
      throw this.fault(`it announces ${this.announced} elements and holds ${this.count}`);
    }
  }
}

/** Source: listpack.c lpEncodeBacklenBytes (Redis 7.2). */
function backLengthBytes(size: number): number {
  return size < 128 ? 1 : size < 16383 ? 2 : size < 2097151 ? 3 : size < 268435455 ? 4 : 5;
}
