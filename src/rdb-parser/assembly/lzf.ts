// LZF inflation, as lzf_d.c (liblzf as in Redis 7.2). Compiled by AssemblyScript. Copies eight bytes at a time and lets them
// run over: each area has a kilobyte behind it, and what was written too much is overwritten or never read.

/** Most compressed and inflated bytes. */
export const INPUT_BYTES: i32 = 64 << 10;
export const OUTPUT_BYTES: i32 = 1 << 20;

const INPUT = memory.data((64 << 10) + 1024, 16);
const OUTPUT = memory.data((1 << 20) + 1024, 16);

export function inputAddress(): i32 {
  return <i32>INPUT;
}

export function outputAddress(): i32 {
  return <i32>OUTPUT;
}

/** Faults: what the caller makes words of. `faultAt` says where. */
export const RUN_PAST_END: i32 = -1;
export const CUT_INSTRUCTION: i32 = -2;
export const BAD_REFERENCE: i32 = -3;
export const TOO_LONG: i32 = -4;

let inflated: i32 = 0;
let distance: i32 = 0;

/** Bytes that were inflated before the fault. */
export function faultAt(): i32 {
  return inflated;
}

/** How far back the faulty reference goes. */
export function faultDistance(): i32 {
  return distance;
}

/** Inflates `stored` bytes of the input area; at most `limit` bytes. The bytes that came out, or a fault. */
export function inflate(stored: i32, limit: i32): i32 {
  let i: usize = INPUT;
  const end: usize = INPUT + stored;
  let o: usize = OUTPUT;
  const stop: usize = OUTPUT + limit;
  while (i < end) {
    const control = <u32>load<u8>(i++);
    if (control < 32) {
      const count = <usize>control + 1;
      if (i + count > end) return fault(RUN_PAST_END, o);
      if (o + count > stop) return fault(TOO_LONG, o);
      for (let k: usize = 0; k < count; k += 8) store<u64>(o + k, load<u64>(i + k));
      i += count;
      o += count;
      continue;
    }
    let count = <usize>(control >> 5) + 2;
    if (count == 9) {
      if (i >= end) return fault(CUT_INSTRUCTION, o);
      count += <usize>load<u8>(i++);
    }
    if (i >= end) return fault(CUT_INSTRUCTION, o);
    const back = <usize>(((control & 0x1f) << 8) | <u32>load<u8>(i++)) + 1;
    if (back > o - OUTPUT) {
      distance = <i32>back;
      return fault(BAD_REFERENCE, o);
    }
    if (o + count > stop) return fault(TOO_LONG, o);
    const from = o - back;
    if (back >= 8) {
      for (let k: usize = 0; k < count; k += 8) store<u64>(o + k, load<u64>(from + k));
    } else if (back == 1) {
      memory.fill(o, load<u8>(from), count);
    } else {
      for (let k: usize = 0; k < count; k++) store<u8>(o + k, load<u8>(from + k));
    }
    o += count;
  }
  return <i32>(o - OUTPUT);
}

function fault(code: i32, o: usize): i32 {
  inflated = <i32>(o - OUTPUT);
  return code;
}
