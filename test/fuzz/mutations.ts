import type { Specimen } from './corpus.js';

/** A whole number from 0 up to but not including `below`. */
export type Pick = (below: number) => number;

/** Lengths and counts that are hard on a reader: forms of 5 and 9 bytes, up to 2^64 - 1. */
const HARD_LENGTHS: readonly (readonly number[])[] = [
  [0],
  [1],
  [0x3f],
  [0x7f, 0xff],
  [0x80, 0, 1, 0, 0],
  [0x80, 0xff, 0xff, 0xff, 0xff],
  [0x81, 0, 0, 0, 1, 0, 0, 0, 0],
  [0x81, 0, 0x10, 0, 0, 0, 0, 0, 0],
  [0x81, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0x81, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0xc0, 0],
  [0xc3, 0x05, 0x40, 0xff],
  [0xc3, 0x80, 0xff, 0xff, 0xff, 0xff, 0x80, 0xff, 0xff, 0xff, 0xff],
];

/** Bytes that mean something somewhere: forms of lengths, end marks, limits, opcodes. */
const TELLING_BYTES = [
  0, 1, 2, 3, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xe0, 0xf0, 0xf4, 0xfd, 0xfe, 0xff,
];

const HIGHEST_TYPE = 70;
const LOWEST_OPCODE = 200;

/**
 * Puts a snapshot together from a specimen's header and some records of it and of others, hurts it in one to four
 * places, and ends it.
 */
export function mutant(corpus: readonly Specimen[], pick: Pick): Uint8Array {
  const home = corpus[pick(corpus.length)]!;
  const parts: Uint8Array[] = [home.header];
  const starts: number[] = [];
  let at = home.header.length;
  for (let i = 1 + pick(4); i > 0; i--) {
    const from = pick(4) === 0 ? corpus[pick(corpus.length)]! : home;
    const record = from.records[pick(from.records.length)]!;
    starts.push(at);
    parts.push(record);
    at += record.length;
  }
  parts.push(Buffer.from('ff0000000000000000', 'hex'));
  let bytes: Uint8Array = Buffer.concat(parts);
  for (let i = 1 + pick(4); i > 0; i--) bytes = hurt(bytes, starts[pick(starts.length)]!, pick);
  return bytes;
}

/** One change, near the start of a record (where its structure is) or anywhere. */
function hurt(bytes: Uint8Array, recordStart: number, pick: Pick): Uint8Array {
  const near = pick(3) > 0;
  const at = Math.min(near ? recordStart + pick(48) : pick(bytes.length), bytes.length - 1);
  switch (pick(10)) {
    case 0:
      return changed(bytes, at, bytes[at]! ^ (1 << pick(8)));
    case 1:
      return changed(bytes, at, TELLING_BYTES[pick(TELLING_BYTES.length)]!);
    case 2:
      return changed(bytes, at, pick(256));
    case 3:
      return changed(
        bytes,
        recordStart,
        pick(2) === 0 ? pick(HIGHEST_TYPE) : LOWEST_OPCODE + pick(256 - LOWEST_OPCODE),
      );
    case 4: {
      // a length that grows or shrinks the bytes
      const length = HARD_LENGTHS[pick(HARD_LENGTHS.length)]!;
      return spliced(bytes, at, pick(3), Uint8Array.from(length));
    }
    case 5: {
      // a length written over what is there
      const length = HARD_LENGTHS[pick(HARD_LENGTHS.length)]!;
      return spliced(bytes, at, length.length, Uint8Array.from(length));
    }
    case 6:
      return bytes.slice(0, at + 1);
    case 7:
      return spliced(bytes, at, 1 + pick(16), new Uint8Array(0));
    case 8: {
      // a piece again
      const piece = bytes.slice(at, at + 1 + pick(64));
      return spliced(bytes, pick(bytes.length), 0, piece);
    }
    default: {
      const run = new Uint8Array(1 + pick(300)).fill(TELLING_BYTES[pick(TELLING_BYTES.length)]!);
      return spliced(bytes, at, pick(run.length), run);
    }
  }
}

function changed(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = value;
  return copy;
}

function spliced(bytes: Uint8Array, at: number, removed: number, piece: Uint8Array): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + removed)]);
}
