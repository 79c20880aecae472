import { SourceError } from './source-error.js';

/** How many of the first bytes `foreignError` wants to see. */
export const FOREIGN_HEAD_BYTES = 4096;

/**
 * Says what something that is no snapshot looks like, by its first bytes, and how to get at the snapshot in it.
 * @param input its name as the user gave it
 * @param wrapping what was unpacked to get at `head` ("gzip"), "" for the bare input
 */
export function foreignError(head: Uint8Array, input: string, wrapping: string): SourceError {
  const format = FORMATS.find((candidate) => candidate.matches(head)) ?? UNKNOWN;
  const where = wrapping === '' ? 'it starts with' : `what its ${wrapping} data holds starts with`;
  return new SourceError({
    code: 'foreign',
    input,
    problem: `is not an RDB file: ${where} ${shownBytes(head)} (${format.name})`,
    advice: format.advice(quotedName(input)),
  });
}

interface ForeignFormat {
  readonly name: string;
  matches(head: Uint8Array): boolean;
  advice(input: string): string;
}

/** A format known by the text that stands at `at`. */
function known(name: string, signature: string, advice: ForeignFormat['advice'], at = 0): ForeignFormat {
  const wanted = Buffer.from(signature, 'latin1');
  return { name, advice, matches: (head) => wanted.every((byte, i) => head[at + i] === byte) };
}

const unpackWith =
  (command: string): ForeignFormat['advice'] =>
  (input) =>
    `Unpack it first, or pipe it: ${command} ${input} | rdbscope analyze -`;

const decrypt: ForeignFormat['advice'] = () =>
  'Decrypt it first and pipe the result: ... | rdbscope analyze -';
const downloadAgain: ForeignFormat['advice'] = () =>
  'A download that failed often leaves such a page under the name of the file: fetch it again.';
const nameTheSnapshot: ForeignFormat['advice'] = () =>
  'rdbscope reads snapshots: dump.rdb, or an append-only file that starts with one.';
const rewriteAof: ForeignFormat['advice'] = () =>
  'Analyse the dump.rdb beside it, or let the server rewrite it with a snapshot in front: ' +
  'config set aof-use-rdb-preamble yes, then bgrewriteaof.';
const useReports: ForeignFormat['advice'] = (input) =>
  `If rdbscope wrote this database: rdbscope report ${input}, or rdbscope sql ${input}`;

const FORMATS: readonly ForeignFormat[] = [
  known('a SQLite database', 'SQLite format 3\0', useReports),
  known('a zip archive', 'PK\x03\x04', unpackWith('unzip -p')),
  known('an empty zip archive', 'PK\x05\x06', nameTheSnapshot),
  known('a 7-Zip archive', '7z\xbc\xaf\x27\x1c', unpackWith('7z x -so')),
  known('bzip2 data', 'BZh', unpackWith('bzip2 -dc')),
  known('xz data', '\xfd7zXZ\0', unpackWith('xz -dc')),
  known('lzip data', 'LZIP', unpackWith('lzip -dc')),
  known('lzop data', '\x89LZO', unpackWith('lzop -dc')),
  known('data of compress', '\x1f\x9d', unpackWith('gzip -dc')),
  known('LZ4 data of the legacy form', '\x02\x21\x4c\x18', unpackWith('lz4 -dc')),
  known('a RAR archive', 'Rar!\x1a\x07', unpackWith('unrar p -inul')),
  known('framed Snappy data', '\xff\x06\0\0sNaPpY', unpackWith('snzip -dc')),
  known(
    'a tar archive',
    'ustar',
    (input) => `Unpack the snapshot out of it: tar -xOf ${input} NAME | rdbscope analyze -`,
    257,
  ),
  known('OpenSSL-encrypted data', 'Salted__', decrypt),
  known('age-encrypted data', 'age-encryption.org/', decrypt),
  known('encrypted data as text', '-----BEGIN ', decrypt),
  known('GPG-encrypted data', '\x8c\x0d\x04', decrypt),
  known('GPG-encrypted data', '\x85\x01\x0c\x03', decrypt),
  known('GPG-encrypted data', '\x85\x02\x0c\x03', decrypt),
  known('a Parquet file', 'PAR1', nameTheSnapshot),
  known('an RDB header in lower case', 'redis', nameTheSnapshot),
  {
    name: 'the digits of an RDB version: the first five or six bytes of the file are missing',
    matches: (head) => /^\d{3,4}[\xf5\xfa\xfb\xfe\xff]/.test(latin(head)),
    advice: () => 'Copy it again, whole.',
  },
  {
    name: 'an append-only file without a snapshot in front',
    matches: (head) => /^(#TS:\d+\r\n)?\*\d+\r\n\$\d+\r\n/.test(latin(head)),
    advice: rewriteAof,
  },
  {
    name: 'the manifest of a multi-part append-only file',
    matches: (head) => /^file \S+ seq \d+ type [bih]/m.test(latin(head)),
    advice: () => 'Name it by its path, so that the files it lists can be found beside it.',
  },
  { name: 'a web page or XML', matches: (head) => /^\s*<[!?a-z]/i.test(text(head)), advice: downloadAgain },
  { name: 'JSON or other text', matches: (head) => /^\s*[[{]/.test(text(head)), advice: nameTheSnapshot },
  { name: 'text', matches: (head) => text(head) !== '', advice: nameTheSnapshot },
  {
    name: 'zeros: a file whose content was never written',
    matches: (head) => head.every((byte) => byte === 0),
    advice: () => 'Copy it again from the server.',
  },
  {
    name: 'no pattern at all: encrypted, or compressed in a way that is not known here',
    matches: (head) => head.length >= 2048 && new Set(head).size >= 250,
    advice: decrypt,
  },
];

const UNKNOWN: ForeignFormat = {
  name: 'neither REDIS nor VALKEY, and nothing else that is known',
  matches: () => true,
  advice: nameTheSnapshot,
};

function latin(head: Uint8Array): string {
  return Buffer.from(head).toString('latin1');
}

/** The head when it is nothing but printable text, else "". */
function text(head: Uint8Array): string {
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const shown = latin(head.subarray(start, start + 256));
  return /^[\t\n\r\x20-\x7e\x80-\xff]+$/.test(shown) ? shown : '';
}

const SHOWN_BYTES = 8;

/** `"PK.." (50 4b 03 04)`: the first bytes, safe to print. */
function shownBytes(head: Uint8Array): string {
  const first = head.subarray(0, SHOWN_BYTES);
  const readable = latin(first).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '.');
  return `"${readable}", hex ${Buffer.from(first).toString('hex')}`;
}

/** The name as it can be pasted into a shell; FILE when it would need thought. */
function quotedName(input: string): string {
  if (/^[\w./+@%,:][\w./+@%,:-]*$/.test(input)) return input;
  return /['\x00-\x1f\x7f]|^-|^standard input$/.test(input) ? 'FILE' : `'${input}'`;
}
