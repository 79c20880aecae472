import type { Cell, ColumnKind, ReportColumn } from './document.js';

/** Endings of column names that tell a unit, looked at in this order. */
const ENDINGS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/(^|_)key$/, 'key'],
  [/(^|_)prefix$/, 'prefix'],
  [/(^|_)bytes$/, 'bytes'],
  [/(^|_)ttl_ms$/, 'duration_ms'],
  [/(_at|_expiry|_since|^start|_start|_pending|^from|^until)_ms$/, 'ms'],
  [/(^|_)ms$/, 'duration_ms'],
  [/(^|_)seconds$/, 'seconds'],
  [/(^|_)(share|ratio)$/, 'ratio'],
  [/(^|_)(keys|elements|entries|count|fields_with_ttl)$/, 'count'],
  [/^(n|(count|sum)\(.*)$/i, 'count'],
];

/** Kinds that only numbers have. */
const NUMERIC: ReadonlySet<ColumnKind> = new Set([
  'bytes',
  'duration_ms',
  'ms',
  'seconds',
  'ratio',
  'count',
  'number',
]);

/**
 * Columns of a query that nobody described: the kind comes from the name's ending and the values, and equal names are
 * told apart (`n`, `n_2`), so that a row can be an object.
 */
export function inferColumns(names: readonly string[], rows: readonly (readonly Cell[])[]): ReportColumn[] {
  const seen = new Map<string, number>();
  return names.map((name, index) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    const unique = times === 1 ? name : `${name}_${times}`;
    return { name: unique, title: unique, kind: kindOf(name, rows, index) };
  });
}

function kindOf(name: string, rows: readonly (readonly Cell[])[], index: number): ColumnKind {
  const numeric = rows.every((row) => {
    const cell = row[index] ?? null;
    return (
      cell === null || typeof cell === 'number' || (typeof cell === 'string' && /^-?\d{16,}$/.test(cell))
    );
  });
  const named = ENDINGS.find(([ending]) => ending.test(name))?.[1];
  if (named !== undefined && (numeric || !NUMERIC.has(named))) {
    // `MAX(key)` over numbers, `SUM(...)` that is no whole number: what the values are wins.
    if (named === 'count' && rows.some((row) => !isWhole(row[index] ?? null))) return 'number';
    return named;
  }
  return numeric && rows.some((row) => row[index] !== null) ? 'number' : 'text';
}

function isWhole(cell: Cell): boolean {
  return cell === null || typeof cell === 'string' || (typeof cell === 'number' && Number.isInteger(cell));
}
