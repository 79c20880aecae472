import type { KeyRecord } from '../rdb-parser/records.js';
import type { KeyCore } from './key-core.js';
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

/** What the core answers to `encodeRow` when it did not write the row. */
const NO_ROOM = 0;
const OVERFLOWS = -1;

/** Where the empty table lies in the closed database. */
export interface KeyTable {
  readonly path: string;
  readonly pageBytes: number;
  readonly pageCount: number;
  readonly rootPage: number;
}

/** Longer rows get memory of their own. */
const SCRATCH_BYTES = 2 ** 12;

/** Bytes of finished pages that are held back, so that they reach the system in large writes, still in the cache. */
export const PAGE_BUFFER_BYTES = 2 ** 18;

/**
 * Writes `key_rows` as finished b-tree pages behind what the database has: leaves as rows come, interior pages and the
 * table's root at the end. Rows are encoded straight into the page, by the core where they are of the common kind; the
 * key of a row must be the one that the core has at hand.
 */
export class PageWriter implements KeyRowWriter {
  rows = 0;

  private readonly core: KeyCore;
  private readonly file: PageFile;
  private readonly table: KeyTable;
  private readonly encoder = new RowEncoder();
  private readonly leaves = new TreeLevel();
  private readonly bufferAddress: number;
  /** For rows that the core does not encode. */
  private readonly scratch = new Uint8Array(SCRATCH_BYTES);

  /** @param core with room for pages, see KeyCoreOptions */
  constructor(table: KeyTable, core: KeyCore) {
    const address = core.exports.pagesAddress();
    const buffer = core.bytes.subarray(address, address + core.pageBufferBytes);
    this.core = core;
    this.table = table;
    this.file = new PageFile(table.path, table.pageBytes, table.pageCount, buffer);
    this.bufferAddress = address;
    this.startLeaf();
  }

  append(record: KeyRecord, row: KeyRow): void {
    if (record.expiresAtExact !== undefined) {
      this.appendUncommon(record, row);
      return;
    }
    const rowId = this.rows + 1;
    let done = this.encode(record, row, rowId);
    if (done === NO_ROOM) {
      this.turnPage();
      done = this.encode(record, row, rowId);
    }
    if (done === OVERFLOWS) this.appendUncommon(record, row);
    else this.rows = rowId;
  }

  /** Goes on to a new leaf; the one at hand must hold rows. */
  turnPage(): void {
    this.closeLeaf();
    this.leaves.add(this.file.completePage(), this.rows);
    this.startLeaf();
  }

  finish(): void {
    const { file, table } = this;
    if (this.core.exports.pageCells() > 0) {
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

  private encode(record: KeyRecord, row: KeyRow, rowId: number): number {
    if (record.dataType === 'stream') return this.encodeStream(record, row, rowId);
    return this.core.exports.encodeRow(
      rowId,
      row.keyIsText ? 1 : 0,
      row.kindId,
      record.db,
      row.fileId,
      row.prefixId,
      row.slot,
      record.elementCount,
      row.memoryBytes,
      record.serializedBytes,
      record.offset,
      record.payloadBytes,
      record.longestElementBytes,
      record.hasExpiry ? 1 : 0,
      record.expiresAtMs,
      record.idleSeconds,
      record.freq,
      row.fieldsWithTtl,
      record.firstFieldExpiryMs,
    );
  }

  private encodeStream(record: KeyRecord, row: KeyRow, rowId: number): number {
    const { stream } = record;
    return this.core.exports.encodeStreamRow(
      rowId,
      row.keyIsText ? 1 : 0,
      row.kindId,
      record.db,
      row.fileId,
      row.prefixId,
      row.slot,
      record.elementCount,
      row.memoryBytes,
      record.serializedBytes,
      record.offset,
      record.payloadBytes,
      record.longestElementBytes,
      record.hasExpiry ? 1 : 0,
      record.expiresAtMs,
      record.idleSeconds,
      record.freq,
      row.fieldsWithTtl,
      record.firstFieldExpiryMs,
      stream.nodes,
      stream.groups,
      stream.consumers,
      stream.pending,
      stream.oldestPendingMs,
      BigInt.asIntN(64, stream.lastIdMs),
      BigInt.asIntN(64, stream.lastIdSeq),
    );
  }

  private startLeaf(): void {
    this.core.exports.startPage(this.bufferAddress + this.file.pageStart, this.file.pageBytes);
  }

  /** Completes the leaf under construction but for its number. */
  private closeLeaf(): void {
    const { buffer, pageStart } = this.file;
    const cells = this.core.exports.pageCells();
    const content = this.core.exports.pageContent();
    writePageHeader(buffer, pageStart, LEAF_TABLE_PAGE, cells, content);
    buffer.fill(0, pageStart + LEAF_HEADER_BYTES + POINTER_BYTES * cells, pageStart + content);
  }

  /** A row with an expiry beyond a double, or one too long for a leaf: its end is on overflow pages then. */
  private appendUncommon(record: KeyRecord, row: KeyRow): void {
    const { encoder, file } = this;
    encoder.prepare(record, row);
    const { payloadBytes } = encoder;
    const payload =
      payloadBytes <= SCRATCH_BYTES ? this.scratch.subarray(0, payloadBytes) : new Uint8Array(payloadBytes);
    encoder.writeBody(payload, encoder.writeKey(payload, encoder.writeHeader(payload, 0)));
    const overflows = payload.length > file.pageBytes - LEAF_RESERVE_BYTES;
    const localBytes = overflows ? localPayloadBytes(payload.length, file.pageBytes) : payload.length;
    const overflowPage = overflows ? this.writeOverflow(payload.subarray(localBytes)) : 0;
    const rowId = this.rows + 1;
    const headBytes = varintBytes(payload.length) + varintBytes(rowId);
    // This may begin a new page, so ask for the page's place afterwards.
    const cell = this.reserveCell(headBytes + localBytes + (overflows ? OVERFLOW_HEADER_BYTES : 0));
    let at = file.pageStart + cell;
    at = writeVarint(file.buffer, at, payload.length);
    at = writeVarint(file.buffer, at, rowId);
    file.buffer.set(payload.subarray(0, localBytes), at);
    if (overflows) writeUint32(file.buffer, at + localBytes, overflowPage);
    this.rows = rowId;
  }

  /** Room for a cell on the leaf under construction or on a new one; where it is in the page. */
  private reserveCell(bytes: number): number {
    const at = this.core.exports.reserveCell(bytes);
    if (at !== 0) return at;
    this.turnPage();
    return this.core.exports.reserveCell(bytes);
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
    // It may have moved, so that these pages could be numbered before it.
    this.core.exports.movePage(this.bufferAddress + file.pageStart);
    return first;
  }
}

/** Bytes of an overflowing payload that stay on the leaf. Source: SQLite file format, section 1.6, "Let U be". */
function localPayloadBytes(payloadBytes: number, pageBytes: number): number {
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const wanted = least + ((payloadBytes - least) % (pageBytes - OVERFLOW_HEADER_BYTES));
  return wanted <= pageBytes - LEAF_RESERVE_BYTES ? wanted : least;
}
