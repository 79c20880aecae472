import { randomBytes } from 'node:crypto';
import { type KeyRecord, UNKNOWN } from '../rdb-parser/records.js';
import { DuplicateFinder } from './duplicates.js';
import { ExpiryBuckets } from './expiry-buckets.js';
import { KeyDigest } from './key-digest.js';
import { KeyKinds } from './key-kinds.js';
import type { KeyRow, KeyRowWriter } from './key-row.js';
import { isText } from './key-value.js';
import type { FileCounts } from './loaded-file.js';
import { type PrefixLimits, PrefixTree } from './prefix-tree.js';
import type { SetSums } from './set-tables.js';
import { SizeHistograms } from './size-histograms.js';
import { SlotTotals } from './slot-totals.js';
import { StreamGroups } from './stream-groups.js';
import { Totals } from './totals.js';

export interface KeyIntakeOptions {
  readonly separators: string;
  readonly prefixLimits: PrefixLimits;
  /** Where hashes go when there are many keys; undefined: duplicates are not looked for. */
  readonly duplicateSpillPath: string | undefined;
}

/** Everything that is done with one key: its row is written, and it is counted in every sum. Allocates nothing per key. */
export class KeyIntake implements SetSums {
  readonly kinds = new KeyKinds();
  readonly prefixes: PrefixTree;
  readonly expiries = new ExpiryBuckets();
  readonly sizes = new SizeHistograms();
  readonly slots = new SlotTotals();
  readonly streamGroups = new StreamGroups();
  readonly totals = new Totals();
  readonly duplicates: DuplicateFinder | undefined;

  private readonly writer: KeyRowWriter;
  private readonly digest: KeyDigest;
  private readonly row: KeyRow = {
    fileId: 0,
    kindId: 0,
    prefixId: 0,
    slot: 0,
    memoryBytes: 0,
    keyIsText: true,
    fieldsWithTtl: UNKNOWN,
  };
  private createdAtMs = UNKNOWN;
  private firstRow = 0;
  private keysWithExpiry = 0;
  private keysExpired = 0;
  private emptyKeys = 0;
  private absurdBefore = 0;
  private firstAbsurdKeyId = 0;

  /** @throws StoreError when a separator can't be one */
  constructor(writer: KeyRowWriter, options: KeyIntakeOptions) {
    const seed = randomBytes(12);
    this.writer = writer;
    this.prefixes = new PrefixTree(options.separators, options.prefixLimits, seed.readInt32LE(0));
    this.digest = new KeyDigest([seed.readInt32LE(4), seed.readInt32LE(8)]);
    if (options.duplicateSpillPath !== undefined) {
      this.duplicates = new DuplicateFinder(options.duplicateSpillPath);
    }
  }

  /** Keys are of this file from now on. @param createdAtMs the file's own clock, UNKNOWN when it has none */
  startFile(fileId: number, createdAtMs: number): void {
    this.row.fileId = fileId;
    this.createdAtMs = createdAtMs;
    this.firstRow = this.writer.rows;
    this.keysWithExpiry = 0;
    this.keysExpired = 0;
    this.emptyKeys = 0;
    this.absurdBefore = this.expiries.absurd;
    this.firstAbsurdKeyId = 0;
    this.totals.startFile(fileId);
    this.expiries.startFile(createdAtMs === UNKNOWN ? Date.now() : createdAtMs);
  }

  /** @param memoryBytes what the memory model says @param encoding what OBJECT ENCODING would say */
  add(record: KeyRecord, memoryBytes: number, encoding: string | undefined): void {
    const { db, keyBuffer, keyStart, keyLength, serializedBytes, elementCount, hasExpiry } = record;
    const { row, writer, prefixes, digest } = this;
    const kind = this.kinds.of(record, encoding);
    const elements = elementCount === UNKNOWN ? 0 : elementCount;
    let expired = false;
    if (hasExpiry) {
      const { expiresAtMs } = record;
      this.keysWithExpiry++;
      // Source: redis/src/db.c keyIsExpired, 7.2: past its time, not at it.
      expired = expiresAtMs < this.createdAtMs;
      if (expired) this.keysExpired++;
      if (!this.expiries.add(expiresAtMs, memoryBytes) && this.firstAbsurdKeyId === 0) {
        this.firstAbsurdKeyId = writer.rows + 1;
      }
    }
    row.prefixId = prefixes.add(
      keyBuffer,
      keyStart,
      keyLength,
      kind.typeIndex,
      memoryBytes,
      serializedBytes,
      elements,
      hasExpiry,
      expired,
    );
    const { scanner } = prefixes;
    row.keyIsText = !scanner.hasNul && (!scanner.hasHighBytes || isText(keyBuffer, keyStart, keyLength));
    digest.of(keyBuffer, keyStart, keyLength, db, scanner.hasBrace);
    row.slot = digest.slot;
    row.kindId = kind.id;
    row.memoryBytes = memoryBytes;
    const { fieldsWithTtl } = record;
    row.fieldsWithTtl = fieldsWithTtl > 0 || record.dataType === 'hash' ? fieldsWithTtl : UNKNOWN;
    writer.append(record, row);
    const id = writer.rows;
    this.duplicates?.add(digest.high, digest.low, id);
    this.slots.add(digest.slot, memoryBytes);
    this.sizes.add(kind.typeIndex, memoryBytes, serializedBytes, elementCount, record.longestElementBytes);
    this.totals.add(db, kind.id, id, keyLength, memoryBytes, serializedBytes, elements, hasExpiry, expired);
    if (kind.type === 'stream') this.streamGroups.add(id, record.stream);
    if (elementCount === 0 && kind.type !== 'stream') this.emptyKeys++;
  }

  finishFile(): FileCounts {
    return {
      keysRead: this.writer.rows - this.firstRow,
      keysWithExpiry: this.keysWithExpiry,
      keysExpired: this.createdAtMs === UNKNOWN ? undefined : this.keysExpired,
      keysAbsurdExpiry: this.expiries.absurd - this.absurdBefore,
      firstAbsurdKeyId: this.firstAbsurdKeyId,
      emptyKeys: this.emptyKeys,
    };
  }
}
