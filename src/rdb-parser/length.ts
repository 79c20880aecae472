import type { ByteReader } from './byte-reader.js';
import { readU32be } from './byte-reader.js';
import { RdbError } from './errors.js';

/*
 * LEN, the variable-length integer that everything is counted with. The two top bits of its first byte choose the form:
 * 6 bits, 14 bits, 32 or 64 bits big-endian, or "no length but a special string". Source: rdb.c rdbLoadLenByRef,
 * rdb.h RDB_6BITLEN .. RDB_ENCVAL (Redis 7.4).
 */

/** Lengths up to this one take one byte, which is the length itself. */
export const LONGEST_SHORT = 0x3f;

export const FORM_32_BIT = 0x80;
const FORM_64_BIT = 0x81;

/** A byte length or a count. @throws RdbError `bad-length` for a special string, an unknown form, or 2^53 and above */
export function readLength(reader: ByteReader): number {
  const length = readLengthOrSpecial(reader);
  if (length >= 0) return length;
  throw new RdbError('bad-length', `a length is expected, a special string (${-1 - length}) is there`, {
    offset: reader.offset - 1,
  });
}

/** A length, or `-1 - code` for a special string's code. */
export function readLengthOrSpecial(reader: ByteReader): number {
  const first = reader.u8();
  if (first < 0x40) return first;
  if (first < 0x80) return ((first & 0x3f) << 8) | reader.u8();
  if (first >= 0xc0) return -1 - (first & 0x3f);
  if (first === FORM_32_BIT) return reader.u32be();
  if (first !== FORM_64_BIT) throw unknownForm(first, reader.offset - 1);
  const high = reader.u32be();
  const low = reader.u32be();
  if (high >= 2 ** 21) {
    throw new RdbError('bad-length', `a length of ${(BigInt(high) << 32n) | BigInt(low)} is beyond 2^53`, {
      offset: reader.offset - 9,
    });
  }
  return high * 2 ** 32 + low;
}

/** A 64-bit number in length form: ids, module ids, counters. */
export function readNumber64(reader: ByteReader): bigint {
  reader.ensure(1);
  if (reader.buffer[reader.pos] !== FORM_64_BIT) return BigInt(readLength(reader));
  reader.pos++;
  return reader.u64be();
}

/** Passes over a number in length form, whatever its size. */
export function skipNumber(reader: ByteReader): void {
  const first = reader.u8();
  if (first < 0x40) return;
  if (first < 0x80) reader.skip(1);
  else if (first === FORM_32_BIT) reader.skip(4);
  else if (first === FORM_64_BIT) reader.skip(8);
  else throw unknownForm(first, reader.offset - 1);
}

/** A number in length form as two 32-bit halves in `halves`, for hot loops that may meet all 64 bits. */
export function readNumberHalves(reader: ByteReader, halves: Uint32Array): void {
  reader.ensure(1);
  if (reader.buffer[reader.pos] !== FORM_64_BIT) {
    halves[0] = 0;
    halves[1] = readLength(reader);
    return;
  }
  reader.ensure(9);
  halves[0] = readU32be(reader.buffer, reader.pos + 1);
  halves[1] = readU32be(reader.buffer, reader.pos + 5);
  reader.pos += 9;
}

function unknownForm(first: number, offset: number): RdbError {
  return new RdbError('bad-length', `0x${first.toString(16)} starts no length`, { offset });
}
