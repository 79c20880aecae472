// Cuts the key into segments and replaces the ids in them.
//
// A segment is words (letters, digits, bytes above 127) and what glues them. Words that are ids become marks: {n}
// decimal digits; {hex} 8 or more hexadecimal digits, a digit and a letter among them; {uuid}; {date} (2026-11-30,
// 20261130); {ip} (IPv4). UUIDs, dates and addresses stay whole even where `-` or `.` is a separator. Canonical bytes:
// the segment's own, an id as MARK and its kind, a byte that equals MARK twice.

import { ID_NUMBER, ID_UUID, idEnd, idKind, trailingIdStart } from './ids';
import { classOf, DIGIT, HEX_LETTER, key, length, OTHER_LETTER, SEPARATOR, wordClasses, wordEnd } from './key';
import { enterScope, hasRules, matchingKind, startScope } from './rules';

export const MARK: i32 = 1;
const ID_CUT: i32 = 9;
/** Longest canonical segment; what comes after is dropped, and the segment marked as cut. */
export const SEGMENT_BYTES: i32 = 64;

const SCRATCH = memory.data(SEGMENT_BYTES + 64, 16);

/** Address and length of the segment's canonical bytes. */
export let segment: usize = 0;
export let segmentLength: i32 = 0;
/** The separator before it, 0 for the key's first. */
export let separator: i32 = 0;
/** Canonical bytes up to and with the first glue behind a word (`tok_`), 0 without one. Such a segment may be overwritten. */
export let stemLength: i32 = 0;
/** Whether it is the key's last. */
export let isLast: bool = true;

let at: i32 = 0;
let nextSeparator: i32 = 0;

export function startSegments(): void {
  at = 0;
  nextSeparator = 0;
  startScope();
}

/** Reads the next segment; to be called until `isLast`. */
@inline
export function nextSegment(): void {
  const from = at;
  cutSegment();
  if (hasRules()) nameByRule(from);
}

/** Gives the segment that began at `from` the name that a rule has for it. */
function nameByRule(from: i32): void {
  const to = isLast ? length : at - 1;
  const kind = matchingKind(key + from, to - from);
  if (kind !== 0) {
    store<u16>(SCRATCH, MARK | (kind << 8));
    segment = SCRATCH;
    segmentLength = 2;
    stemLength = 0;
  }
  enterScope(separator, segment, segmentLength);
}

function cutSegment(): void {
  const from = at;
  const to = wordEnd(from);
  const classes = wordClasses(from, to);
  separator = nextSeparator;
  stemLength = 0;
  if (to === length || (classOf(to) & SEPARATOR) !== 0) {
    // Most segments are one word: a name that is taken from the key, or an id. Eight letters may begin a UUID.
    if ((classes & DIGIT) === 0 && to - from <= SEGMENT_BYTES && (classes !== HEX_LETTER || to - from !== 8)) {
      segment = key + from;
      segmentLength = to - from;
      endSegment(to);
      return;
    }
    if ((classes & OTHER_LETTER) === 0) {
      const kind = idKind(from, to, classes);
      if (kind !== 0 && idEnd(kind, from, to) === to) {
        store<u16>(SCRATCH, MARK | (kind << 8));
        segment = SCRATCH;
        segmentLength = 2;
        endSegment(to);
        return;
      }
    }
  }
  readComposed(from, to, classes);
}

@inline
function endSegment(to: i32): void {
  isLast = to === length;
  if (!isLast) nextSeparator = load<u8>(key + to);
  at = to + 1;
}

/** Reads a segment of several words, the first of which is `[from, firstEnd)`. */
function readComposed(from: i32, firstEnd: i32, firstClasses: u32): void {
  let wordStart = from;
  let to = firstEnd;
  let classes = firstClasses;
  let out = 0;
  let cut = false;
  let ended = false;
  let hasWord = false;
  segment = SCRATCH;
  while (!ended) {
    if (to > wordStart) hasWord = true;
    let literalEnd = to;
    let kind = 0;
    // A UUID's first eight digits may all be letters.
    if ((classes & DIGIT) !== 0 || (classes === HEX_LETTER && to - wordStart === 8)) {
      if ((classes & OTHER_LETTER) === 0) kind = idKind(wordStart, to, classes);
      if (kind !== 0) {
        literalEnd = wordStart;
        to = idEnd(kind, wordStart, to);
      } else {
        literalEnd = trailingIdStart(wordStart, to);
        if (literalEnd < to) kind = ID_NUMBER;
      }
    }
    if (!cut) {
      const room = SEGMENT_BYTES - out;
      cut = literalEnd - wordStart > room;
      const bytes = cut ? room : literalEnd - wordStart;
      for (let i = 0; i < bytes; i++) store<u8>(SCRATCH + out + i, load<u8>(key + wordStart + i));
      out += bytes;
      if (kind !== 0 && !cut) {
        cut = out + 2 > SEGMENT_BYTES;
        if (!cut) {
          store<u16>(SCRATCH + out, MARK | (kind << 8));
          out += 2;
        }
      }
    }
    if (to === length) {
      isLast = true;
      at = to;
      ended = true;
    } else {
      const byteClass = classOf(to);
      const byte = <i32>load<u8>(key + to);
      if ((byteClass & SEPARATOR) !== 0) {
        endSegment(to);
        ended = true;
      } else if ((byteClass & (DIGIT | HEX_LETTER | OTHER_LETTER)) === 0) {
        to++;
        if (!cut) cut = out + 2 > SEGMENT_BYTES;
        if (!cut) {
          if (byte === MARK) store<u8>(SCRATCH + out++, MARK);
          store<u8>(SCRATCH + out++, byte);
          if (stemLength === 0 && hasWord) stemLength = out;
        }
      } // else a date or an address with letters right behind it
    }
    wordStart = to;
    if (!ended) {
      to = wordEnd(wordStart);
      classes = wordClasses(wordStart, to);
    }
  }
  if (cut) {
    store<u16>(SCRATCH + out, MARK | (ID_CUT << 8));
    out += 2;
  }
  segmentLength = out;
}
