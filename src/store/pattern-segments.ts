/** The placeholders of ids in a pattern, those of the user's own rules among them; a hash tag is no name either. */
const PLACEHOLDER = /\{(?:[A-Za-z][\w-]*|\*)\}/;

/** What glues the words of one segment. */
const GLUE = /[._-]/;

/** A text's segment, counted from 1, or from the end with -1 for the last; null where there is none. */
export function segmentAt(text: string, separators: string, place: number): string | null {
  const segments = segmentsOf(text, separators);
  return segments.at(place > 0 ? place - 1 : place) ?? null;
}

/**
 * The part of a prefix's last segment that only says again what a segment before it says: `order` of `order:order`,
 * `cxdb_` of `cx:cxdb:cxdb_user_info`; null when nothing is said twice. Ids and single letters do not count.
 */
export function repeatedSegment(prefix: string, separators: string): string | null {
  const segments = segmentsOf(prefix, separators);
  const last = segments.pop();
  if (last === undefined || segments.length === 0) return null;
  for (const earlier of segments) {
    if (earlier.length < 2 || PLACEHOLDER.test(earlier)) continue;
    if (last === earlier) return last;
    const rest = last.length - earlier.length;
    if (rest <= 1) continue;
    if (last.startsWith(earlier) && GLUE.test(last[earlier.length]!))
      return last.slice(0, earlier.length + 1);
    if (last.endsWith(earlier) && GLUE.test(last[rest - 1]!)) return last.slice(rest - 1);
  }
  return null;
}

/** Whether one of the words, parted by commas, is a word of the text: of letters only, in any case, plural or not. */
export function hasWord(text: string, words: string): boolean {
  const wanted = wordSet(words);
  const parts = text.toLowerCase().split(/[^a-z]+/);
  return parts.some((part) => wanted.has(part) || (part.endsWith('s') && wanted.has(part.slice(0, -1))));
}

/** The bytes of a key's first segments, separators between them included. @param separators ASCII punctuation */
export function headBytes(key: Uint8Array, separators: string, depth: number): Uint8Array {
  let segments = 0;
  for (let at = 0; at < key.length; at++) {
    if (separators.includes(String.fromCharCode(key[at]!)) && ++segments === depth)
      return key.subarray(0, at);
  }
  return key;
}

function segmentsOf(text: string, separators: string): string[] {
  const segments = [''];
  for (const character of text) {
    if (separators.includes(character)) segments.push('');
    else segments[segments.length - 1] += character;
  }
  return segments;
}

const WORD_SETS = new Map<string, ReadonlySet<string>>();

function wordSet(words: string): ReadonlySet<string> {
  let set = WORD_SETS.get(words);
  if (set === undefined) {
    set = new Set(
      words
        .toLowerCase()
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    );
    WORD_SETS.clear();
    WORD_SETS.set(words, set);
  }
  return set;
}
