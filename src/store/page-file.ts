import fs from 'node:fs';
import { writeUint32 } from './record-encoding.js';

/** The page that holds this byte is never used. Source: sqlite/src/os.h PENDING_BYTE; file format, section 1.4. */
const LOCK_BYTE = 2 ** 30;

const CLOSED = -1;

/** Where the database header keeps things. Source: SQLite file format, section 1.3. */
const HEADER = { changeCounter: 24, pageCount: 28, versionValidFor: 92, bytes: 100 } as const;

/**
 * Appends whole pages to a closed SQLite database. One page is under construction at `buffer[pageStart]`; pages get
 * their numbers when they are complete.
 */
export class PageFile {
  readonly pageBytes: number;
  readonly buffer: Uint8Array;
  /** Where in `buffer` the page under construction starts. */
  pageStart = 0;

  /** CLOSED once the file is. */
  private fd: number;
  private readonly lockPage: number;
  /** Number of the page at the buffer's start. */
  private firstPage: number;

  /**
   * @param pageCount pages the database has
   * @param buffer room for a whole number of pages, which are held back to reach the system in large writes
   */
  constructor(path: string, pageBytes: number, pageCount: number, buffer: Uint8Array) {
    this.pageBytes = pageBytes;
    this.buffer = buffer;
    this.firstPage = pageCount + 1;
    this.lockPage = LOCK_BYTE / pageBytes + 1;
    this.fd = fs.openSync(path, 'r+');
  }

  /** The page under construction is complete; the next one starts at the new `pageStart`. Returns its number. */
  completePage(): number {
    const number = this.nextNumber();
    this.pageStart += this.pageBytes;
    if (this.pageStart === this.buffer.length) {
      this.writeCompleted();
      this.pageStart = 0;
    }
    return number;
  }

  /** The number that the next page will get, whichever it is. */
  nextNumber(): number {
    const number = this.firstPage + this.pageStart / this.pageBytes;
    if (number !== this.lockPage) return number;
    this.makeFirst();
    return ++this.firstPage;
  }

  /** The number of the page after that one. */
  numberAfter(page: number): number {
    return page + 1 === this.lockPage ? page + 2 : page + 1;
  }

  /** Appends another page before the one under construction. Returns its number. */
  insertPage(page: Uint8Array): number {
    const number = this.nextNumber();
    this.makeFirst();
    this.writeAt(number, page);
    this.firstPage++;
    return number;
  }

  /** Writes the page under construction over one that exists; it gets no number of its own. */
  replacePage(number: number): void {
    this.writeAt(number, this.buffer.subarray(this.pageStart, this.pageStart + this.pageBytes));
  }

  /** Writes what is complete, tells the database how many pages it has, and closes the file. */
  finish(): void {
    this.writeCompleted();
    const pageCount = this.firstPage - 1;
    const header = new Uint8Array(HEADER.bytes);
    fs.readSync(this.fd, header, 0, header.length, 0);
    const view = new DataView(header.buffer);
    const changes = view.getUint32(HEADER.changeCounter) + 1;
    writeUint32(header, HEADER.changeCounter, changes);
    writeUint32(header, HEADER.pageCount, pageCount);
    // The count is believed only when these two agree.
    writeUint32(header, HEADER.versionValidFor, changes);
    fs.writeSync(this.fd, header, 0, header.length, 0);
    this.abandon();
  }

  /** Closes the file as it is. */
  abandon(): void {
    const { fd } = this;
    this.fd = CLOSED;
    if (fd !== CLOSED) fs.closeSync(fd);
  }

  /** Moves the page under construction to the buffer's start. */
  private makeFirst(): void {
    if (this.pageStart === 0) return;
    const from = this.pageStart;
    this.writeCompleted();
    this.buffer.copyWithin(0, from, from + this.pageBytes);
    this.pageStart = 0;
  }

  private writeCompleted(): void {
    if (this.pageStart === 0) return;
    this.writeAt(this.firstPage, this.buffer.subarray(0, this.pageStart));
    this.firstPage += this.pageStart / this.pageBytes;
  }

  private writeAt(page: number, bytes: Uint8Array): void {
    const position = (page - 1) * this.pageBytes;
    let written = 0;
    while (written < bytes.length) {
      written += fs.writeSync(this.fd, bytes, written, bytes.length - written, position + written);
    }
  }
}
