import { UNKNOWN } from '../rdb-parser/records.js';
import type { KeyCore } from './key-core.js';
import { MAX_KINDS } from './key-kinds.js';

/**
 * Rows before further databases and files share them: thousands of files of a few kinds each. A damaged file may name
 * any number of databases.
 */
const MAX_CELLS = 50_000;

/** Rows that there may be in all: the shared ones come on top, one for each kind. */
export const MAX_TOTALS = MAX_CELLS + 2 * MAX_KINDS;

/** Numbers of a cell, in the order of TotalsRow. Also in assembly/counters.ts. */
const STRIDE = 12;
/** No cell, and no db: UNKNOWN stands for those that share a row. */
const NONE = -2;

/** A row of `totals`: all keys of one file, db and kind. */
export interface TotalsRow {
  readonly fileId: number;
  /** UNKNOWN for what came when there were too many rows; the file is the first that it is from then. */
  readonly db: number;
  readonly kindId: number;
  readonly keys: number;
  readonly memoryBytes: number;
  readonly serializedBytes: number;
  readonly elements: number;
  readonly keyNameBytes: number;
  readonly keysWithoutTtl: number;
  readonly memoryWithoutTtl: number;
  readonly expiredKeys: number;
  readonly expiredMemoryBytes: number;
  readonly largestKeyBytes: number;
  readonly largestKeyId: number;
}

/** Sums by file, db and kind, which the core adds up. */
export class Totals {
  private readonly values: Float64Array;
  private readonly cells: { readonly fileId: number; readonly db: number; readonly kindId: number }[] = [];
  private fileId = 0;
  /** By db, then by kind id: the cell of the file at hand. */
  private readonly byDb = new Map<number, Int32Array>();
  /** By kind id: what comes when there are too many rows. */
  private readonly shared = new Map<number, number>();
  private lastDb = NONE;
  private lastDbCells: Int32Array = NO_CELLS;

  constructor(core: KeyCore) {
    const start = core.exports.totalsAddress() / 8;
    this.values = core.doubles.subarray(start, start + MAX_TOTALS * STRIDE);
  }

  startFile(fileId: number): void {
    this.fileId = fileId;
    this.byDb.clear();
    this.lastDb = NONE;
  }

  /** Which of the core's cells a key is counted in. */
  cellOf(db: number, kindId: number): number {
    if (db !== this.lastDb) {
      this.lastDb = db;
      this.lastDbCells = this.byDb.get(db) ?? NO_CELLS;
    }
    const cell = kindId < this.lastDbCells.length ? this.lastDbCells[kindId]! : NONE;
    return cell === NONE ? this.create(db, kindId) : cell;
  }

  *rows(): Generator<TotalsRow> {
    const { values } = this;
    for (const [cell, { fileId, db, kindId }] of this.cells.entries()) {
      // There may be tens of thousands: a view of each would be most of what they take.
      const at = cell * STRIDE;
      yield {
        fileId,
        db,
        kindId,
        keys: values[at]!,
        memoryBytes: values[at + 1]!,
        serializedBytes: values[at + 2]!,
        elements: values[at + 3]!,
        keyNameBytes: values[at + 4]!,
        keysWithoutTtl: values[at + 5]!,
        memoryWithoutTtl: values[at + 6]!,
        expiredKeys: values[at + 7]!,
        expiredMemoryBytes: values[at + 8]!,
        largestKeyBytes: values[at + 9]!,
        largestKeyId: values[at + 10]!,
      };
    }
  }

  private create(db: number, kindId: number): number {
    if (this.cells.length >= MAX_CELLS) return this.sharedCell(kindId);
    if (kindId >= this.lastDbCells.length) {
      const larger = new Int32Array(kindId + 8).fill(NONE);
      larger.set(this.lastDbCells);
      this.lastDbCells = larger;
      this.byDb.set(db, larger);
    }
    const cell = this.cells.push({ fileId: this.fileId, db, kindId }) - 1;
    this.lastDbCells[kindId] = cell;
    return cell;
  }

  private sharedCell(kindId: number): number {
    const known = this.shared.get(kindId);
    if (known !== undefined) return known;
    const cell = this.cells.push({ fileId: this.fileId, db: UNKNOWN, kindId }) - 1;
    if (cell >= MAX_TOTALS) throw new RangeError('there are more kinds of keys than KeyKinds allows');
    this.shared.set(kindId, cell);
    return cell;
  }
}

const NO_CELLS = new Int32Array(0);
