import type Database from 'better-sqlite3';
import { type SqliteValue, toCell } from './cell.js';
import type {
  NoteTemplate,
  ParameterValue,
  ReportDefinition,
  SectionDefinition,
  Statement,
  Template,
} from './definition.js';
import type { Cell, Note, ReportDocument, ReportSection, Sentence } from './document.js';
import { ReportError } from './errors.js';
import { parseParameter } from './parameter.js';
import { parameterNames, writeOutParameters } from './sql-text.js';
import { fillTemplate, parameterCell } from './template.js';

type Values = ReadonlyMap<string, Cell>;

/**
 * Runs a report over an opened database.
 * @param settings parameters as text, `{ top: '20' }`; what is not set has its default
 * @throws ReportError `bad-parameter`, `bad-sql` (with `file:line`)
 */
export function runReport(
  database: Database.Database,
  definition: ReportDefinition,
  settings: Readonly<Record<string, string>> = {},
): ReportDocument {
  const parameters = bindParameters(definition, settings);
  const run = new ReportRun(database, definition, parameters);
  return run.document();
}

/** @throws ReportError `bad-parameter` for a name the report does not know or a text that is none of its kind */
function bindParameters(
  definition: ReportDefinition,
  settings: Readonly<Record<string, string>>,
): Map<string, ParameterValue> {
  const known = definition.parameters.map((parameter) => parameter.name);
  for (const name of Object.keys(settings)) {
    if (known.includes(name)) continue;
    const offer = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    throw new ReportError('bad-parameter', `report ${definition.id} has no parameter "${name}"; ${offer}`);
  }
  return new Map(
    definition.parameters.map((parameter) => {
      const text = settings[parameter.name];
      try {
        return [
          parameter.name,
          text === undefined ? parameter.default : parseParameter(parameter, text),
        ] as const;
      } catch (error) {
        throw new ReportError('bad-parameter', `report ${definition.id}: ${(error as Error).message}`);
      }
    }),
  );
}

class ReportRun {
  readonly #database: Database.Database;
  readonly #definition: ReportDefinition;
  readonly #parameters: ReadonlyMap<string, ParameterValue>;

  constructor(
    database: Database.Database,
    definition: ReportDefinition,
    parameters: ReadonlyMap<string, ParameterValue>,
  ) {
    this.#database = database;
    this.#definition = definition;
    this.#parameters = parameters;
  }

  document(): ReportDocument {
    const { id, title, summary, facts, notes, sections } = this.#definition;
    const cells = [...this.#parameters].map(([name, value]) => [name, parameterCell(value)] as const);
    const values = this.#withFacts(new Map<string, Cell>(cells), facts);
    return {
      id,
      title,
      summary,
      parameters: Object.fromEntries(cells),
      notes: this.#notes(notes, values, facts?.line),
      sections: sections.map((section) => this.#section(section, values)).filter(isShown),
    };
  }

  #section(section: SectionDefinition, outer: Values): ReportSection {
    const { id, layout, charts, columns, statement, empty } = section;
    const facts = this.#withFacts(outer, section.facts);
    const { rows, values } = this.#rows(section, facts);
    const line = section.facts?.line ?? statement.line;
    const totalRows = values.get(TOTAL_ROWS);
    // How to read a table is not worth a word where there is none; what was found out still is.
    const isNothing = rows.length === 0 && empty === undefined;
    const notes = isNothing ? section.notes.filter(({ template }) => !isFixed(template)) : section.notes;
    const emptyText = empty && this.#fill(empty, values, line);
    const remarks = [...section.remarks].flatMap(([name, templates]) => {
      const sentence = templates.map((template) => this.#fill(template, values, line)).find(isSaid);
      return sentence === undefined ? [] : [[name, sentence] as const];
    });
    return {
      id,
      title: this.#title(section, values, line),
      layout,
      notes: this.#notes(notes, values, line),
      ...(emptyText !== undefined && { empty: emptyText }),
      columns,
      rows,
      remarks: Object.fromEntries(remarks),
      ...(typeof totalRows === 'number' && layout === 'table' && { totalRows }),
      charts,
      sql: writeOutParameters(statement.sql, this.#parameters),
    };
  }

  #withFacts(outer: Values, facts: Statement | undefined): Values {
    if (facts === undefined) return outer;
    const { names, rows } = this.#query(facts);
    const values = new Map(outer);
    for (const [index, name] of names.entries()) values.set(name, rows[0]?.[index] ?? null);
    return values;
  }

  /** The rows, and the values with `total_rows` when the statement counts them itself. */
  #rows(section: SectionDefinition, values: Values): { rows: Cell[][]; values: Values } {
    const declared = section.columns.map((column) => column.name);
    const { names, rows } = this.#query(section.statement);
    const counts = names.at(-1) === TOTAL_ROWS && declared.at(-1) !== TOTAL_ROWS;
    const given = counts ? names.slice(0, -1) : names;
    if (given.length !== declared.length || given.some((name, i) => name !== declared[i])) {
      this.#fail(
        section.statement,
        `the statement gives (${given.join(', ')}), the header declares (${declared.join(', ')})`,
      );
    }
    if (!counts) return { rows, values };
    const totalRows = rows[0]?.at(-1) ?? 0;
    return { rows: rows.map((row) => row.slice(0, -1)), values: new Map(values).set(TOTAL_ROWS, totalRows) };
  }

  /** A title with values in it is text: the values are words, a parameter's choice for instance. */
  #title(section: SectionDefinition, values: Values, line: number): string {
    const sentence = this.#fill(section.title, values, line) ?? [section.id];
    return sentence.map((part) => (typeof part === 'string' ? part : String(part.value))).join('');
  }

  #query(statement: Statement): { names: string[]; rows: Cell[][] } {
    try {
      const prepared = this.#database.prepare(statement.sql);
      if (!prepared.reader || !prepared.readonly) this.#fail(statement, 'a report only reads');
      const bound = Object.fromEntries(
        [...parameterNames(statement.sql)].map((name) => [name, this.#parameters.get(name) ?? null]),
      );
      prepared.raw().safeIntegers();
      const names = prepared.columns().map((column) => column.name);
      const rows = prepared.all(bound) as SqliteValue[][];
      return { names, rows: rows.map((row) => row.map(toCell)) };
    } catch (error) {
      if (error instanceof ReportError) throw error;
      return this.#fail(statement, (error as Error).message, error);
    }
  }

  #notes(notes: readonly NoteTemplate[], values: Values, line: number | undefined): Note[] {
    return notes.flatMap(({ severity, template }) => {
      const text = this.#fill(template, values, line);
      return text === undefined ? [] : [{ severity, text }];
    });
  }

  #fill(template: Template, values: Values, line = 1): Sentence | undefined {
    try {
      return fillTemplate(template, values);
    } catch (error) {
      throw new ReportError(
        'bad-definition',
        `${this.#definition.path}:${line}: ${(error as Error).message}`,
      );
    }
  }

  #fail(statement: Statement, problem: string, cause?: unknown): never {
    throw new ReportError('bad-sql', `${this.#definition.path}:${statement.line}: ${problem}`, { cause });
  }
}

const TOTAL_ROWS = 'total_rows';

function isSaid(sentence: Sentence | undefined): sentence is Sentence {
  return sentence !== undefined;
}

function isFixed(template: Template): boolean {
  return template.every((part) => typeof part === 'string');
}

function isShown(section: ReportSection): boolean {
  return section.rows.length > 0 || section.empty !== undefined || section.notes.length > 0;
}
