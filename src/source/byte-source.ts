/**
 * Where a decoder gets its bytes: a blocking, forward-only pull.
 *
 * The first byte a source gives is the first byte of the RDB magic; whatever stood before it (replication framing,
 * compression) has been taken off, see `streamOffset`.
 */
export interface ByteSource {
  /**
   * Copies between 1 and `into.length - at` bytes into `into` from index `at` on and returns how many; 0 only at the
   * end of the input. Blocks until bytes are there.
   * @throws SourceError when the bytes can't be had (input/output, decompression)
   */
  read(into: Uint8Array, at: number): number;

  /** Bytes of the input, as far as known: a plain file's size. Absent for pipes and compressed input. */
  readonly totalBytes?: number;

  /** Releases what the source holds. */
  close(): void;
}
