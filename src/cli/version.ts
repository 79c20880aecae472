import { readFileSync } from 'node:fs';

/** This package's version, `0.1.0`. */
export function toolVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
