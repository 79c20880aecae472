import { describe, expect, it } from 'vitest';
import { Crc64 } from '../../src/rdb-parser/crc64.js';
import { KeyCore } from '../../src/store/key-core.js';
import { seededRandom } from '../seeded.js';

const POLYNOMIAL = 0x95ac9329ac4bc9b5n; // of crc64.c, Redis 7.2, with its bits reversed

/** Bit by bit, as the definition has it. */
function byDefinition(bytes: Uint8Array, before = 0n): bigint {
  let crc = before;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1n) === 1n ? (crc >> 1n) ^ POLYNOMIAL : crc >> 1n;
  }
  return crc;
}

/** The same with a table, for long messages; the first test holds it to the definition. */
const TABLE = BigUint64Array.from({ length: 256 }, (_, byte) => byDefinition(Uint8Array.of(byte)));
function byTable(bytes: Uint8Array, before = 0n): bigint {
  let crc = before;
  for (const byte of bytes) crc = (crc >> 8n) ^ TABLE[Number((crc ^ BigInt(byte)) & 0xffn)]!;
  return crc;
}

function randomBytes(length: number, seed = 1): Uint8Array {
  const random = seededRandom(String(seed));
  return Uint8Array.from({ length }, () => random() * 256);
}

function checksumOf(bytes: Uint8Array, pieces: readonly number[] = [bytes.length]): bigint {
  const crc = new Crc64();
  let at = 0;
  for (const piece of pieces) {
    crc.update(bytes, at, at + piece);
    at += piece;
  }
  crc.update(bytes, at, bytes.length);
  return crc.value;
}

/** Where the reduction has an end, a beginning or a border, and their neighbours. */
const LENGTHS = [
  0, 1, 7, 8, 9, 15, 16, 63, 64, 65, 1000, 65_535, 65_536, 65_537, 131_071, 131_072, 196_608,
].concat([262_143, 262_144, 262_145, 327_680, 393_216, 400_001, 700_003]);

describe('the checksum', () => {
  it('is the one of the server', () => {
    const nine = Buffer.from('123456789');
    expect(checksumOf(nine)).toBe(0xe9c6d914c4b8d9can);
    expect(byDefinition(nine)).toBe(0xe9c6d914c4b8d9can);
    expect(byTable(randomBytes(500))).toBe(byDefinition(randomBytes(500)));
  });

  it.each(LENGTHS)('of %i bytes is as defined', (length) => {
    const bytes = randomBytes(length, length);
    expect(checksumOf(bytes)).toBe(byTable(bytes));
  });

  it('does not depend on the pieces that bytes come in', () => {
    const bytes = randomBytes(600_000);
    const whole = byTable(bytes);
    const random = seededRandom('pieces');
    for (let round = 0; round < 40; round++) {
      const pieces: number[] = [];
      const most = [3, 70, 5000, 140_000, 300_000][round % 5]!;
      for (let left = bytes.length; left > 0 && pieces.length < 5000; ) {
        const piece = Math.min(left, Math.floor(random() * most));
        pieces.push(piece);
        left -= piece;
      }
      expect(checksumOf(bytes, pieces)).toBe(whole);
    }
  });

  it('can be asked for in between, and goes on', () => {
    const bytes = randomBytes(500_000);
    const crc = new Crc64();
    let at = 0;
    for (const to of [0, 1, 5, 8, 13, 100, 66_000, 131_072, 131_073, 262_144, 300_000, 500_000]) {
      crc.update(bytes, at, to);
      expect(crc.value).toBe(byTable(bytes.subarray(0, to)));
      expect(crc.value).toBe(crc.value);
      at = to;
    }
  });

  it('goes on from a checksum, also over fewer than eight bytes', () => {
    const bytes = randomBytes(100_000);
    for (const cut of [0, 1, 8, 50_000]) {
      for (const more of [0, 1, 2, 7, 8, 9, 40_000]) {
        const crc = new Crc64();
        crc.value = byTable(bytes.subarray(0, cut));
        crc.update(bytes, cut, cut + more);
        expect(crc.value).toBe(byTable(bytes.subarray(0, cut + more)));
      }
    }
  });

  it('is not disturbed by another one that is computed in turn', () => {
    const [one, other] = [randomBytes(300_000, 1), randomBytes(300_000, 2)];
    const [first, second] = [new Crc64(), new Crc64()];
    const random = seededRandom('turns');
    for (let at = 0; at < 300_000; ) {
      const to = Math.min(300_000, at + 1 + Math.floor(random() * (at < 100 ? 5 : 20_000)));
      first.update(one, at, to);
      second.update(other, at, to);
      at = to;
    }
    expect(first.value).toBe(byTable(one));
    expect(second.value).toBe(byTable(other));
  });

  it('is the same where the bytes lie in memory that the work can be done in', () => {
    const bytes = randomBytes(500_000);
    const { window, decoderWindow } = new KeyCore({ windowBytes: 2 ** 19 });
    window.set(bytes);
    const { checksum } = decoderWindow;
    checksum.update(window, 0, 100_001);
    checksum.update(window, 100_001, 500_000);
    expect(checksum.value).toBe(byTable(bytes));
    checksum.value = 0n;
    checksum.update(bytes, 3, 400_000);
    expect(checksum.value).toBe(byTable(bytes.subarray(3, 400_000)));
  });

  it('finds every flipped bit, wherever it stands', () => {
    const bytes = new Uint8Array(270_000);
    for (const at of [0, 1, 63, 64, 32_767, 65_536, 131_072, 200_000, 269_999]) {
      bytes[at] = 0x80;
      expect(checksumOf(bytes)).toBe(byTable(bytes));
      bytes[at] = 0;
    }
    expect(checksumOf(bytes)).toBe(0n);
  });
});
