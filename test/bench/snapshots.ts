import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../seeded.js';
import { SnapshotWriter } from './snapshot-writer.js';

/** A large snapshot that the bench makes for itself when it is not there. */
export interface BenchSnapshot {
  readonly name: string;
  readonly what: string;
  readonly keys: number;
  readonly make: (path: string) => void;
}

const BASE_MS = 1_796_083_200_000;

/** Strings in a few families, half of them with an expiry: the shape of a cache. */
export function cacheStrings(keys: number): BenchSnapshot {
  return {
    name: `strings-${keys}.rdb`,
    what: `${keys} strings in a few families, half with an expiry`,
    keys,
    make: (path) => {
      const random = seededRandom('strings');
      const writer = new SnapshotWriter(path, keys, Math.ceil(keys / 2));
      for (let i = 0; i < keys; i++) {
        const expiry = i % 2 === 0 ? BASE_MS + Math.floor(random() * 14 * 86_400_000) : undefined;
        writer.string(familyKey(i, random), 20 + Math.floor(random() * 150), expiry);
      }
      writer.end();
    },
  };
}

/** Keys that begin with an id, so that the first segment is different each time. */
export function idsInFront(keys: number): BenchSnapshot {
  return {
    name: `uuid-first-${keys}.rdb`,
    what: `${keys} strings whose first segment is a UUID`,
    keys,
    make: (path) => {
      const random = seededRandom('uuid');
      const writer = new SnapshotWriter(path, keys);
      for (let i = 0; i < keys; i++) writer.string(`${uuid(random)}:s`, 16);
      writer.end();
    },
  };
}

/** Words that no rule takes for ids: every key has a prefix of its own. */
export function distinctPrefixes(keys: number): BenchSnapshot {
  return {
    name: `prefixes-${keys}.rdb`,
    what: `${keys} strings with as many distinct prefixes`,
    keys,
    make: (path) => {
      const writer = new SnapshotWriter(path, keys);
      for (let i = 0; i < keys; i++) writer.string(`${letters(i)}:${letters(i * 7 + 3)}:x`, 16);
      writer.end();
    },
  };
}

/** One list, nothing else. */
export function singleList(gibibytes: number): BenchSnapshot {
  const nodeBytes = 65_536;
  return {
    name: `list-${gibibytes}gib.rdb`,
    what: `one list of ${gibibytes} GiB`,
    keys: 1,
    make: (path) => {
      const writer = new SnapshotWriter(path, 1);
      writer.plainList('queue:all', (gibibytes * 2 ** 30) / nodeBytes, nodeBytes);
      writer.end();
    },
  };
}

/** The path of a snapshot in `folder`, made if it is not there. */
export function snapshotPath(folder: string, snapshot: BenchSnapshot): string {
  const path = join(folder, snapshot.name);
  if (!existsSync(path) || statSync(path).size === 0) snapshot.make(path);
  return path;
}

function familyKey(i: number, random: () => number): string {
  switch (i % 5) {
    case 0:
      return `user:${Math.floor(random() * 1e8)}:session`;
    case 1:
      return `cache:page:/catalog/shoes/runner-${Math.floor(random() * 1e7)}`;
    case 2:
      return `session:{${uuid(random)}}`;
    case 3:
      return `product:${i}:price`;
    default:
      return `tok_${hex(random, 40)}`;
  }
}

function hex(random: () => number, digits: number): string {
  let text = '';
  while (text.length < digits)
    text += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return text.slice(0, digits);
}

function uuid(random: () => number): string {
  const digits = hex(random, 32);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** A word of letters for a number: never digits, so never an id. */
function letters(value: number): string {
  let text = '';
  for (let rest = value; text.length < 7; rest = Math.floor(rest / 19))
    text += 'ghijklmnopqrstuvwyz'[rest % 19]!;
  return text;
}
