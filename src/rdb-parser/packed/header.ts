import { readU32le } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import { type Packing, UNKNOWN } from '../records.js';
import type { StringPeek } from '../string.js';

/** A 16-bit element count that says "more than fits here: walk". Source: listpack.c LP_HDR_NUMELE_UNKNOWN, ziplist.c. */
const COUNT_UNKNOWN = 0xffff;
/** First byte of a zipmap from which on its count is not told. Source: zipmap.c ZIPMAP_BIGLEN (Redis 7.2). */
const ZIPMAP_COUNT_UNKNOWN = 254;

/** How many of a blob's first bytes hold its header. */
export const HEADER_BYTES: Readonly<Record<Packing, number>> = {
  listpack: 6,
  ziplist: 10,
  intset: 8,
  zipmap: 1,
};

/** The smallest blob: header and end mark. */
const SMALLEST_BYTES: Readonly<Record<Packing, number>> = { listpack: 7, ziplist: 11, intset: 8, zipmap: 2 };

/**
 * How many elements a blob announces (a zipmap: pairs times two), UNKNOWN when its header does not tell; checks that
 * the header agrees with the blob's size.
 * @throws RdbError `bad-blob`
 */
export function announcedElements(
  packing: Packing,
  peek: StringPeek,
  blobBytes: number,
  offset: number,
): number {
  const fault = (problem: string): RdbError =>
    new RdbError('bad-blob', `a ${packing} is damaged: ${problem}`, { offset, blobOffset: 0 });
  if (blobBytes < SMALLEST_BYTES[packing] || peek.count < HEADER_BYTES[packing]) {
    throw fault(`${blobBytes} bytes are too few`);
  }
  const { bytes, at } = peek;
  if (packing === 'zipmap') return bytes[at]! >= ZIPMAP_COUNT_UNKNOWN ? UNKNOWN : 2 * bytes[at]!;
  if (packing === 'intset') {
    const width = readU32le(bytes, at);
    const count = readU32le(bytes, at + 4);
    if (width !== 2 && width !== 4 && width !== 8) throw fault(`its integers are ${width} bytes wide`);
    if (blobBytes !== 8 + width * count)
      throw fault(`${count} integers of ${width} bytes do not fill ${blobBytes}`);
    return count;
  }
  const total = readU32le(bytes, at);
  if (total !== blobBytes) throw fault(`it says ${total} bytes, it has ${blobBytes}`);
  const countAt = at + (packing === 'listpack' ? 4 : 8);
  const count = bytes[countAt]! | (bytes[countAt + 1]! << 8);
  if (count === COUNT_UNKNOWN) return UNKNOWN;
  if (count > blobBytes) throw fault(`${count} elements do not fit into ${blobBytes} bytes`);
  return count;
}
