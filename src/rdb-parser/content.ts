/**
 * What a string's first bytes say that it is, told for strings of at least CONTENT_FROM_BYTES only. A guess: nothing
 * but the beginning was looked at. Index 0 is "not looked at".
 */
export const CONTENT_KINDS = [
  'none',
  'json',
  'markup', // XML, HTML
  'text',
  'gzip',
  'zlib',
  'zstd',
  'lz4',
  'snappy',
  'bzip2',
  'xz',
  'zip',
  'image',
  'pdf',
  'java', // a serialized object
  'pickle',
  'hyperloglog',
  'binary',
] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

/** Kinds that are compressed already. */
export const COMPRESSED_KINDS: ReadonlySet<ContentKind> = new Set([
  'gzip',
  'zlib',
  'zstd',
  'lz4',
  'snappy',
  'bzip2',
  'xz',
  'zip',
  'image',
]);

/** Shorter strings are no big values: what they hold is not looked at. */
export const CONTENT_FROM_BYTES = 1000;

/** Bytes that are enough to tell. */
export const CONTENT_LOOK_BYTES = 16;

/** Signatures by kind; `?` stands for any byte. Sources: RFC 1952, RFC 8878, the formats' own specifications. */
const SIGNATURES: readonly (readonly [kind: ContentKind, hex: string])[] = [
  ['gzip', '1f8b08'],
  ['zstd', '28b52ffd'],
  ['lz4', '04224d18'],
  ['snappy', 'ff060000734e61507059'],
  ['bzip2', '425a68??314159265359'],
  ['xz', 'fd377a585a00'],
  ['zip', '504b0304'],
  ['image', '89504e470d0a1a0a'],
  ['image', 'ffd8ff'],
  ['image', '474946383?61'],
  ['image', '52494646????????57454250'],
  ['pdf', '255044462d'],
  ['java', 'aced0005'],
  ['hyperloglog', '48594c4c'], // hyperloglog.c, struct hllhdr (Redis 2.8.9)
];

interface Pattern {
  readonly index: number;
  readonly nibbles: readonly number[];
}

/** By the first byte, which no signature leaves open: most values have to be compared with none. */
const PATTERNS: readonly (readonly Pattern[])[] = Array.from({ length: 256 }, (_, first) =>
  SIGNATURES.filter(([, hex]) => Number.parseInt(hex.slice(0, 2), 16) === first).map(([kind, hex]) => ({
    index: CONTENT_KINDS.indexOf(kind),
    nibbles: [...hex].map((digit) => (digit === '?' ? -1 : Number.parseInt(digit, 16))),
  })),
);

const INDEX = Object.fromEntries(CONTENT_KINDS.map((kind, index) => [kind, index])) as Readonly<
  Record<ContentKind, number>
>;

/** The index in CONTENT_KINDS of what begins with `bytes[at .. at + count)`; count is at most CONTENT_LOOK_BYTES. */
export function contentKindIndex(bytes: Uint8Array, at: number, count: number): number {
  const patterns = PATTERNS[count > 0 ? bytes[at]! : 0]!;
  for (let i = 0; i < patterns.length; i++) {
    const { index, nibbles } = patterns[i]!;
    if (begins(bytes, at, count, nibbles)) return index;
  }
  if (isZlib(bytes, at, count)) return INDEX.zlib;
  if (isPickle(bytes, at, count)) return INDEX.pickle;
  return isText(bytes, at, count) ? textKind(bytes, at, count) : INDEX.binary;
}

function begins(bytes: Uint8Array, at: number, count: number, nibbles: readonly number[]): boolean {
  if (nibbles.length > count * 2) return false;
  for (let i = 0; i < nibbles.length; i++) {
    const byte = bytes[at + (i >> 1)]!;
    const nibble = i % 2 === 0 ? byte >> 4 : byte & 15;
    if (nibbles[i] !== -1 && nibbles[i] !== nibble) return false;
  }
  return true;
}

/** Deflate with a window of 32 KiB, no dictionary, and a header that is a multiple of 31. Source: RFC 1950. */
function isZlib(bytes: Uint8Array, at: number, count: number): boolean {
  if (count < 2 || bytes[at] !== 0x78) return false;
  const flags = bytes[at + 1]!;
  return (flags & 0x20) === 0 && (0x7800 + flags) % 31 === 0 && !isText(bytes, at, count);
}

/** Protocols 2 to 5. Source: Python's pickletools, opcode PROTO. */
function isPickle(bytes: Uint8Array, at: number, count: number): boolean {
  return count > 2 && bytes[at] === 0x80 && bytes[at + 1]! >= 2 && bytes[at + 1]! <= 5;
}

/** Printable ASCII, white space, and bytes above 127, which are taken for UTF-8. */
function isText(bytes: Uint8Array, at: number, count: number): boolean {
  let high = 0;
  for (let i = at; i < at + count; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x80) {
      if (byte === 0xc0 || byte === 0xc1 || byte >= 0xf5) return false;
      high++;
    } else if (byte < 0x20 ? byte < 9 || byte > 13 : byte === 0x7f) return false;
  }
  // UTF-8 has a lead byte for at most three others; random bytes rarely come this far.
  return high === 0 || startsUtf8(bytes, at, count);
}

function startsUtf8(bytes: Uint8Array, at: number, count: number): boolean {
  const first = bytes[at]!;
  if (first < 0x80) return true;
  const tails = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
  if (first < 0xc2) return false;
  for (let i = 1; i <= tails && i < count; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return false;
  return true;
}

/** JSON begins with a bracket and what may follow it, markup with `<` and a letter, `!` or `?`. */
function textKind(bytes: Uint8Array, at: number, count: number): number {
  let i = at;
  const end = at + count;
  while (i < end && bytes[i]! <= 0x20) i++;
  const first = i < end ? bytes[i++]! : 0;
  while (i < end && bytes[i]! <= 0x20) i++;
  // Nothing behind it, as far as was looked, is as good as what fits.
  const fits = (set: Uint8Array): boolean => i === end || set[bytes[i]!] === 1;
  if (first === BRACE) return fits(BEHIND_BRACE) ? INDEX.json : INDEX.text;
  if (first === BRACKET) return fits(BEHIND_BRACKET) ? INDEX.json : INDEX.text;
  if (first === LESS_THAN) return i < end && fits(BEHIND_LESS_THAN) ? INDEX.markup : INDEX.text;
  return INDEX.text;
}

const BRACE = 0x7b;
const BRACKET = 0x5b;
const LESS_THAN = 0x3c;

const BEHIND_BRACE = byteSet('"}');
const BEHIND_BRACKET = byteSet('"[]{0123456789-tfn');
const BEHIND_LESS_THAN = byteSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!?');

function byteSet(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1;
  return set;
}
