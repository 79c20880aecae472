import type { ParameterValue, Template, TemplateValue } from './definition.js';
import { type Cell, COLUMN_KINDS, type ColumnKind, type Sentence, type ValuePart } from './document.js';

/**
 * Reads prose with `{name}`, `{name:kind}` or `{name:kind noun}` places; `{{` and `}}` stand for the braces themselves.
 * @throws Error naming the place that is not one
 */
export function parseTemplate(text: string): Template {
  const parts: (string | TemplateValue)[] = [];
  let rest = 0;
  for (const match of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)) {
    if (match.index > rest) parts.push(text.slice(rest, match.index));
    parts.push(match[1] === undefined ? match[0].charAt(0) : parsePlace(match[1]));
    rest = match.index + match[0].length;
  }
  if (rest < text.length) parts.push(text.slice(rest));
  return parts;
}

function parsePlace(place: string): TemplateValue {
  const match = /^(\w+)(?::(\w+)(?: (.+))?)?$/.exec(place);
  if (match === null) throw new Error(`"{${place}}" is not of the form {name:kind noun}`);
  const kind = (match[2] ?? 'label') as ColumnKind;
  if (!COLUMN_KINDS.includes(kind)) throw new Error(`"{${place}}": there is no kind "${kind}"`);
  return { name: match[1]!, kind, ...(match[3] !== undefined && { noun: match[3] }) };
}

/**
 * The sentence with its values; undefined when one of them is NULL, so that SQL decides which sentences are said.
 * @throws Error when a value is not among `values`
 */
export function fillTemplate(template: Template, values: ReadonlyMap<string, Cell>): Sentence | undefined {
  const parts: (string | ValuePart)[] = [];
  for (const part of template) {
    if (typeof part === 'string') {
      parts.push(part);
      continue;
    }
    const value = values.get(part.name);
    if (value === undefined)
      throw new Error(`nothing is called "${part.name}" (in "{${part.name}:${part.kind}}")`);
    if (value === null) return undefined;
    parts.push({ kind: part.kind, value, ...(part.noun !== undefined && { noun: part.noun }) });
  }
  return parts;
}

/** A parameter's value as sentences and documents hold it. */
export function parameterCell(value: ParameterValue): string | number | null {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
