import { StoreError } from './errors.js';
import { PLACEHOLDER_KINDS } from './key-pattern.js';

/** One line of a rules file: segments that match the expression are shown as the placeholder. */
export interface PatternRule {
  /** The name between the braces. */
  readonly placeholder: string;
  /** What stands before the segment, as reports print it and with the separator behind it; empty: anything. */
  readonly below: string;
  /** A regular expression of JavaScript's `u` syntax for the whole segment. */
  readonly expression: string;
  /** Where the rule is written, for errors: `names.rules:3`. */
  readonly place: string;
}

/** A user's rules in the order of the file. Plain data; each thread that needs them compiles them, see segment-automata.ts. */
export type PatternRules = readonly PatternRule[];

/** Placeholders of the user's own by the byte that stands for them; those that we have anyway are not in it. */
export type RuleNames = ReadonlyMap<number, string>;

const MAX_FILE_CHARACTERS = 2 ** 16;
const MAX_RULES = 100;
const MAX_EXPRESSION_CHARACTERS = 1000;

/** `below{name} = expression`; the first `=` behind a placeholder parts them. */
const RULE = /^(?<below>\S*?)\{(?<placeholder>[^{}\s]*)\}\s*=\s*(?<expression>.*)$/su;
const NAME = /^[A-Za-z][\w-]{0,30}$/;

/** The first byte for a name of the user's own; those below are ours. */
const FIRST_RULE_KIND = 16;

/**
 * Reads a rules file: one rule a line, blank lines and lines that begin with `#` aside. Expressions are not looked at.
 * @param name what errors call the file
 * @throws StoreError `bad-option` with file and line
 */
export function parsePatternRules(text: string, name: string): PatternRules {
  if (text.length > MAX_FILE_CHARACTERS) throw fault(name, `is too long for a rules file`);
  const rules: PatternRule[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const trimmed = line.trim();
    if (trimmed !== '' && !trimmed.startsWith('#')) rules.push(parseRule(trimmed, `${name}:${index + 1}`));
    if (rules.length > MAX_RULES)
      throw fault(`${name}:${index + 1}`, `there may be ${MAX_RULES} rules at most`);
  }
  if (rules.length === 0) throw fault(name, 'has no rule in it; one is {sku} = [A-Z]{3}-\\d{4}');
  return rules;
}

/** The placeholders that a rules file names, without braces, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(parsePatternRules(text, 'pattern rules').map(({ placeholder }) => placeholder))];
}

/** The rules as a file would have them, without comments. */
export function patternRulesText(rules: PatternRules): string {
  return rules
    .map(({ below, placeholder, expression }) => `${below}{${placeholder}} = ${expression}\n`)
    .join('');
}

/** The placeholders that only the rules know. */
export function ruleNames(rules: PatternRules): RuleNames {
  const kinds = placeholderKinds(rules);
  const own = rules.map(({ placeholder }, i) => [kinds[i]!, placeholder] as const);
  return new Map(own.filter(([kind]) => kind >= FIRST_RULE_KIND));
}

function parseRule(line: string, place: string): PatternRule {
  const { below, placeholder, expression } = RULE.exec(line)?.groups ?? {};
  if (below === undefined || placeholder === undefined || expression === undefined) {
    throw fault(place, 'a rule is a placeholder, = and a regular expression: {sku} = [A-Z]{3}-\\d{4}');
  }
  if (!NAME.test(placeholder) || placeholder === 'empty') {
    const why = placeholder === '*' || placeholder === 'empty' ? 'has a meaning of its own' : 'is no name';
    throw fault(
      place,
      `{${placeholder}} ${why}; a placeholder is a letter, then letters, digits, "_" and "-", 31 in all`,
    );
  }
  if (expression === '') throw fault(place, `{${placeholder}} has no expression`);
  if (expression.length > MAX_EXPRESSION_CHARACTERS) {
    throw fault(place, `the expression is longer than ${MAX_EXPRESSION_CHARACTERS} characters`);
  }
  return { placeholder, below, expression, place };
}

/**
 * By rule: the byte that stands for its placeholder in canonical segments, see key-pattern.ts. The same name is the same
 * placeholder, and a name of ours is ours.
 */
export function placeholderKinds(rules: PatternRules): number[] {
  const kinds = new Map<string, number>(Object.entries(PLACEHOLDER_KINDS));
  let next = FIRST_RULE_KIND;
  return rules.map(({ placeholder }) => {
    const kind = kinds.get(placeholder) ?? next++;
    kinds.set(placeholder, kind);
    return kind;
  });
}

function fault(place: string, problem: string): StoreError {
  return new StoreError('bad-option', `${place}: ${problem}`, '');
}
