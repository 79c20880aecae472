/** A key column's value as the key's bytes; numbers as SQLite would write them. */
export function asBytes(value: unknown): Uint8Array | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? value : Buffer.from(String(value));
}

/** A number, or undefined for NULL. */
export function asNumber(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
