import { UNKNOWN } from '../rdb-parser/records.js';
import { doubled } from './growing.js';

/** Rows at most, before further databases share one; a server has 16 of them, a damaged file may have any number. */
const MAX_CELLS = 20_000;

/** Numbers of a cell, in this order. */
const STRIDE = 12;
/** No cell, and no db: UNKNOWN is the one that many share. */
const NONE = -2;

/** A row of `totals`: all keys of one file, db and kind. */
export interface TotalsRow {
  readonly fileId: number;
  /** UNKNOWN for the databases that came when there were too many. */
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

/** Sums by file, db and kind. */
export class Totals {
  private fileId = 0;
  private values = new Float64Array(64 * STRIDE);
  private cells: { readonly fileId: number; readonly db: number; readonly kindId: number }[] = [];
  /** By db, then by kind id: the cell of the file at hand. */
  private byDb = new Map<number, Int32Array>();
  private lastDb = NONE;
  private lastDbCells: Int32Array = NO_CELLS;

  startFile(fileId: number): void {
    this.fileId = fileId;
    this.byDb.clear();
    this.lastDb = NONE;
  }

  add(
    db: number,
    kindId: number,
    keyId: number,
    keyLength: number,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    hasExpiry: boolean,
    expired: boolean,
  ): void {
    const at = this.cellOf(db, kindId) * STRIDE;
    const values = this.values;
    values[at] = values[at]! + 1;
    values[at + 1] = values[at + 1]! + memoryBytes;
    values[at + 2] = values[at + 2]! + serializedBytes;
    values[at + 3] = values[at + 3]! + elements;
    values[at + 4] = values[at + 4]! + keyLength;
    if (!hasExpiry) {
      values[at + 5] = values[at + 5]! + 1;
      values[at + 6] = values[at + 6]! + memoryBytes;
    } else if (expired) {
      values[at + 7] = values[at + 7]! + 1;
      values[at + 8] = values[at + 8]! + memoryBytes;
    }
    if (memoryBytes > values[at + 9]! || values[at + 10] === 0) {
      values[at + 9] = memoryBytes;
      values[at + 10] = keyId;
    }
  }

  *rows(): Generator<TotalsRow> {
    for (const [cell, place] of this.cells.entries()) {
      const values = this.values.subarray(cell * STRIDE, (cell + 1) * STRIDE);
      yield {
        ...place,
        keys: values[0]!,
        memoryBytes: values[1]!,
        serializedBytes: values[2]!,
        elements: values[3]!,
        keyNameBytes: values[4]!,
        keysWithoutTtl: values[5]!,
        memoryWithoutTtl: values[6]!,
        expiredKeys: values[7]!,
        expiredMemoryBytes: values[8]!,
        largestKeyBytes: values[9]!,
        largestKeyId: values[10]!,
      };
    }
  }

  private cellOf(db: number, kindId: number): number {
    if (db !== this.lastDb) {
      this.lastDb = db;
      this.lastDbCells = this.byDb.get(db) ?? NO_CELLS;
    }
    const cell = kindId < this.lastDbCells.length ? this.lastDbCells[kindId]! : NONE;
    return cell === NONE ? this.create(db, kindId) : cell;
  }

  private create(db: number, kindId: number): number {
    if (this.cells.length >= MAX_CELLS && db !== UNKNOWN) return this.cellOf(UNKNOWN, kindId);
    if (kindId >= this.lastDbCells.length) {
      const larger = new Int32Array(kindId + 8).fill(NONE);
      larger.set(this.lastDbCells);
      this.lastDbCells = larger;
      this.byDb.set(db, larger);
    }
    const cell = this.cells.push({ fileId: this.fileId, db, kindId }) - 1;
    if (this.values.length < (cell + 1) * STRIDE) this.values = doubled(this.values);
    this.lastDbCells[kindId] = cell;
    return cell;
  }
}

const NO_CELLS = new Int32Array(0);
