/**
 * A Markdown table whose columns line up, as the formatter wants them: the first column to the left, the others to the
 * right.
 * @param rows the header first; as many cells in each
 */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const padded = rows.map((row) =>
    lineOf(
      row.map((cell, column) => (column === 0 ? cell.padEnd : cell.padStart).call(cell, widths[column]!)),
    ),
  );
  const rule = lineOf(
    widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
  );
  return [padded[0]!, rule, ...padded.slice(1)];
}
