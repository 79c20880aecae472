import type { ParameterValue } from './definition.js';

/**
 * Lexical pieces of SQL: quoted text and comments (left alone), parameters, and the rest.
 * Source: SQLite's tokenizer, https://sqlite.org/lang_expr.html and lang_comment.html.
 */
const PIECE =
  /('(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)|(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|([:@$][A-Za-z_][A-Za-z0-9_]*)|([^'"`[\-/:@$]+|[\s\S])/g;

interface Piece {
  readonly kind: 'quoted' | 'comment' | 'parameter' | 'code';
  readonly text: string;
}

function* pieces(sql: string): Generator<Piece> {
  for (const [text, quoted, comment, parameter] of sql.matchAll(PIECE)) {
    if (quoted !== undefined) yield { kind: 'quoted', text };
    else if (comment !== undefined) yield { kind: 'comment', text };
    else if (parameter !== undefined) yield { kind: 'parameter', text };
    else yield { kind: 'code', text };
  }
}

/** Whether the text is a whole statement: its last piece that is no comment ends in a semicolon. */
export function endsStatement(sql: string): boolean {
  let ends = false;
  for (const piece of pieces(sql)) {
    if (piece.kind === 'comment' || piece.text.trim() === '') continue;
    ends = piece.kind === 'code' && piece.text.trimEnd().endsWith(';');
  }
  return ends;
}

/** Whether there is anything but white space and comments. */
export function hasCode(sql: string): boolean {
  for (const piece of pieces(sql)) {
    if (piece.kind !== 'comment' && piece.text.trim() !== '') return true;
  }
  return false;
}

/** Names of the parameters a statement uses, without their mark. */
export function parameterNames(sql: string): Set<string> {
  const names = new Set<string>();
  for (const piece of pieces(sql)) if (piece.kind === 'parameter') names.add(piece.text.slice(1));
  return names;
}

/** The first word, upper case, comments and opening brackets skipped; empty when there is none. */
export function firstWord(sql: string): string {
  for (const piece of pieces(sql)) {
    if (piece.kind === 'comment') continue;
    const text = piece.text.replace(/^[\s(;]+/, '');
    if (text !== '') return /^[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? '';
  }
  return '';
}

/** The statement with its parameters written out as literals, so that it can be pasted into any SQLite shell. */
export function writeOutParameters(sql: string, values: ReadonlyMap<string, ParameterValue>): string {
  let text = '';
  for (const piece of pieces(sql)) {
    const value = piece.kind === 'parameter' ? values.get(piece.text.slice(1)) : undefined;
    text += value === undefined ? piece.text : literal(value);
  }
  return text;
}

function literal(value: ParameterValue): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
