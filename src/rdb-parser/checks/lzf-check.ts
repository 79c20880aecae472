import { type ByteReader, MAX_CONTIGUOUS } from '../byte-reader.js';

/** An instruction is at most this long: a control byte and 32 literal bytes. */
const LONGEST_INSTRUCTION = 33;

/**
 * Passes over LZF data without inflating it, checking that each instruction makes sense and that all of them together
 * give `length` bytes; says what is wrong. Where the reader stands then is not told.
 */
export function passLzf(reader: ByteReader, stored: number, length: number): string | undefined {
  let left = stored;
  let made = 0;
  while (left > 0) {
    // whole instructions are looked at in the window; near its end, or the data's, one at a time
    const ahead = Math.min(left, MAX_CONTIGUOUS);
    reader.ensure(Math.min(ahead, LONGEST_INSTRUCTION));
    const { buffer, pos } = reader;
    const end = Math.min(pos + left, reader.end);
    const safe = left <= reader.end - pos ? end : end - LONGEST_INSTRUCTION;
    let i = pos;
    do {
      const control = buffer[i++]!;
      if (control < 32) {
        i += control + 1;
        made += control + 1;
        if (i > end) return 'a run of bytes goes past its end';
      } else {
        let count = (control >> 5) + 2;
        if (count === 9) count += buffer[i++]!;
        if (i >= end) return 'it ends inside an instruction';
        const distance = (((control & 0x1f) << 8) | buffer[i++]!) + 1;
        if (distance > made) return `it refers ${distance} bytes back, ${made} are there`;
        made += count;
      }
      if (made > length) return `more comes out of it than the ${length} bytes announced`;
    } while (i < safe);
    left -= i - pos;
    reader.pos = i;
  }
  return made === length ? undefined : `${made} bytes come out of it, ${length} are announced`;
}
