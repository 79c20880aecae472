import type { KeyRecord } from '../rdb-parser/records.js';
import type { KeyRow, KeyRowWriter } from './key-row.js';
import { PageFile } from './page-file.js';
import { varintBytes, writeUint32, writeVarint } from './record-encoding.js';
import { RowEncoder } from './row-encoder.js';
import { TreeLevel, writeInteriorPages, writePageHeader } from './table-tree.js';

/** Source: SQLite file format, section 1.6 "B-tree Pages". */
const LEAF_TABLE_PAGE = 0x0d;
const LEAF_HEADER_BYTES = 8;
const POINTER_BYTES = 2;
/** What a leaf page keeps free of a cell's payload; larger ones overflow. */
const LEAF_RESERVE_BYTES = 35;
/** An overflow page starts with the number of the next. */
const OVERFLOW_HEADER_BYTES = 4;

/** Where the empty table lies in the closed database. */
export interface KeyTable {
  readonly path: string;
  readonly pageBytes: number;
  readonly pageCount: number;
  readonly rootPage: number;
}

/**
 * Writes `key_rows` as finished b-tree pages behind what the database has: leaves as rows come, interior pages and the
 * table's root at the end. Rows are encoded straight into the page.
 */
export class PageWriter implements KeyRowWriter {
  rows = 0;

  private readonly file: PageFile;
  private readonly table: KeyTable;
  private readonly encoder = new RowEncoder();
  private readonly leaves = new TreeLevel();
  /** Cells of the leaf under construction, and where in it their content begins. */
  private cells = 0;
  private content: number;

  constructor(table: KeyTable) {
    this.table = table;
    this.file = new PageFile(table.path, table.pageBytes, table.pageCount);
    this.content = table.pageBytes;
  }

  append(record: KeyRecord, row: KeyRow): void {
    const { encoder, file } = this;
    encoder.prepare(record, row);
    const payloadBytes = encoder.payloadBytes;
    if (payloadBytes > file.pageBytes - LEAF_RESERVE_BYTES) {
      this.appendOverflowing();
      return;
    }
    const rowId = this.rows + 1;
    this.makeRoom(varintBytes(payloadBytes) + varintBytes(rowId) + payloadBytes);
    const buffer = file.buffer;
    let at = file.pageStart + this.content;
    at = writeVarint(buffer, at, payloadBytes);
    at = writeVarint(buffer, at, rowId);
    at = encoder.writeHeader(buffer, at);
    at = encoder.writeKey(buffer, at);
    encoder.writeBody(buffer, at);
    this.rows = rowId;
  }

  finish(): void {
    const { file, table } = this;
    if (this.cells > 0) {
      this.closeLeaf();
      if (this.leaves.count === 0) file.replacePage(table.rootPage);
      else {
        this.leaves.add(file.completePage(), this.rows);
        writeInteriorPages(file, this.leaves, table.rootPage);
      }
    }
    file.finish();
  }

  abandon(): void {
    this.file.abandon();
  }

  /**
   * Takes room for a cell at the lower end of the content, on a new leaf when this one is full, and points to it.
   * @param cellBytes at most what an empty leaf holds
   */
  private makeRoom(cellBytes: number): void {
    const { file } = this;
    let pointer = LEAF_HEADER_BYTES + POINTER_BYTES * this.cells;
    if (this.content - cellBytes < pointer + POINTER_BYTES) {
      this.closeLeaf();
      this.leaves.add(file.completePage(), this.rows);
      this.cells = 0;
      this.content = file.pageBytes;
      pointer = LEAF_HEADER_BYTES;
    }
    this.content -= cellBytes;
    this.cells++;
    pointer += file.pageStart;
    file.buffer[pointer] = this.content >> 8;
    file.buffer[pointer + 1] = this.content;
  }

  /** Completes the leaf under construction but for its number. */
  private closeLeaf(): void {
    const { buffer, pageStart } = this.file;
    writePageHeader(buffer, pageStart, LEAF_TABLE_PAGE, this.cells, this.content);
    const pointersEnd = LEAF_HEADER_BYTES + POINTER_BYTES * this.cells;
    buffer.fill(0, pageStart + pointersEnd, pageStart + this.content);
  }

  /** A row too long for a leaf: its first bytes on one, the rest on a chain of overflow pages. */
  private appendOverflowing(): void {
    const { encoder, file } = this;
    const payload = new Uint8Array(encoder.payloadBytes);
    encoder.writeBody(payload, encoder.writeKey(payload, encoder.writeHeader(payload, 0)));
    const localBytes = localPayloadBytes(payload.length, file.pageBytes);
    const firstPage = this.writeOverflow(payload.subarray(localBytes));
    const rowId = this.rows + 1;
    this.makeRoom(varintBytes(payload.length) + varintBytes(rowId) + localBytes + OVERFLOW_HEADER_BYTES);
    let at = file.pageStart + this.content;
    at = writeVarint(file.buffer, at, payload.length);
    at = writeVarint(file.buffer, at, rowId);
    file.buffer.set(payload.subarray(0, localBytes), at);
    writeUint32(file.buffer, at + localBytes, firstPage);
    this.rows = rowId;
  }

  /** Writes a chain of overflow pages and returns the number of its first. */
  private writeOverflow(bytes: Uint8Array): number {
    const { file } = this;
    const page = new Uint8Array(file.pageBytes);
    const perPage = file.pageBytes - OVERFLOW_HEADER_BYTES;
    const first = file.nextNumber();
    for (let from = 0; from < bytes.length; from += perPage) {
      const part = bytes.subarray(from, from + perPage);
      page.fill(0);
      page.set(part, OVERFLOW_HEADER_BYTES);
      writeUint32(page, 0, from + perPage < bytes.length ? file.numberAfter(file.nextNumber()) : 0);
      file.insertPage(page);
    }
    return first;
  }
}

/** Bytes of an overflowing payload that stay on the leaf. Source: SQLite file format, section 1.6, "Let U be". */
function localPayloadBytes(payloadBytes: number, pageBytes: number): number {
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const wanted = least + ((payloadBytes - least) % (pageBytes - OVERFLOW_HEADER_BYTES));
  return wanted <= pageBytes - LEAF_RESERVE_BYTES ? wanted : least;
}
