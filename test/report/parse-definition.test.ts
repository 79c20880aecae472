import { describe, expect, it } from 'vitest';
import { parseDefinition } from '../../src/report/parse-definition.js';

const parse = (text: string) => parseDefinition('reports/x.sql', 'x', text);
const HEAD = '-- @title  X\n-- @summary  What X is.\n';

describe('a report file', () => {
  it('is a header and a statement', () => {
    const definition = parse(
      `${HEAD}-- @param  top  limit  10  Rows.\n-- @column  key  key\n-- @column  memory_bytes  bytes?\n` +
        `-- @chart  bars  key  memory_bytes\n-- @empty  No {top} keys.\nSELECT key, memory_bytes FROM keys LIMIT :top;\n`,
    );
    expect(definition).toMatchObject({
      id: 'x',
      title: 'X',
      summary: 'What X is.',
      parameters: [{ name: 'top', kind: 'limit', default: 10n, description: 'Rows.' }],
    });
    expect(definition.sections).toHaveLength(1);
    expect(definition.sections[0]).toMatchObject({
      id: 'x',
      columns: [
        { name: 'key', title: 'Key', kind: 'key' },
        { name: 'memory_bytes', title: 'Memory', kind: 'bytes', optional: true },
      ],
      charts: [{ kind: 'bars', label: 'key', value: 'memory_bytes' }],
      empty: ['No ', { name: 'top', kind: 'label' }, ' keys.'],
      statement: { sql: 'SELECT key, memory_bytes FROM keys LIMIT :top', line: 8 },
    });
  });

  it('may have several sections, each with facts and notes of its own', () => {
    const definition = parse(
      `${HEAD}-- @facts\nSELECT 1 AS n;\n-- @note  {n:count key}.\n` +
        `-- @section  one  First\n-- @column  a  count\nSELECT 1 AS a -- ; not the end\n;\n` +
        `-- @section  two  Second\n-- @facts\nSELECT 2 AS total_rows;\n-- @warning  Careful.\n-- @column  b  count\nSELECT 2 AS b;\n`,
    );
    expect(definition.facts?.sql).toBe('SELECT 1 AS n');
    expect(definition.notes).toHaveLength(1);
    expect(definition.sections.map((section) => section.id)).toEqual(['one', 'two']);
    expect(definition.sections[1]).toMatchObject({
      facts: { sql: 'SELECT 2 AS total_rows' },
      notes: [{ severity: 'warning' }],
    });
  });

  it('takes semicolons in text and comments for what they are', () => {
    const { sections } = parse(`${HEAD}-- @column  a  text\nSELECT ';' AS a /* ; */\nFROM files;\n`);
    expect(sections[0]?.statement.sql).toBe("SELECT ';' AS a /* ; */\nFROM files");
  });

  it.each([
    ['-- @summary  S.\n-- @column  a  count\nSELECT 1 AS a;', 'reports/x.sql:1: @title is missing'],
    [`${HEAD}-- @colum  a  count\nSELECT 1 AS a;`, "reports/x.sql:3: @colum is no word of a report's header"],
    [`${HEAD}-- @column  a  bits\nSELECT 1 AS a;`, 'reports/x.sql:3: there is no kind "bits"'],
    [
      `${HEAD}-- @param  a  count  x  What.\nSELECT 1 AS a;`,
      'reports/x.sql:3: @param: a is a whole number, not "x"',
    ],
    [`${HEAD}-- @param  a  count  1\nSELECT 1 AS a;`, 'reports/x.sql:3: @param wants name, kind, default'],
    [
      `${HEAD}-- @column  a  count\n\nSELECT :b AS a;`,
      'reports/x.sql:5: the statement uses :b, which no @param declares',
    ],
    [
      `${HEAD}-- @column  a  count\nSELECT 1 AS a;\nSELECT 2 AS a;`,
      'reports/x.sql:5: section "x" has a second statement',
    ],
    [`${HEAD}-- @section  s  S\n-- @column  a  count`, 'reports/x.sql:3: section "s" has no statement'],
    [`${HEAD}SELECT 1 AS a;`, 'section "x" declares no @column'],
    [`${HEAD}-- @column  a  count\n-- @chart  bars  a  c\nSELECT 1 AS a;`, 'there is no column "c"'],
    [
      `${HEAD}-- @note  {a b}\n-- @column  a  count\nSELECT 1 AS a;`,
      'reports/x.sql:3: "{a b}" is not of the form',
    ],
    [`${HEAD}-- @facts`, 'reports/x.sql:3: @facts is followed by no statement'],
    [
      `${HEAD}-- @column  a  count\nSELECT 1\n-- @note  x\n AS a;`,
      'reports/x.sql:5: @note stands inside a statement',
    ],
    [HEAD, 'reports/x.sql:1: there is no statement'],
  ])('says where %j is wrong', (text, message) => {
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ name: 'ReportError', code: 'bad-definition' }),
    );
  });
});
