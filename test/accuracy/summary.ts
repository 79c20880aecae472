import type { KeyComparison } from './comparison.js';

/** How a set's keys came out. Keys are those for which the server gave a figure; modules are told apart. */
export interface SetSummary {
  readonly keys: number;
  /** Everything but skiplists and modules: counts, exactly equal, within 1 %. */
  readonly plain: { readonly keys: number; readonly exact: number; readonly close: number };
  /** Of these the ones that a snapshot decides: without Valkey's hash tables, whose shape is random, and known kinds. */
  readonly fixed: { readonly keys: number; readonly exact: number; readonly close: number };
  /** Skiplists of more than 100 members: counts, within 2 %. */
  readonly skiplists: { readonly keys: number; readonly close: number };
  /** Keys of modules and of what else only approximates; they are in no other figure. */
  readonly approximate: number;
  /** Modelled total over the server's total, less one. */
  readonly totalError: number;
  /** Keys, modules included, whose encoding the server told otherwise. */
  readonly otherEncodings: readonly KeyComparison[];
}

export function summarize(compared: readonly KeyComparison[], valkey: boolean): SetSummary {
  const measured = compared.filter(
    ({ truth, approximate }) => truth.memoryBytes !== undefined && !approximate,
  );
  const plain = measured.filter(({ encoding }) => encoding !== 'skiplist');
  const fixed = plain.filter((key) => !(valkey && key.encoding === 'hashtable') && !isKnownKind(key));
  const skiplists = measured.filter(({ encoding, elements }) => encoding === 'skiplist' && elements > 100);
  const modelled = sum(measured.map(({ memoryBytes }) => memoryBytes));
  const told = sum(measured.map(({ truth }) => truth.memoryBytes!));
  return {
    keys: compared.length,
    plain: countClose(plain),
    fixed: countClose(fixed),
    skiplists: { keys: skiplists.length, close: skiplists.filter((key) => errorOf(key) <= 0.02).length },
    approximate: compared.filter(({ approximate }) => approximate).length,
    totalError: told === 0 ? 0 : modelled / told - 1,
    otherEncodings: compared.filter(({ encoding, truth }) => encoding !== truth.encoding),
  };
}

/** Keys of the kinds that docs/memory-model.md lists: what the server holds after a load is not all in the snapshot. */
const KNOWN_KINDS = [
  'hfe:lapsed:some', // a field had expired: the server drops it, it stays in the file
  'stream:idmp', // memory of idempotent producers
].map((key) => Buffer.from(key).toString('base64'));

function isKnownKind({ id }: KeyComparison): boolean {
  return KNOWN_KINDS.includes(id.slice(id.indexOf(':') + 1));
}

/** Absolute error of one key's figure as a share of the server's. */
export function errorOf({ memoryBytes, truth }: KeyComparison): number {
  return Math.abs(memoryBytes - truth.memoryBytes!) / truth.memoryBytes!;
}

function countClose(keys: readonly KeyComparison[]): SetSummary['plain'] {
  return {
    keys: keys.length,
    exact: keys.filter((key) => errorOf(key) === 0).length,
    close: keys.filter((key) => errorOf(key) <= 0.01).length,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
