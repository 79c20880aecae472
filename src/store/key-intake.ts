import type { MemoryModel, Misfit } from '../memory/index.js';
import type { RecordWindow, TakenRecords } from '../rdb-parser/record-run.js';
import { type Dialect, type KeyRecord, UNKNOWN } from '../rdb-parser/records.js';
import type { DuplicateFinder } from './duplicates.js';
import { ExpiryBuckets } from './expiry-buckets.js';
import type { KeyCore } from './key-core.js';
import { KeyKinds } from './key-kinds.js';
import type { KeyRow, KeyRowWriter } from './key-row.js';
import { isText } from './key-value.js';
import { LargestKeys } from './largest-keys.js';
import type { FileCounts } from './loaded-file.js';
import { PageWriter } from './page-writer.js';
import { PrefixMarks } from './prefix-marks.js';
import { PrefixTree } from './prefix-tree.js';
import { type RunSums, StoredRun } from './record-run.js';
import type { SetSums } from './set-tables.js';
import { SizeHistograms } from './size-histograms.js';
import { SlotTotals } from './slot-totals.js';
import { StreamGroups } from './stream-groups.js';
import { Totals } from './totals.js';

/** Everything that is done with one key: its row is written, and it is counted in every sum. Allocates nothing per key. */
export class KeyIntake implements SetSums, RunSums {
  readonly kinds = new KeyKinds();
  readonly prefixes: PrefixTree;
  readonly expiries: ExpiryBuckets;
  readonly slots: SlotTotals;
  readonly streamGroups = new StreamGroups();
  readonly marks = new PrefixMarks();
  readonly largest: LargestKeys;
  readonly totals: Totals;
  readonly duplicates: DuplicateFinder | undefined;
  /** Takes the plain records; undefined where rows are inserted. */
  private readonly run: StoredRun | undefined;

  private readonly core: KeyCore;
  private readonly writer: KeyRowWriter;
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
  private groupsDroppedBefore = 0;

  /**
   * @param core with the separators set
   * @param duplicates undefined when keys that come twice are not looked for
   */
  constructor(core: KeyCore, writer: KeyRowWriter, duplicates: DuplicateFinder | undefined) {
    this.core = core;
    this.writer = writer;
    this.duplicates = duplicates;
    this.expiries = new ExpiryBuckets(core);
    this.prefixes = new PrefixTree(core);
    this.slots = new SlotTotals(core);
    this.totals = new Totals(core);
    this.largest = new LargestKeys(core);
    if (writer instanceof PageWriter) {
      this.run = new StoredRun(core, writer, this);
    }
  }

  get sizes(): SizeHistograms {
    return new SizeHistograms(this.core, this.kinds.types.length);
  }

  /**
   * Keys are of this file from now on.
   * @param createdAtMs the file's own clock, UNKNOWN when it has none
   * @param model whose figures will come; without it every key has to be `add`ed
   */
  startFile(fileId: number, createdAtMs: number, model: MemoryModel | undefined): void {
    this.row.fileId = fileId;
    this.createdAtMs = createdAtMs;
    this.firstRow = this.writer.rows;
    this.keysWithExpiry = 0;
    this.keysExpired = 0;
    this.emptyKeys = 0;
    this.absurdBefore = this.expiries.absurd;
    this.firstAbsurdKeyId = 0;
    this.groupsDroppedBefore = this.streamGroups.dropped;
    this.totals.startFile(fileId);
    this.expiries.startFile(createdAtMs === UNKNOWN ? Date.now() : createdAtMs);
    this.run?.startFile(fileId, createdAtMs, model);
  }

  /** Takes plain records in without `add`: see StoredRun. undefined where that is not possible. */
  take(window: RecordWindow, db: number, dialect: Dialect): TakenRecords | undefined {
    const { run } = this;
    if (run === undefined) return undefined;
    run.take(window, db, dialect);
    this.keysWithExpiry += run.keysWithExpiry;
    this.keysExpired += run.keysExpired;
    return run;
  }

  /** @param memoryBytes, misfit what the memory model says @param encoding what OBJECT ENCODING would say */
  add(record: KeyRecord, memoryBytes: number, encoding: string | undefined, misfit: Misfit): void {
    const { db, keyBuffer, keyStart, keyLength, serializedBytes, elementCount, hasExpiry } = record;
    const { row, writer, core } = this;
    const kind = this.kinds.of(record, encoding);
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
    const { duplicates } = this;
    const id = writer.rows + 1;
    const totalsCell = this.totals.cellOf(db, kind.id);
    row.prefixId = core.load(
      keyBuffer,
      keyStart,
      keyLength,
      db,
      kind.typeIndex,
      hasExpiry,
      expired,
      memoryBytes,
      serializedBytes,
      elementCount,
      record.longestElementBytes,
      totalsCell,
      id,
      duplicates?.wants(id) ?? false,
    );
    if (core.fullPart >= 0) duplicates?.putDown(core.fullPart);
    row.keyIsText = !core.hasNul && (!core.hasHighBytes || isText(keyBuffer, keyStart, keyLength));
    row.slot = core.slot;
    row.kindId = kind.id;
    row.memoryBytes = memoryBytes;
    const { fieldsWithTtl } = record;
    row.fieldsWithTtl = fieldsWithTtl > 0 || record.dataType === 'hash' ? fieldsWithTtl : UNKNOWN;
    writer.append(record, row);
    if (kind.type === 'stream') this.streamGroups.add(id, record.stream);
    const { contentKind } = record;
    const payloadBytes = Math.max(0, record.payloadBytes);
    if (contentKind !== 0) {
      this.marks.addContent(contentKind, row.prefixId, id, memoryBytes, serializedBytes, payloadBytes);
    }
    const elements = Math.max(0, elementCount);
    this.marks.addMisfit(misfit, row.prefixId, id, memoryBytes, serializedBytes, payloadBytes, elements);
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
      streamGroupsDropped: this.streamGroups.dropped - this.groupsDroppedBefore,
    };
  }
}
