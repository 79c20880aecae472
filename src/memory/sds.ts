import type { Allocator } from './allocator.js';

/**
 * Header layouts of the server's string type.
 * `wide`: one header of two ints (up to Redis 3.0). `classic`: five header sizes (Redis 3.2 – 8.0, Valkey).
 * `reserved`: the same, but the last values of each length field mean something else (Redis 8.2 and later).
 */
export type SdsGeneration = 'wide' | 'classic' | 'reserved';

/**
 * What MEMORY USAGE counts for a string in a block of its own.
 * `requested`: header, bytes, NUL (up to Redis 6.0: object.c `sdsAllocSize`). `usable`: the allocator's block
 * (`sdsZmallocSize`). `running`: the block, but unrounded for the one-byte header, whose slack the type can't record
 * (Redis 8.4: sds.c `sdsAllocSize`).
 */
export type SdsCount = 'requested' | 'usable' | 'running';

/** Bytes of header, text and NUL of a string of `length` bytes that is a block of its own. */
export function sdsBytes(length: number, generation: SdsGeneration): number {
  return sdsHeaderBytes(length, generation) + length + 1;
}

/** Bytes of header, text and NUL inside another block, where an empty string may have the one-byte header too. */
export function embeddedSdsBytes(length: number, generation: SdsGeneration): number {
  return length === 0 ? 2 : sdsBytes(length, generation);
}

/** Source: sds.c, `sdsReqType` (Redis 7.2; 8.2 for `reserved`); an empty string starts with 3 so that it can grow. */
export function sdsHeaderBytes(length: number, generation: SdsGeneration): number {
  if (generation === 'wide') return 8;
  const spare = generation === 'reserved' ? 1 : 0;
  if (length === 0) return 3;
  if (length < 32) return 1;
  if (length < 2 ** 8 - 3 * spare) return 3;
  if (length < 2 ** 16 - 5 * spare) return 5;
  return length < 2 ** 32 - 10 * spare ? 9 : 17;
}

/** The lengths at which `sdsHeaderBytes` changes, ascending from 0. */
export function sdsHeaderSteps(generation: SdsGeneration): readonly number[] {
  if (generation === 'wide') return [0];
  const spare = generation === 'reserved' ? 1 : 0;
  return [0, 1, 32, 2 ** 8 - 3 * spare, 2 ** 16 - 5 * spare, 2 ** 32 - 10 * spare];
}

/** What MEMORY USAGE counts for a string of `length` bytes in a block of its own. */
export function countedSdsBytes(
  length: number,
  generation: SdsGeneration,
  count: SdsCount,
  allocator: Allocator,
): number {
  const bytes = sdsBytes(length, generation);
  if (count === 'requested') return bytes;
  if (count === 'running' && length >= 1 && length <= 31) return bytes;
  return allocator.usable(bytes);
}
