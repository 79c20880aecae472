import { SourceError, type SourceErrorCode } from './source-error.js';

/** What unpacking tells beside the bytes: grows while they are read, final at their end. */
export interface UnpackFacts {
  /** The input's name, for errors. */
  readonly input: string;
  /** Members (gzip) or frames (zstd, LZ4) unpacked. */
  members: number;
  /** Bytes after the last member that are neither padding nor another member. */
  trailingBytes: number;
}

/** A fault of the wrapping: "is damaged gzip data ..."; the advice depends on whether bytes are missing or wrong. */
export function unpackError(
  code: SourceErrorCode,
  input: string,
  problem: string,
  cause?: unknown,
): SourceError {
  const advice =
    code === 'truncated-container'
      ? 'Compare its size with the original: the copy or the upload was cut short.'
      : code === 'damaged-container'
        ? 'Copy it again from where it was made; what was read before the damage is kept.'
        : '';
  return new SourceError({ code, input, problem, advice }, { cause });
}
