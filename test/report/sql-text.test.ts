import { describe, expect, it } from 'vitest';
import {
  endsStatement,
  firstWord,
  hasCode,
  parameterNames,
  writeOutParameters,
} from '../../src/report/sql-text.js';

describe('SQL text', () => {
  it('ends with a semicolon that is no part of a text or comment', () => {
    expect(endsStatement('SELECT 1;')).toBe(true);
    expect(endsStatement('SELECT 1; -- done')).toBe(true);
    expect(endsStatement("SELECT ';'")).toBe(false);
    expect(endsStatement('SELECT 1 -- ;')).toBe(false);
    expect(endsStatement('SELECT 1 /* ; */')).toBe(false);
    expect(endsStatement('SELECT "a;')).toBe(false);
  });

  it('holds code or not', () => {
    expect(hasCode(' \n-- only this\n/* and this */')).toBe(false);
    expect(hasCode('/* x */ SELECT')).toBe(true);
  });

  it('names its parameters, not what stands in texts', () => {
    const sql = `SELECT ':no', ":nor", :yes, a - :also -- :never\nFROM [:not] /* :ever */ WHERE b = :yes AND c = '12:30'`;
    expect(parameterNames(sql)).toEqual(new Set(['yes', 'also']));
  });

  it('is written out with its parameters as literals', () => {
    const values = new Map<string, string | bigint | null>([
      ['a', "it's"],
      ['b', 5n],
      ['c', null],
    ]);
    expect(writeOutParameters("SELECT :a, :b, :c, ':a', :d", values)).toBe(
      "SELECT 'it''s', 5, NULL, ':a', :d",
    );
  });

  it.each([
    ['select 1', 'SELECT'],
    ['-- x\n /* y */ (with a as (select 1) select 2)', 'WITH'],
    ['', ''],
    ['123', ''],
  ])('starts with a word: %j', (sql, word) => {
    expect(firstWord(sql)).toBe(word);
  });
});
