import { utf8Length } from '../rdb-parser/printable.js';

/** A key as SQLite gets it: TEXT when it is valid UTF-8 without NUL, else BLOB. */
export function keyValue(key: Uint8Array): string | Buffer {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.length);
  return isText(key, 0, key.length) ? bytes.toString() : bytes;
}

/** Whether bytes are well-formed UTF-8 without NUL. */
export function isText(bytes: Uint8Array, start: number, length: number): boolean {
  const end = start + length;
  let at = start;
  while (at < end) {
    const characterBytes = utf8Length(bytes, at);
    // A sequence must not borrow bytes from behind the end.
    if (characterBytes === 0 || at + characterBytes > end || bytes[at] === 0) return false;
    at += characterBytes;
  }
  return true;
}
