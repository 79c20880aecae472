import { describe, expect, it } from 'vitest';
import { formatCell, formatPart, MISSING } from '../../src/render/format-cell.js';
import type { Cell, ColumnKind } from '../../src/report/document.js';

describe('a cell as people read it', () => {
  it.each([
    ['count', 62_481_003, '62,481,003'],
    ['count', '9223372036854775807', '9,223,372,036,854,775,807'],
    ['count', 5.14, '5.14'],
    ['bytes', 0, '0 B'],
    ['bytes', 999, '999 B'],
    ['bytes', 1000, '1.00 KB'],
    ['bytes', 999_499, '999 KB'],
    ['bytes', 999_500, '1.00 MB'],
    ['bytes', 12_400_000, '12.4 MB'],
    ['bytes', 9_840_000_000, '9.84 GB'],
    ['bytes', -1500, '-1.50 KB'],
    ['bytes', '9223372036854775807', '9.22 EB'],
    ['binary_bytes', 0, '0 B'],
    ['binary_bytes', 512, '512 B'],
    ['binary_bytes', 65_536, '64 KiB'],
    ['binary_bytes', 1_572_864, '1.50 MiB'],
    ['binary_bytes', 2 ** 60, '1 EiB'],
    ['ratio', 0.412, '41.2 %'],
    ['ratio', 0, '0.0 %'],
    ['ratio', 0.00001, '<0.1 %'],
    ['ratio', -0.0003, '>-0.1 %'],
    ['ratio', -0.17, '-17.0 %'],
    ['ratio', 0.99999, '>99.9 %'],
    ['ratio', 1, '100.0 %'],
    ['ms', Date.UTC(2026, 10, 29, 3, 0, 12), '2026-11-29 03:00:12'],
    ['ms', 1, '1970-01-01 00:00:00.001'],
    ['ms', Date.UTC(52842, 0, 1), '52842-01-01 00:00:00'],
    ['ms', '9223372036854775807', '9,223,372,036,854,775,807 ms'],
    ['duration_ms', 0, '0 ms'],
    ['duration_ms', 0.3, '<1 ms'],
    ['duration_ms', 350, '350 ms'],
    ['duration_ms', 12_000, '12 s'],
    ['duration_ms', 273_600_000, '3 d 4 h'],
    ['duration_ms', -300_000, '-5 min'],
    ['duration_ms', 4_000_000_000_000, '126 y'],
    ['seconds', 86_400, '1 d'],
    ['seconds', 5400, '1 h 30 min'],
    ['number', 12, '12'],
    ['number', 0.123456, '0.12'],
    ['flag', 1, 'yes'],
    ['flag', 0, 'no'],
    ['key', 'user:1', 'user:1'],
    ['key', 'a\\b', 'a\\x5cb'],
    ['key', '\u001b[2J', '\\x1b[2J'],
    ['key', { hex: 'ff00' }, '\\xff\\x00'],
    ['prefix', 'a\\x1b:{n}', 'a\\x1b:{n}'],
    ['text', 'a\nb\\c', 'a\\x0ab\\c'],
    ['label', '\u202e', '\\xe2\\x80\\xae'],
    ['bytes', 'many', 'many'],
    ['bytes', null, MISSING],
  ] as readonly (readonly [ColumnKind, Cell, string])[])('%s %j is %s', (kind, cell, text) => {
    expect(formatCell(cell, kind)).toBe(text);
  });

  it('is counted in a sentence, and an instant says that it is UTC', () => {
    expect(formatPart({ kind: 'count', value: 1, noun: 'key' })).toBe('1 key');
    expect(formatPart({ kind: 'count', value: 2, noun: 'hash' })).toBe('2 hashes');
    expect(formatPart({ kind: 'count', value: 2000, noun: 'entry' })).toBe('2,000 entries');
    expect(formatPart({ kind: 'ms', value: 0 })).toBe('1970-01-01 00:00:00 UTC');
  });

  it('in local time tells its offset', () => {
    expect(formatCell(0, 'local_ms')).toMatch(/^19(69|70)-\d\d-\d\d \d\d:\d\d:00 [+-]\d\d:\d\d$/);
  });
});
