import { doubled } from './growing.js';
import type { PageFile } from './page-file.js';
import { writeUint32, writeVarint } from './record-encoding.js';

/** Source: SQLite file format, section 1.6 "B-tree Pages". */
const INTERIOR_TABLE_PAGE = 0x05;
const INTERIOR_HEADER_BYTES = 12;
/** Child page, row id at its longest, cell pointer. */
const INTERIOR_CELL_BYTES = 4 + 9 + 2;

/** The pages of one level of a table's tree, in order, with the largest row id below each. */
export class TreeLevel {
  count = 0;
  private pages = new Float64Array(256);
  private lastRows = new Float64Array(256);

  add(page: number, lastRow: number): void {
    if (this.count === this.pages.length) {
      this.pages = doubled(this.pages);
      this.lastRows = doubled(this.lastRows);
    }
    this.pages[this.count] = page;
    this.lastRows[this.count++] = lastRow;
  }

  page(index: number): number {
    return this.pages[index]!;
  }

  lastRow(index: number): number {
    return this.lastRows[index]!;
  }
}

/** Writes the interior pages above at least two pages, the topmost over `rootPage`. */
export function writeInteriorPages(file: PageFile, level: TreeLevel, rootPage: number): void {
  const fanOut = Math.floor((file.pageBytes - INTERIOR_HEADER_BYTES) / INTERIOR_CELL_BYTES);
  let below = level;
  while (below.count > fanOut) {
    const above = new TreeLevel();
    const pages = Math.ceil(below.count / fanOut);
    // Evenly, so that no page has a single child.
    for (let i = 0; i < pages; i++) {
      const from = Math.floor((below.count * i) / pages);
      const to = Math.floor((below.count * (i + 1)) / pages);
      buildInteriorPage(file, below, from, to);
      above.add(file.completePage(), below.lastRow(to - 1));
    }
    below = above;
  }
  buildInteriorPage(file, below, 0, below.count);
  file.replacePage(rootPage);
}

/** Builds the page over the children `[from, to)` of a level; the last is the right-most pointer in its header. */
function buildInteriorPage(file: PageFile, level: TreeLevel, from: number, to: number): void {
  const { buffer, pageStart, pageBytes } = file;
  buffer.fill(0, pageStart, pageStart + pageBytes);
  const cells = to - from - 1;
  let pointer = pageStart + INTERIOR_HEADER_BYTES;
  let content = pageBytes;
  const cell = new Uint8Array(INTERIOR_CELL_BYTES);
  for (let child = from; child < to - 1; child++) {
    writeUint32(cell, 0, level.page(child));
    const length = writeVarint(cell, 4, level.lastRow(child));
    content -= length;
    buffer.set(cell.subarray(0, length), pageStart + content);
    buffer[pointer++] = content >> 8;
    buffer[pointer++] = content;
  }
  writePageHeader(buffer, pageStart, INTERIOR_TABLE_PAGE, cells, content);
  writeUint32(buffer, pageStart + 8, level.page(to - 1));
}

/** The first eight bytes of a b-tree page: no free blocks, no fragments. */
export function writePageHeader(
  buffer: Uint8Array,
  pageStart: number,
  type: number,
  cells: number,
  content: number,
): void {
  buffer[pageStart] = type;
  buffer[pageStart + 1] = 0;
  buffer[pageStart + 2] = 0;
  buffer[pageStart + 3] = cells >> 8;
  buffer[pageStart + 4] = cells;
  // 65536 is written as 0.
  buffer[pageStart + 5] = content >> 8;
  buffer[pageStart + 6] = content;
  buffer[pageStart + 7] = 0;
}
