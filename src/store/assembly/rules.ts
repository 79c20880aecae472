// The user's own rules for what a segment stands for: automata that read the code points of a whole segment, so that a
// segment takes the same time whatever the expressions are. Compiled, laid out and placed here by pattern-rules.ts and
// key-core.ts of the folder above.

import { reserve } from './memory';

/** Longest segment that rules look at, in bytes; more than that is no match. */
const MATCHED_BYTES: i32 = 64;

// A rule's fields.
const RULE_START: usize = 0;
/** The scope that it is for, ANY_SCOPE for all. */
const RULE_SCOPE: usize = 2;
const RULE_KIND: usize = 4;
const RULE_BYTES: usize = 8;

// A scope's fields: it is reached from another by a segment.
const SCOPE_PARENT: usize = 0;
const SCOPE_SEPARATOR: usize = 2;
const SCOPE_LENGTH: usize = 3;
const SCOPE_SEGMENT: usize = 8;
const SCOPE_BYTES: usize = 80;

const ANY_SCOPE: i32 = 0;
/** In front of a key's first segment; the scopes of the table are numbered from the next on. */
const KEY_START: i32 = 1;
/** Nothing that a rule is for. */
const NO_SCOPE: i32 = 0xffff;

const ASCII: i32 = 128;
/** The state that nothing leads out of. */
const DEAD: i32 = 0;

const POINTS = memory.data(MATCHED_BYTES * 2, 16);

let ruleCount: i32 = 0;
let rules: usize = 0;
let rangeCount: i32 = 0;
/** First code points of the ranges, ascending from 0, and each range's class; then the classes of ASCII. */
let ranges: usize = 0;
let rangeClasses: usize = 0;
let asciiClasses: usize = 0;
let classCount: i32 = 0;
let transitions: usize = 0;
let finals: usize = 0;
let scopeCount: i32 = 0;
let scopes: usize = 0;
let scope: i32 = KEY_START;

/** Room for the tables; to be called once, before anybody looks at the memory. */
export function reserveRules(bytes: i32): usize {
  return reserve(bytes);
}

/** Has the rules used that stand in the tables. */
export function useRules(
  ruleTable: usize,
  ruleTableCount: i32,
  rangeTable: usize,
  rangeClassTable: usize,
  rangeTableCount: i32,
  asciiTable: usize,
  classTableCount: i32,
  transitionTable: usize,
  finalTable: usize,
  scopeTable: usize,
  scopeTableCount: i32,
): void {
  rules = ruleTable;
  ruleCount = ruleTableCount;
  ranges = rangeTable;
  rangeClasses = rangeClassTable;
  rangeCount = rangeTableCount;
  asciiClasses = asciiTable;
  classCount = classTableCount;
  transitions = transitionTable;
  finals = finalTable;
  scopes = scopeTable;
  scopeCount = scopeTableCount;
}

@inline
export function hasRules(): bool {
  return ruleCount !== 0;
}

/** A key begins. */
@inline
export function startScope(): void {
  scope = KEY_START;
}

/** The next segment stands below this one, which has its final canonical bytes. */
export function enterScope(separator: i32, segment: usize, length: i32): void {
  const parent = scope;
  scope = NO_SCOPE;
  if (parent === NO_SCOPE) return;
  for (let i = 0; i < scopeCount; i++) {
    const at = scopes + <usize>i * SCOPE_BYTES;
    if (
      load<u16>(at, SCOPE_PARENT) === parent &&
      load<u8>(at, SCOPE_SEPARATOR) === separator &&
      load<u8>(at, SCOPE_LENGTH) === length &&
      memory.compare(at + SCOPE_SEGMENT, segment, length) === 0
    ) {
      scope = KEY_START + 1 + i;
      return;
    }
  }
}

/** The kind of the first rule that matches all of a segment's bytes, 0 for none. */
export function matchingKind(bytes: usize, length: i32): i32 {
  if (length > MATCHED_BYTES) return 0;
  const points = readPoints(bytes, length);
  if (points < 0) return 0;
  for (let i = 0; i < ruleCount; i++) {
    const rule = rules + <usize>i * RULE_BYTES;
    const wanted: i32 = load<u16>(rule, RULE_SCOPE);
    if (wanted !== ANY_SCOPE && wanted !== scope) continue;
    let state: i32 = load<u16>(rule, RULE_START);
    for (let point = 0; point < points && state !== DEAD; point++) {
      const cell = state * classCount + <i32>load<u16>(POINTS + (<usize>point << 1));
      state = load<u16>(transitions + (<usize>cell << 1));
    }
    if (load<u8>(finals + state) !== 0) return load<u8>(rule, RULE_KIND);
  }
  return 0;
}

/** Leaves the classes of the code points in POINTS. @returns how many there are, -1 when the bytes are no UTF-8 */
function readPoints(bytes: usize, length: i32): i32 {
  let points = 0;
  let at = 0;
  while (at < length) {
    const first: i32 = load<u8>(bytes + at++);
    let pointClass: u16;
    if (first < ASCII) {
      pointClass = load<u16>(asciiClasses + (<usize>first << 1));
    } else {
      // Source: RFC 3629, section 3; the shortest form only, and no surrogates.
      const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
      if (first < 0xc2 || first > 0xf4 || at + more > length) return -1;
      let point = first & (0x3f >> more);
      for (let i = 0; i < more; i++) {
        const next: i32 = load<u8>(bytes + at++);
        if ((next & 0xc0) !== 0x80) return -1;
        point = (point << 6) | (next & 0x3f);
      }
      const least = more === 3 ? 0x10000 : more === 2 ? 0x800 : 0x80;
      if (point < least || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return -1;
      pointClass = classOfPoint(point);
    }
    store<u16>(POINTS + (<usize>points << 1), pointClass);
    points++;
  }
  return points;
}

function classOfPoint(point: u32): u16 {
  let low = 0;
  let high = rangeCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (load<u32>(ranges + (<usize>middle << 2)) <= point) low = middle;
    else high = middle - 1;
  }
  return load<u16>(rangeClasses + (<usize>low << 1));
}
