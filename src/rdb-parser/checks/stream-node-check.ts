import type { RdbError } from '../errors.js';

/** Elements of a stream node's listpack, one by one. */
export interface NodeElements {
  next(): boolean;
  readonly isInteger: boolean;
  readonly value: number;
  fault(problem: string): RdbError;
}

/** Flags of an entry. Source: stream.h STREAM_ITEM_FLAG_DELETED, _SAMEFIELDS (Redis 7.2). */
const DELETED = 1;
const SAME_FIELDS = 2;
/** Numbers in front of an entry's fields, and behind them: flags, two halves of the id, the entry's size. */
const FRAME_NUMBERS = 4;

/**
 * Walks the entries of a stream's node and returns how many are alive.
 * @throws RdbError when counts, flags or sizes disagree. Source: t_stream.c streamValidateListpackIntegrity (Redis 7.2)
 */
export function checkStreamNode(elements: NodeElements): number {
  const alive = integer(elements, 'count of entries');
  const deleted = integer(elements, 'count of deleted entries');
  const fields = integer(elements, 'count of fields');
  skip(elements, fields);
  if (integer(elements, "end of the first entry's fields") !== 0) {
    throw elements.fault("the first entry's fields do not end in 0");
  }
  let aliveFound = 0;
  let deletedFound = 0;
  while (elements.next()) {
    if (!elements.isInteger) throw elements.fault("an entry's flags are no number");
    const flags = elements.value;
    if ((flags & DELETED) !== 0) deletedFound++;
    else aliveFound++;
    integer(elements, "first half of an entry's id");
    integer(elements, "second half of an entry's id");
    const size = entrySize(elements, (flags & SAME_FIELDS) !== 0, fields);
    const told = integer(elements, 'size of an entry');
    if (told !== size) throw elements.fault(`an entry of ${size} elements says it has ${told}`);
  }
  if (aliveFound !== alive || deletedFound !== deleted) {
    throw elements.fault(
      `it announces ${alive} entries and ${deleted} deleted ones, it holds ${aliveFound} and ${deletedFound}`,
    );
  }
  return alive;
}

/** Passes over an entry's fields; returns how many elements the entry has by what it should say of itself. */
function entrySize(elements: NodeElements, sameFields: boolean, masterFields: number): number {
  if (sameFields) {
    skip(elements, masterFields);
    return masterFields + FRAME_NUMBERS - 1;
  }
  const fields = integer(elements, "count of an entry's fields");
  skip(elements, 2 * fields);
  return 2 * fields + FRAME_NUMBERS;
}

function integer(elements: NodeElements, what: string): number {
  if (!elements.next()) throw elements.fault(`it ends where the ${what} is expected`);
  if (!elements.isInteger) throw elements.fault(`the ${what} is no number`);
  return elements.value;
}

/** Ends at the blob's end, whatever `count` says. */
function skip(elements: NodeElements, count: number): void {
  for (let i = 0; i < count; i++) {
    if (!elements.next()) throw elements.fault(`it ends inside an entry of ${count} fields and values`);
  }
}
