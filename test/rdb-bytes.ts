import { Crc64 } from '../src/rdb-parser/crc64.js';

/**
 * Builds a snapshot byte by byte, in the open: `new RdbBytes('REDIS0011').hex('00 K 01 76').end()`. In hex text `K` is
 * the key "k" and blanks do not count.
 */
export class RdbBytes {
  private readonly parts: Uint8Array[] = [];
  private readonly version: number;

  constructor(magic = 'REDIS0011') {
    this.parts.push(Buffer.from(magic, 'latin1'));
    this.version = Number(/\d+$/.exec(magic)?.[0] ?? 0);
  }

  hex(text: string): this {
    return this.bytes(Buffer.from(text.replaceAll('K', '016b').replaceAll(/\s/g, ''), 'hex'));
  }

  bytes(bytes: Uint8Array): this {
    this.parts.push(bytes);
    return this;
  }

  /** A string as STR, raw. */
  string(text: string | Uint8Array): this {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    return this.length(bytes.length).bytes(bytes);
  }

  /** A number as LEN, in the shortest form. */
  length(value: number): this {
    if (value < 2 ** 6) return this.bytes(Uint8Array.of(value));
    if (value < 2 ** 14) return this.bytes(Uint8Array.of(0x40 | (value >> 8), value & 0xff));
    const bytes = Buffer.alloc(5);
    bytes[0] = 0x80;
    bytes.writeUInt32BE(value, 1);
    return this.bytes(bytes);
  }

  aux(name: string, value: string): this {
    return this.hex('fa').string(name).string(value);
  }

  /** The sentinel that a reader in step still finds: key "after" = "x". */
  sentinel(): this {
    return this.hex('00').string('after').string('x');
  }

  /** EOF and the trailer that the version asks for, with a right checksum. */
  end(): Uint8Array {
    this.hex('ff');
    if (this.version < 5) return this.raw();
    const crc = new Crc64();
    const body = this.raw();
    crc.update(body, 0, body.length);
    const trailer = Buffer.alloc(8);
    trailer.writeBigUInt64LE(crc.value);
    return Buffer.concat([body, trailer]);
  }

  /** What was put in so far, without an end. */
  raw(): Uint8Array {
    return Buffer.concat(this.parts);
  }
}

/** A listpack of strings of up to 63 bytes and integers 0..127; `count` may be told wrong. */
export function listpack(elements: readonly (string | number)[], count = elements.length): Uint8Array {
  const parts = elements.map((element) => {
    if (typeof element === 'number') return Uint8Array.of(element, 1);
    const bytes = Buffer.from(element);
    return Buffer.concat([Uint8Array.of(0x80 | bytes.length), bytes, Uint8Array.of(bytes.length + 1)]);
  });
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(6);
  header.writeUInt32LE(body.length + 7);
  header.writeUInt16LE(count, 4);
  return Buffer.concat([header, body, Uint8Array.of(0xff)]);
}

/** A ziplist of strings of up to 63 bytes; `count` may be told wrong. */
export function ziplist(elements: readonly string[], count = elements.length): Uint8Array {
  let previous = 0;
  const parts = elements.map((element) => {
    const bytes = Buffer.from(element);
    const entry = Buffer.concat([Uint8Array.of(previous, bytes.length), bytes]);
    previous = entry.length;
    return entry;
  });
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(10);
  header.writeUInt32LE(body.length + 11);
  header.writeUInt32LE(10 + body.length - previous, 4);
  header.writeUInt16LE(count, 8);
  return Buffer.concat([header, body, Uint8Array.of(0xff)]);
}
