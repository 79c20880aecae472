/** Names this many changes away may be meant, and not more than this share of the longer one. */
const MOST_CHANGES = 3;
const MOST_SHARE = 0.4;

/**
 * The name that was probably meant: one that is the same without hyphens, begins with what was written, or differs by a slip or two.
 * Undefined when none is near.
 */
export function similarName(written: string, names: readonly string[]): string | undefined {
  const wanted = plain(written);
  if (wanted === '') return undefined;
  const judged = names.map((name) => ({ name, distance: distanceOf(wanted, plain(name)) }));
  const [best] = judged.sort((a, b) => a.distance - b.distance);
  return best === undefined || best.distance === Number.POSITIVE_INFINITY ? undefined : best.name;
}

function distanceOf(wanted: string, name: string): number {
  const changes = changesBetween(wanted, name);
  if (changes <= Math.min(MOST_CHANGES, MOST_SHARE * Math.max(wanted.length, name.length))) return changes;
  return wanted.length > 2 && (name.startsWith(wanted) || wanted.startsWith(name))
    ? MOST_CHANGES + 1
    : Number.POSITIVE_INFINITY;
}

function plain(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[-_\s]/g, '');
}

/** Letters added, left out, taken for others, or swapped with their neighbours (optimal string alignment). */
function changesBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
