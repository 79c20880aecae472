import {
  type NoteTemplate,
  PARAMETER_KINDS,
  type ParameterDefinition,
  type ParameterKind,
  type ReportDefinition,
  type SectionDefinition,
  type Statement,
  type Template,
} from './definition.js';
import {
  CHART_KINDS,
  type Chart,
  COLUMN_KINDS,
  type ColumnKind,
  type ReportColumn,
  SEVERITIES,
  type Severity,
} from './document.js';
import { ReportError } from './errors.js';
import { parseParameter } from './parameter.js';
import { endsStatement, hasCode, parameterNames } from './sql-text.js';
import { parseTemplate } from './template.js';

/**
 * Reads a report file: SQL statements, each ended by a semicolon, under a header of `-- @word  field  field` lines
 * (fields two or more spaces apart). docs/writing-reports.md lists the words.
 * @param path for messages; the file's name without `.sql` is the report's id
 * @throws ReportError `bad-definition`, as `file:line: what is wrong`
 */
export function parseDefinition(path: string, id: string, text: string): ReportDefinition {
  const parser = new DefinitionParser(path, id);
  for (const [index, line] of text.split(/\r?\n/).entries()) parser.line(line, index + 1);
  return parser.finish();
}

interface SectionDraft {
  readonly id: string;
  readonly title: Template;
  readonly line: number;
  layout: 'table' | 'record';
  facts: Statement | undefined;
  statement: Statement | undefined;
  readonly notes: NoteTemplate[];
  empty: Template | undefined;
  readonly columns: ReportColumn[];
  readonly remarks: Map<string, Template[]>;
  readonly charts: Chart[];
}

class DefinitionParser {
  readonly #path: string;
  readonly #id: string;
  #line = 0;
  #title: string | undefined;
  #summary: string | undefined;
  #order = 500;
  readonly #parameters: ParameterDefinition[] = [];
  #facts: Statement | undefined;
  readonly #notes: NoteTemplate[] = [];
  readonly #sections: SectionDraft[] = [];
  /** The section of a file that declares none. */
  #implicit: SectionDraft | undefined;
  #sql = '';
  #sqlLine = 0;
  #nextIsFacts = false;

  constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
  }

  line(line: string, number: number): void {
    this.#line = number;
    const directive = /^\s*--\s*@(\w+)(?:\s+(.*?))?\s*$/.exec(line);
    if (directive !== null) {
      if (hasCode(this.#sql))
        this.#fail(`@${directive[1]} stands inside a statement; end it with a semicolon first`);
      this.#directive(directive[1]!, directive[2] ?? '');
      return;
    }
    if (!hasCode(this.#sql)) {
      this.#sqlLine = number;
      this.#sql = '';
    }
    this.#sql += `${line}\n`;
    if (endsStatement(this.#sql)) this.#endStatement();
  }

  finish(): ReportDefinition {
    if (hasCode(this.#sql)) this.#endStatement();
    if (this.#nextIsFacts) this.#fail('@facts is followed by no statement');
    const title = this.#title ?? this.#fail('@title is missing', 1);
    const summary = this.#summary ?? this.#fail('@summary is missing', 1);
    if (this.#implicit !== undefined) this.#sections.push(this.#implicit);
    if (this.#sections.length === 0) this.#fail('there is no statement', 1);
    const definition: ReportDefinition = {
      id: this.#id,
      path: this.#path,
      title,
      summary,
      order: this.#order,
      parameters: this.#parameters,
      facts: this.#facts,
      notes: this.#notes,
      sections: this.#sections.map((draft) => this.#section(draft)),
    };
    this.#checkParameters(definition);
    return definition;
  }

  #directive(word: string, rest: string): void {
    const fields = rest === '' ? [] : rest.split(/\s{2,}|\t+/);
    switch (word) {
      case 'title':
        this.#title = this.#only(word, rest);
        return;
      case 'summary':
        this.#summary = this.#only(word, rest);
        return;
      case 'order':
        if (!/^\d{1,6}$/.test(rest)) this.#fail('@order wants a whole number');
        this.#order = Number(rest);
        return;
      case 'param':
        this.#parameters.push(this.#parameter(fields));
        return;
      case 'facts':
        this.#nextIsFacts = true;
        return;
      case 'section':
        this.#startSection(fields);
        return;
      case 'record':
        this.#current().layout = 'record';
        return;
      case 'column':
        this.#current().columns.push(this.#column(fields));
        return;
      case 'chart':
        this.#current().charts.push(this.#chart(fields));
        return;
      case 'empty':
        this.#current().empty = this.#template(rest);
        return;
      case 'remark':
        if (fields.length !== 2) this.#fail('@remark wants a column and a sentence, two spaces apart');
        this.#remark(fields[0]!, this.#template(fields[1]!));
        return;
      default: {
        if (!isSeverity(word)) this.#fail(`@${word} is no word of a report's header`);
        const notes = this.#sections.at(-1)?.notes ?? this.#notes;
        notes.push({ severity: word, template: this.#template(this.#only(word, rest)) });
      }
    }
  }

  #remark(column: string, template: Template): void {
    const { remarks } = this.#current();
    remarks.set(column, [...(remarks.get(column) ?? []), template]);
  }

  #endStatement(): void {
    const statement: Statement = { sql: this.#sql.trim().replace(/;$/, ''), line: this.#sqlLine };
    this.#sql = '';
    if (this.#nextIsFacts) {
      this.#nextIsFacts = false;
      const section = this.#sections.at(-1);
      if (section !== undefined) section.facts = statement;
      else this.#facts = statement;
      return;
    }
    const section = this.#current();
    if (section.statement !== undefined) {
      this.#fail(`section "${section.id}" has a second statement; start another @section`, statement.line);
    }
    section.statement = statement;
  }

  #startSection(fields: readonly string[]): void {
    const [id, title] = fields;
    if (id === undefined || title === undefined || fields.length !== 2 || !/^[a-z][a-z0-9-]*$/.test(id)) {
      this.#fail('@section wants an id (lower case, digits, hyphens) and a title, two spaces apart');
    }
    if (this.#implicit !== undefined)
      this.#fail('@section stands after a column or statement outside any section');
    if (this.#sections.some((section) => section.id === id)) this.#fail(`there is a section "${id}" already`);
    this.#sections.push(this.#draft(id, title));
  }

  #draft(id: string, title: string): SectionDraft {
    return {
      id,
      title: this.#template(title),
      line: this.#line,
      layout: 'table',
      facts: undefined,
      statement: undefined,
      notes: [],
      empty: undefined,
      columns: [],
      remarks: new Map(),
      charts: [],
    };
  }

  #current(): SectionDraft {
    const section = this.#sections.at(-1);
    if (section !== undefined) return section;
    this.#implicit ??= this.#draft(this.#id, this.#title ?? this.#id);
    return this.#implicit;
  }

  #parameter(fields: readonly string[]): ParameterDefinition {
    const [name, kindText, defaultText, description] = fields;
    if (
      name === undefined ||
      kindText === undefined ||
      defaultText === undefined ||
      description === undefined
    ) {
      this.#fail('@param wants name, kind, default (- for none) and a description, two spaces apart');
    }
    if (!/^[a-z][a-z0-9_]*$/.test(name))
      this.#fail(`@param: "${name}" is no name (lower case, digits, underscore)`);
    if (this.#parameters.some((parameter) => parameter.name === name))
      this.#fail(`@param ${name} is there already`);
    const choice = /^choice\(([^)]+)\)$/.exec(kindText);
    const kind = (choice === null ? kindText : 'choice') as ParameterKind;
    if (!PARAMETER_KINDS.includes(kind) || (kind === 'choice') !== (choice !== null)) {
      this.#fail(`@param ${name}: there is no kind "${kindText}"; there are ${PARAMETER_KINDS.join(', ')}`);
    }
    const choices = choice === null ? [] : choice[1]!.split(',').map((one) => one.trim());
    const shape = { name, kind, choices };
    try {
      const fallback = defaultText === '-' ? null : parseParameter(shape, defaultText);
      return { ...shape, default: fallback, description };
    } catch (error) {
      return this.#fail(`@param: ${(error as Error).message}`);
    }
  }

  #column(fields: readonly string[]): ReportColumn {
    const [name, kindText, title] = fields;
    if (name === undefined || kindText === undefined)
      this.#fail('@column wants a name and a kind, two spaces apart');
    const optional = kindText.endsWith('?');
    const kind = this.#kind(optional ? kindText.slice(0, -1) : kindText);
    return { name, title: title ?? titleOfColumn(name), kind, ...(optional && { optional: true }) };
  }

  #kind(text: string): ColumnKind {
    const kind = text as ColumnKind;
    if (!COLUMN_KINDS.includes(kind))
      this.#fail(`there is no kind "${text}"; there are ${COLUMN_KINDS.join(', ')}`);
    return kind;
  }

  #chart(fields: readonly string[]): Chart {
    const [kind, label, value, mark] = fields;
    const known = CHART_KINDS.find((one) => one === kind);
    if (known === undefined) this.#fail(`there is no chart "${kind}"; there are ${CHART_KINDS.join(', ')}`);
    if (label === undefined || value === undefined)
      this.#fail('@chart wants a kind and the columns of label and value');
    return { kind: known, label, value, ...(mark !== undefined && { mark }) };
  }

  #section(draft: SectionDraft): SectionDefinition {
    if (draft.statement === undefined) this.#fail(`section "${draft.id}" has no statement`, draft.line);
    if (draft.columns.length === 0) this.#fail(`section "${draft.id}" declares no @column`, draft.line);
    const names = new Set(draft.columns.map((column) => column.name));
    if (names.size < draft.columns.length)
      this.#fail(`section "${draft.id}" has two columns of one name`, draft.line);
    for (const chart of draft.charts) {
      for (const name of [chart.label, chart.value, chart.mark ?? chart.label]) {
        if (!names.has(name))
          this.#fail(`@chart of section "${draft.id}": there is no column "${name}"`, draft.line);
      }
    }
    for (const name of draft.remarks.keys()) {
      if (!names.has(name))
        this.#fail(`@remark of section "${draft.id}": there is no column "${name}"`, draft.line);
    }
    return { ...draft, statement: draft.statement };
  }

  #checkParameters(definition: ReportDefinition): void {
    const declared = new Set(definition.parameters.map((parameter) => parameter.name));
    const statements = [
      definition.facts,
      ...definition.sections.flatMap((section) => [section.facts, section.statement]),
    ];
    for (const statement of statements) {
      if (statement === undefined) continue;
      for (const name of parameterNames(statement.sql)) {
        if (!declared.has(name))
          this.#fail(`the statement uses :${name}, which no @param declares`, statement.line);
      }
    }
  }

  #template(text: string): Template {
    try {
      return parseTemplate(text);
    } catch (error) {
      return this.#fail((error as Error).message);
    }
  }

  #only(word: string, text: string): string {
    return text !== '' ? text : this.#fail(`@${word} says nothing`);
  }

  #fail(problem: string, line = this.#line): never {
    throw new ReportError('bad-definition', `${this.#path}:${line}: ${problem}`);
  }
}

function isSeverity(word: string): word is Severity {
  return SEVERITIES.some((severity) => severity === word);
}

/** `memory_bytes` is titled "Memory": the unit shows in the value. */
function titleOfColumn(name: string): string {
  const words = name.replace(/_(bytes|ms|seconds)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
