/**
 * Decodes one LZ4 block into `into` from `at` on and returns where its bytes end. Matches may reach back over what
 * stands in `into` before `at`.
 * @param floor lowest index a match may reach back to
 * @throws RangeError when the block is damaged or needs more room than `into` has
 * Source: lz4_Block_format.md, LZ4 1.9.4.
 */
export function decodeLz4Block(block: Uint8Array, into: Uint8Array, at: number, floor: number): number {
  const end = block.length;
  let from = 0;
  let to = at;
  while (from < end) {
    const token = block[from++]!;

    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255 && from < end) {
        more = block[from++]!;
        literals += more;
      }
    }
    if (literals > end - from || literals > into.length - to) throw new RangeError('literals past the end');
    if (literals <= SHORT_COPY) for (let i = 0; i < literals; i++) into[to + i] = block[from + i]!;
    else into.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === end) return to; // the last sequence is literals only

    if (end - from < 2) throw new RangeError('a match without its offset');
    const offset = block[from]! | (block[from + 1]! << 8);
    from += 2;
    let match = token & 15;
    if (match === 15) {
      let more = 255;
      while (more === 255) {
        if (from >= end) throw new RangeError('a match without its length');
        more = block[from++]!;
        match += more;
      }
    }
    match += MIN_MATCH;
    const source = to - offset;
    if (offset === 0 || source < floor) throw new RangeError('a match before the start');
    if (match > into.length - to) throw new RangeError('a match past the end');
    if (offset >= match && match > SHORT_COPY) into.copyWithin(to, source, source + match);
    else for (let i = 0; i < match; i++) into[to + i] = into[source + i]!; // may overlap itself
    to += match;
  }
  throw new RangeError('no last literals');
}

const MIN_MATCH = 4;

/** Below this a loop is faster than the call. */
const SHORT_COPY = 32;
