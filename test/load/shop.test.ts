import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bytesSource, Decoder, keyOf, printableBytes } from '../../src/rdb-parser/index.js';
import { scratchFolder } from '../source/reading.js';

const fixture = fileURLToPath(new URL('../../fixtures/shop.rdb', import.meta.url));
const maker = fileURLToPath(new URL('../../fixtures/makers/shop.mjs', import.meta.url));
const FIXTURE_BASE_MS = 1_796_083_200_000;
const hasServer = spawnSync('redis-server', ['--version']).error === undefined;

/** `db key: type, elements, bytes, expiry after the base`, sorted: a server writes keys in an order of its own. */
function contents(path: string, baseMs: number): string[] {
  const decoder = new Decoder(bytesSource(readFileSync(path)));
  const lines: string[] = [];
  while (decoder.next()) {
    const { db, dataType, elementCount, payloadBytes, hasExpiry, expiresAtMs } = decoder.record;
    const expiry = hasExpiry ? expiresAtMs - baseMs : 'none';
    const bytes = dataType === 'string' ? payloadBytes : '-';
    lines.push(
      `${db} ${printableBytes(keyOf(decoder.record))}: ${dataType} ${elementCount} ${bytes} ${expiry}`,
    );
  }
  return lines.sort();
}

it(
  hasServer
    ? 'the maker of shop.rdb makes the same shop again'
    : 'no redis-server here: the maker of shop.rdb is not tried',
  () => {
    const expected = contents(fixture, FIXTURE_BASE_MS);
    expect(expected).toHaveLength(4181);
    if (!hasServer) return;
    const target = `${scratchFolder()}/shop.rdb`;
    const baseMs = Math.max(FIXTURE_BASE_MS, Date.now()) + 3_600_000;
    const made = spawnSync(process.execPath, [maker, target], {
      env: { ...process.env, BASE_MS: String(baseMs), PORT: '7363' },
      encoding: 'utf8',
    });
    expect(made.stderr).toBe('');
    expect(contents(target, baseMs)).toEqual(expected);
  },
);
