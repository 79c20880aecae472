import { printableBytes } from './printable.js';

/** The place of a fault. Offsets count bytes; the first one of the magic is 0, whatever stands before the snapshot. */
export interface RdbLocation {
  readonly offset: number;
  /** For a fault inside a blob: the byte of it, after inflating; `offset` is then where the blob starts. */
  readonly blobOffset?: number;
  readonly db?: number;
  readonly key?: Uint8Array;
  /** What was being read: "hash", "stream group", "AUX field". */
  readonly reading?: string;
}

export type RdbErrorCode =
  | 'not-rdb'
  | 'unsupported-version'
  | 'truncated'
  | 'bad-length'
  | 'bad-string-encoding'
  | 'bad-lzf'
  | 'bad-blob'
  | 'bad-count'
  | 'bad-value'
  | 'unknown-opcode'
  | 'unknown-value-type'
  | 'unsupported-value'
  | 'checksum-mismatch';

/** Thrown for bytes that are no sound snapshot; what goes wrong while they are fetched is thrown as it is. */
export class RdbError extends Error {
  override readonly name = 'RdbError';
  readonly code: RdbErrorCode;
  readonly problem: string;
  readonly at: RdbLocation;

  constructor(code: RdbErrorCode, problem: string, at: RdbLocation) {
    super(`${problem} (${describeLocation(at)})`);
    this.code = code;
    this.problem = problem;
    this.at = at;
  }

  /** A copy with a fuller place, for those on the way up who know more; what is known already stays. */
  within(outer: Partial<RdbLocation>): RdbError {
    return new RdbError(this.code, this.problem, { ...outer, ...this.at });
  }
}

const SHOWN_KEY_BYTES = 64;

/** "at byte 123, byte 7 of the blob, db 0, key "user:1"". Shows at most 64 bytes of a key, escaped. */
export function describeLocation(at: RdbLocation): string {
  const parts = [`at byte ${at.offset}`];
  if (at.blobOffset !== undefined) parts.push(`byte ${at.blobOffset} of the blob there`);
  if (at.reading !== undefined) parts.push(`while reading ${at.reading}`);
  if (at.db !== undefined) parts.push(`db ${at.db}`);
  if (at.key !== undefined) {
    const cut = at.key.length > SHOWN_KEY_BYTES;
    const shown = printableBytes(cut ? at.key.subarray(0, SHOWN_KEY_BYTES) : at.key);
    parts.push(`key "${shown}${cut ? '…' : ''}"`);
  }
  return parts.join(', ');
}
