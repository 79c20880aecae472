import type { Dialect } from './records.js';

/** Takes whole records out of a decoder's window, many at a time, in place of `Decoder.next()`. */
export interface RecordRun {
  /**
   * Takes none, one or several of the records that stand at `window.buffer[pos .. end)`, each of them whole and exactly
   * as the decoder would have read it; a record with an AUX field right behind it is the decoder's.
   * @returns what was taken: an object that is reused; undefined when nothing can be
   */
  take(window: RecordWindow, db: number, dialect: Dialect): TakenRecords | undefined;
}

/** Of the records taken last: their file bytes, how many they are, and how many of those have an expiry. */
export interface TakenRecords {
  readonly bytes: number;
  readonly keys: number;
  readonly keysWithExpiry: number;
}

/** Where records stand. */
export interface RecordWindow {
  readonly buffer: Uint8Array;
  readonly pos: number;
  readonly end: number;
  /** Of the byte at `pos` in the snapshot. */
  readonly offset: number;
}
