import type { Encoding } from './encoding.js';
import type { ServerLayout } from './layout.js';
import type { BlockCosts } from './value-costs.js';

/** Costs of a blob that is all there is of a value, kept as the file has it. */
export function keptBlob(encoding: Encoding, { packedCount }: ServerLayout): BlockCosts {
  return {
    encoding,
    fromBytes: 1,
    upToBytes: Number.POSITIVE_INFINITY,
    ownBytes: 0,
    extraBytes: 0,
    counted: packedCount,
  };
}
