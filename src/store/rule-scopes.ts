import { StoreError } from './errors.js';
import { MARK, PLACEHOLDER, PLACEHOLDER_KINDS } from './key-pattern.js';
import { type PatternRule, type PatternRules, placeholderKinds } from './pattern-rules.js';

/** A way into a place below which rules apply: the segment that leads there from the place above. */
export interface RuleScope {
  readonly parent: number;
  /** The byte before the segment, 0 for a first one. */
  readonly separator: number;
  /** Canonical bytes, see key-pattern.ts. */
  readonly segment: Uint8Array;
}

/** One rule in one scope; a rule has several where its text stands for several paths. */
export interface ScopedRule {
  readonly rule: number;
  readonly scope: number;
}

/** Scopes are numbered from here on. The numbers are those of assembly/rules.ts. */
export const ANY_SCOPE = 0;
const KEY_START = 1;
const FIRST_SCOPE = 2;

export const MAX_SCOPES = 1000;

/**
 * Where the rules apply, now that it is known what parts segments.
 * @throws StoreError `bad-option` with file and line when what a rule stands below does not end with a separator
 */
export function ruleScopes(
  rules: PatternRules,
  separators: string,
): { readonly scopes: readonly RuleScope[]; readonly scoped: readonly ScopedRule[] } {
  const kinds = placeholderKinds(rules);
  const names = new Map<string, number>(Object.entries(PLACEHOLDER_KINDS));
  for (const [i, { placeholder }] of rules.entries()) names.set(placeholder, kinds[i]!);
  const scopes: RuleScope[] = [];
  const known = new Map<string, number>();
  const scopeOf = (parent: number, separator: number, segment: Uint8Array): number => {
    const name = `${parent} ${separator} ${Buffer.from(segment).toString('hex')}`;
    const scope = known.get(name) ?? FIRST_SCOPE + scopes.length;
    if (!known.has(name)) scopes.push({ parent, separator, segment });
    known.set(name, scope);
    return scope;
  };
  const scoped: ScopedRule[] = [];
  for (const [index, rule] of rules.entries()) {
    const inside = rule.below === '' ? [ANY_SCOPE] : scopesOfRule(rule, separators, names, scopeOf);
    for (const scope of inside) scoped.push({ rule: index, scope });
    if (scopes.length > MAX_SCOPES) throw fault(rule, 'these rules stand below too many different prefixes');
  }
  return { scopes, scoped };
}

/** Whether the rules can be used with these separators. */
export function fitsSeparators(rules: PatternRules, separators: string): boolean {
  try {
    ruleScopes(rules, separators);
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

function scopesOfRule(
  rule: PatternRule,
  separators: string,
  names: ReadonlyMap<string, number>,
  scopeOf: (parent: number, separator: number, segment: Uint8Array) => number,
): readonly number[] {
  let parents = [KEY_START];
  let separator = 0;
  for (const { text, end } of segmentsOf(rule.below, separators)) {
    if (end === '') {
      const written = [...separators].join(' ');
      throw fault(
        rule,
        `"${rule.below}" must end with what parts segments (${written}): a rule is for a whole segment`,
      );
    }
    if (text.includes('{*}'))
      throw fault(rule, '{*} is no part of keys; name the segment, or leave the prefix out');
    const variants = text === '{empty}' && separator === 0 ? [new Uint8Array()] : canonical(text, names);
    const before = separator;
    parents = parents.flatMap((parent) => variants.map((segment) => scopeOf(parent, before, segment)));
    if (parents.length > MAX_SCOPES) throw fault(rule, 'there is too much {date} in it');
    separator = end.charCodeAt(0);
  }
  return parents;
}

/** Printed segments with the separator behind each; braces hold together. */
function* segmentsOf(
  text: string,
  separators: string,
): Generator<{ readonly text: string; readonly end: string }> {
  let segment = '';
  for (const [part] of text.matchAll(/\{[A-Za-z*][\w-]*\}|./gsu)) {
    if (part.length === 1 && separators.includes(part)) {
      yield { text: segment, end: part };
      segment = '';
    } else segment += part;
  }
  if (segment !== '') yield { text: segment, end: '' };
}

/** A printed segment's canonical bytes; two ways of them where a date may be written in two. */
function canonical(text: string, names: ReadonlyMap<string, number>): Uint8Array[] {
  let ways: number[][] = [[]];
  for (const part of text.split(/(\{[A-Za-z][\w-]*\}|\\x[0-9a-fA-F]{2})/)) {
    const kind = part.startsWith('{') ? names.get(part.slice(1, -1)) : undefined;
    if (kind !== undefined) {
      const kinds = kind === PLACEHOLDER.date ? [kind, PLACEHOLDER.shortDate] : [kind];
      ways = ways.flatMap((way) => kinds.map((one) => [...way, MARK, one])).slice(0, MAX_SCOPES + 1);
    } else {
      const bytes = /^\\x/.test(part) ? [Number.parseInt(part.slice(2), 16)] : [...Buffer.from(part)];
      const literal = bytes.flatMap((byte) => (byte === MARK ? [MARK, MARK] : [byte]));
      ways = ways.map((way) => [...way, ...literal]);
    }
  }
  return ways.map((way) => Uint8Array.from(way));
}

function fault({ place }: PatternRule, problem: string): StoreError {
  return new StoreError('bad-option', `${place}: ${problem}`, '');
}
