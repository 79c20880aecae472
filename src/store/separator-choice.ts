import type { Misfit } from '../memory/index.js';
import type { KeyRecord } from '../rdb-parser/records.js';
import { isAlphanumeric } from './key-pattern.js';
import { copyRecord } from './record-copy.js';

/** Asks for the separators to be chosen from the first keys. */
export const AUTO_SEPARATORS = 'auto';

const SAMPLE_KEYS = 4096;
const SAMPLE_BYTES = 2 ** 20;

/** Rarely anything but separators. */
const STRONG = ':|/;>#';
/** Separators in some key spaces, parts of words in others. */
const WEAK = '._-';

/** A strong separator counts when this share of the keys has it. */
const STRONG_SHARE = 0.05;
/** A weak one when this share of the keys without a strong one has it, after a first part that few words make up. */
const WEAK_SHARE = 0.3;
const WEAK_DISTINCT_SHARE = 0.1;

interface HeldKey {
  readonly record: KeyRecord;
  readonly memoryBytes: number;
  readonly encoding: string | undefined;
  readonly misfit: Misfit;
}

/** Holds a load's first keys back until they can tell what separates the segments of keys. */
export class KeySample {
  readonly held: HeldKey[] = [];
  private bytes = 0;

  get isFull(): boolean {
    return this.held.length >= SAMPLE_KEYS || this.bytes >= SAMPLE_BYTES;
  }

  hold(record: KeyRecord, memoryBytes: number, encoding: string | undefined, misfit: Misfit): void {
    this.held.push({ record: copyRecord(record), memoryBytes, encoding, misfit });
    this.bytes += record.keyLength;
  }

  separators(): string {
    return chooseSeparators(this.held.map(({ record }) => record.keyBuffer));
  }
}

/** The separators that these keys seem to use; `:` when nothing tells. */
export function chooseSeparators(keys: readonly Uint8Array[]): string {
  const having = (separators: string, among: readonly Uint8Array[]): Uint8Array[] =>
    among.filter((key) => [...separators].some((separator) => innerIndex(key, separator) > 0));
  const strong = [...STRONG].filter(
    (separator) => having(separator, keys).length > keys.length * STRONG_SHARE,
  );
  const plain = keys.filter((key) => !strong.some((separator) => innerIndex(key, separator) > 0));
  const weak =
    plain.length <= keys.length * STRONG_SHARE
      ? []
      : [...WEAK].filter((separator) => {
          const users = having(separator, plain);
          const firstParts = new Set(
            users.map((key) => Buffer.from(key.subarray(0, innerIndex(key, separator))).toString('latin1')),
          );
          return (
            users.length > plain.length * WEAK_SHARE && firstParts.size <= users.length * WEAK_DISTINCT_SHARE
          );
        });
  const chosen = [...strong, ...weak].join('');
  return chosen === '' ? ':' : chosen;
}

/** Where a separator stands between two letters or digits, or next to a brace; 0 when nowhere. */
function innerIndex(key: Uint8Array, separator: string): number {
  const byte = separator.charCodeAt(0);
  for (let at = key.indexOf(byte); at >= 0; at = key.indexOf(byte, at + 1)) {
    if (at > 0 && at + 1 < key.length && isWordEdge(key[at - 1]!) && isWordEdge(key[at + 1]!)) return at;
  }
  return 0;
}

function isWordEdge(byte: number): boolean {
  return isAlphanumeric(byte) || byte === 0x7b || byte === 0x7d;
}
