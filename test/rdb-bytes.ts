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

/** A listpack of strings and integers of up to 32 bits; `count` may be told wrong. */
export function listpack(
  elements: readonly (string | number | Uint8Array)[],
  count = Math.min(elements.length, 0xffff),
): Uint8Array {
  const parts = elements.map((element) => {
    const data = typeof element === 'number' ? listpackInteger(element) : listpackText(Buffer.from(element));
    return Buffer.concat([data, backLength(data.length)]);
  });
  const body = Buffer.concat(parts);
  const header = Buffer.alloc(6);
  header.writeUInt32LE(body.length + 7);
  header.writeUInt16LE(count, 4);
  return Buffer.concat([header, body, Uint8Array.of(0xff)]);
}

function listpackInteger(value: number): Uint8Array {
  if (value >= 0 && value < 128) return Uint8Array.of(value);
  if (value >= -4096 && value < 4096) return Uint8Array.of(0xc0 | ((value >> 8) & 0x1f), value & 0xff);
  const wide = Buffer.alloc(5, 0xf3);
  wide.writeInt32LE(value, 1);
  return wide;
}

function listpackText(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length < 64) return Buffer.concat([Uint8Array.of(0x80 | length), bytes]);
  if (length < 4096) return Buffer.concat([Uint8Array.of(0xe0 | (length >> 8), length & 0xff), bytes]);
  const head = Buffer.alloc(5, 0xf0);
  head.writeUInt32LE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** Seven bits a byte, the highest first, all but the first marked. Limits: listpack.c lpEncodeBacklen (Redis 7.2). */
function backLength(size: number): Uint8Array {
  const bytes = size < 128 ? 1 : size < 16383 ? 2 : size < 2097151 ? 3 : 4;
  return Uint8Array.from({ length: bytes }, (_, i) => {
    const group = (size >> (7 * (bytes - 1 - i))) & 0x7f;
    return i === 0 ? group : group | 0x80;
  });
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

/** An intset of integers that are `width` bytes wide: 2 or 4. */
export function intset(width: 2 | 4, members: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(8 + width * members.length);
  bytes.writeUInt32LE(width);
  bytes.writeUInt32LE(members.length, 4);
  for (const [i, member] of members.entries()) bytes.writeIntLE(member, 8 + i * width, width);
  return bytes;
}
