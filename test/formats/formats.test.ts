import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { opcodes, valueTypes } from '../../src/rdb-parser/index.js';
import { readCoverage } from './coverage.js';
import { formatsDocument, productsTable } from './format-tables.js';

const DOCUMENT = new URL('../../docs/formats.md', import.meta.url);
const README = new URL('../../README.md', import.meta.url);
const EXCERPT = /(<!-- formats: made by test\/formats -->\n)[\s\S]*?(\n<!-- \/formats -->)/;

const { records, products } = readCoverage();

describe('the tables of formats', () => {
  it.each([...valueTypes, ...opcodes].map((row) => ({ row, name: `${row.name} (${row.code})` })))(
    'have a fixture for $name',
    ({ row }) => {
      expect(records.get(row)).toBeDefined();
    },
  );

  it('stand in docs/formats.md as they are', () => {
    const text = formatsDocument(records);
    if (process.env.UPDATE_DOCS !== undefined) writeFileSync(DOCUMENT, text);
    expect(readFileSync(DOCUMENT, 'utf8')).toBe(text);
  });

  it('stand in the README by product', () => {
    const table = productsTable(products, records);
    const readme = readFileSync(README, 'utf8');
    expect(readme).toMatch(EXCERPT);
    const updated = readme.replace(EXCERPT, (_, start: string, end: string) => start + table + end);
    if (process.env.UPDATE_DOCS !== undefined) writeFileSync(README, updated);
    expect(readFileSync(README, 'utf8')).toBe(updated);
  });
});
