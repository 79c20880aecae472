/**
 * How SQLite writes the values of a row. Source: SQLite file format, section 2.1 "Record Format".
 */

export const SERIAL = { null: 0, int64: 6, real: 7, zero: 8, one: 9 } as const;

/** Bytes of a value by its serial type, for types below 10. */
const CONTENT_BYTES = Uint8Array.of(0, 1, 2, 3, 4, 6, 8, 8, 0, 0);

const INT48 = 2 ** 47;
const INT64 = 2 ** 63;

/** The serial type of a whole number: the narrowest that holds it, a real beyond 64 bits. */
export function serialType(value: number): number {
  if (value >= 0 ? value < 0x8000 : value >= -0x8000) {
    if (value === 0) return SERIAL.zero;
    if (value === 1) return SERIAL.one;
    return value >= -0x80 && value < 0x80 ? 1 : 2;
  }
  if (value >= -0x80000000 && value < 0x80000000) return value >= -0x800000 && value < 0x800000 ? 3 : 4;
  if (value >= -INT48 && value < INT48) return 5;
  return value >= -INT64 && value < INT64 ? SERIAL.int64 : SERIAL.real;
}

export function contentBytes(serial: number): number {
  return CONTENT_BYTES[serial]!;
}

/** The serial type of a key's bytes. */
export function bytesSerialType(length: number, isText: boolean): number {
  return length * 2 + (isText ? 13 : 12);
}

/** Writes a value as its serial type wants it, big-endian, and returns where the next begins. */
export function writeContent(into: Uint8Array, at: number, value: number, serial: number): number {
  switch (serial) {
    case 1:
      into[at] = value;
      return at + 1;
    case 2:
      into[at] = value >> 8;
      into[at + 1] = value;
      return at + 2;
    case 3:
      into[at] = value >> 16;
      into[at + 1] = value >> 8;
      into[at + 2] = value;
      return at + 3;
    case 4:
      return writeUint32(into, at, value);
    case 5: {
      const high = Math.floor(value / 2 ** 32);
      into[at] = high >> 8;
      into[at + 1] = high;
      return writeUint32(into, at + 2, value - high * 2 ** 32);
    }
    case SERIAL.int64: {
      const high = Math.floor(value / 2 ** 32);
      return writeUint32(into, writeUint32(into, at, high), value - high * 2 ** 32);
    }
    case SERIAL.real:
      real.setFloat64(0, value);
      into.set(realBytes, at);
      return at + 8;
    default:
      return at;
  }
}

/** Writes the low 32 bits, big-endian. */
export function writeUint32(into: Uint8Array, at: number, value: number): number {
  into[at] = value >>> 24;
  into[at + 1] = value >>> 16;
  into[at + 2] = value >>> 8;
  into[at + 3] = value;
  return at + 4;
}

/** Bytes of a number as a varint; below 2^53 it is at most 8. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Writes a number below 2^53 as a varint: seven bits a byte, the highest first. */
export function writeVarint(into: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    into[at] = value;
    return at + 1;
  }
  if (value < 0x4000) {
    into[at] = (value >> 7) | 0x80;
    into[at + 1] = value & 0x7f;
    return at + 2;
  }
  const length = varintBytes(value);
  let rest = value;
  for (let i = length - 1; i >= 0; i--) {
    into[at + i] = (rest % 0x80) | (i === length - 1 ? 0 : 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return at + length;
}

const real = new DataView(new ArrayBuffer(8));
const realBytes = new Uint8Array(real.buffer);
