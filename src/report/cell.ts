import type { Cell } from './document.js';

/** What better-sqlite3 gives with safe integers on. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/** A value of the database as a document holds it: exact integers, no NaN. */
export function toCell(value: SqliteValue): Cell {
  switch (typeof value) {
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : String(value);
    }
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : { hex: Buffer.from(value).toString('hex') };
    case 'string':
      return value;
    default:
      return value satisfies never;
  }
}
