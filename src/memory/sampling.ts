/** sizeof(robj), to which the report adds up: it decides how the sum is rounded. */
const OBJECT_BYTES = 16;

/**
 * What the report makes of `fixedBytes` and elements that take `bytes` together: it multiplies the average of its
 * samples, here all, with their count, in doubles. The product may end just below the sum, and cutting the result to an
 * integer then loses a byte.
 *
 * Source: object.c, `objectComputeSize` (4.0 – 8.0, Valkey).
 */
export function sampledTotal(fixedBytes: number, bytes: number, count: number): number {
  if (count === 0) return fixedBytes;
  return Math.floor(OBJECT_BYTES + fixedBytes + (bytes / count) * count) - OBJECT_BYTES;
}
