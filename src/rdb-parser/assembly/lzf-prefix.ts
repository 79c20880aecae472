// The first bytes of LZF data, for a blob's header or what a string holds. As lzf_d.c (liblzf as in Redis 7.2).

const MOST: u32 = 16;
/** Room for what a copy may write too much. */
const OUTPUT = memory.data(16 + 264, 16);

/**
 * Inflates the first `wanted` bytes, at most 16, of the data at `[from, end)`; returns where they are until the next
 * call, 0 when there are fewer or they are damaged.
 */
export function inflatePrefix(from: usize, end: usize, wanted: u32): usize {
  if (from >= end || wanted > MOST) return 0;
  const first: u32 = load<u8>(from);
  // The first run is nearly always of literal bytes, and long enough.
  if (first < 32 && first + 1 >= wanted) return from + 1 + wanted <= end ? from + 1 : 0;
  let at = from;
  let out = OUTPUT;
  while (out < OUTPUT + wanted) {
    if (at >= end) return 0;
    const control: u32 = load<u8>(at++);
    if (control < 32) {
      const count = <usize>control + 1;
      if (at + count > end) return 0;
      memory.copy(out, at, count);
      at += count;
      out += count;
      continue;
    }
    let count = <usize>(control >> 5) + 2;
    if (count === 9) {
      if (at >= end) return 0;
      count += <usize>load<u8>(at++);
    }
    if (at >= end) return 0;
    const distance = <usize>(((control & 0x1f) << 8) | <u32>load<u8>(at++)) + 1;
    if (distance > out - OUTPUT) return 0;
    for (let copied: usize = 0; copied < count; copied++) store<u8>(out + copied, load<u8>(out + copied - distance));
    out += count;
  }
  return OUTPUT;
}
