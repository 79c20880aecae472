import { Digest } from '../rdb-parser/checks/digest.js';
import { DigestSet } from '../rdb-parser/checks/digest-set.js';
import type { KeyRecord } from '../rdb-parser/records.js';

/** Keys are spread over so many tables, so that one is doubled at a time and little memory is held twice. */
const TABLES = 64;
/** Keys this long are cut. Source: MAX_KEY_BYTES of the decoder. */
const LONGEST_KEY = 2 ** 24;
/** 2 MiB a table, 128 MiB in all: room for twelve million keys. */
const MOST_PLACES = 2 ** 18;

/** Finds keys that stand twice in one database, by 64-bit digests of their names. */
export class KeyComparison {
  private readonly digest = new Digest();
  private readonly tables = Array.from({ length: TABLES }, () => new DigestSet(MOST_PLACES));

  /** True when the key was there before. */
  repeats({ db, keyBuffer, keyStart, keyLength }: KeyRecord): boolean {
    if (keyLength >= LONGEST_KEY) return false; // the decoder has no more of it: others may begin alike
    const { digest } = this;
    digest.start(db);
    digest.addWord(keyLength);
    digest.add(keyBuffer, keyStart, keyLength);
    digest.finish();
    return this.tables[digest.high >>> 26]!.add(digest.high, digest.low);
  }

  /** Which part of all keys was compared: 1 unless there were too many. */
  get share(): number {
    return this.tables.reduce((sum, table) => sum + table.share, 0) / TABLES;
  }
}
