import type { ReportColumn } from '../report/document.js';
import { MISSING } from './format-cell.js';
import { textWidth, wrapWords } from './text-width.js';

/** A column as it will stand in a terminal's table. */
export interface PlacedColumn {
  /** Index in the section's columns. */
  readonly index: number;
  readonly width: number;
  readonly heading: readonly string[];
}

export interface ColumnLayout {
  readonly columns: readonly PlacedColumn[];
  /** What found no room. */
  readonly omitted: readonly ReportColumn[];
  /** Columns of the terminal that are left over. */
  readonly spare: number;
}

/** Spaces between two columns. */
export const GAP = 2;
/** A column that can be cut is kept at least this wide as long as another column can make way. */
const LEAST_FLEXIBLE = 12;
/** An optional column comes in only while the flexible ones keep this much each, or all that they need. */
const COMFORTABLE = 32;

/**
 * Decides which columns stand in a table and how wide: keys and texts share what the others leave, optional columns come
 * in as far as there is room, and the last columns go when even that does not help.
 * @param cells formatted, by row
 */
export function layColumns(
  columns: readonly ReportColumn[],
  cells: readonly (readonly string[])[],
  width: number,
): ColumnLayout {
  const wanted = columns.map((column, index) => ({
    index,
    column,
    flexible: isFlexible(column),
    natural: naturalWidth(column, cells, index),
  }));
  const needed = (chosen: typeof wanted, flexibleCap: number): number =>
    chosen.reduce((sum, one) => sum + (one.flexible ? Math.min(one.natural, flexibleCap) : one.natural), 0) +
    GAP * Math.max(0, chosen.length - 1);

  let chosen = wanted.filter(({ column }) => column.optional === undefined);
  while (chosen.length > 1 && needed(chosen, LEAST_FLEXIBLE) > width) chosen = chosen.slice(0, -1);
  for (const one of wanted) {
    if (one.column.optional === undefined || cells.every((row) => row[one.index] === MISSING)) continue;
    const more = wanted.filter((other) => other === one || chosen.includes(other));
    if (needed(more, COMFORTABLE) <= width) chosen = more;
  }

  const fixed = needed(
    chosen.filter((one) => !one.flexible),
    0,
  );
  const flexible = chosen.filter((one) => one.flexible);
  const gaps = GAP * (chosen.length - 1) - GAP * Math.max(0, chosen.length - flexible.length - 1);
  const widths = shareOut(
    flexible.map((one) => one.natural),
    Math.max(flexible.length, width - fixed - gaps),
  );
  const placed = chosen.map((one) => {
    const columnWidth = one.flexible ? widths[flexible.indexOf(one)]! : Math.min(one.natural, width);
    return { index: one.index, width: columnWidth, heading: wrapWords(one.column.title, columnWidth) };
  });
  const used = placed.reduce((sum, one) => sum + one.width, 0) + GAP * (placed.length - 1);
  return {
    columns: placed,
    omitted: wanted.filter((one) => !chosen.includes(one)).map((one) => one.column),
    spare: Math.max(0, width - used),
  };
}

export function isFlexible({ kind }: ReportColumn): boolean {
  return kind === 'key' || kind === 'prefix' || kind === 'text';
}

/** Numbers stand right, words left. */
export function isNumeric({ kind }: ReportColumn): boolean {
  return !isFlexible({ kind, name: '', title: '' }) && kind !== 'label' && kind !== 'flag';
}

/** The widest cell, or the widest word of the title, which may stand on several lines. */
function naturalWidth(column: ReportColumn, cells: readonly (readonly string[])[], index: number): number {
  let width = 1;
  for (const word of column.title.split(' ')) width = Math.max(width, textWidth(word));
  for (const row of cells) width = Math.max(width, textWidth(row[index]!));
  return width;
}

/** Gives each what it needs where there is enough, else the same to those that need more. */
function shareOut(needs: readonly number[], total: number): number[] {
  const shares = needs.map(() => 0);
  let open = needs.map((_, i) => i);
  let rest = total;
  while (open.length > 0) {
    const fair = Math.floor(rest / open.length);
    const content = open.filter((i) => needs[i]! <= fair);
    if (content.length === 0) {
      for (const i of open) shares[i] = Math.max(1, fair);
      break;
    }
    for (const i of content) {
      shares[i] = needs[i]!;
      rest -= needs[i]!;
    }
    open = open.filter((i) => !content.includes(i));
  }
  return shares;
}
