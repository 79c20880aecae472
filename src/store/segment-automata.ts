import { createRequire } from 'node:module';
import type * as Refa from 'refa';
import { StoreError } from './errors.js';
import type { PatternRule, PatternRules } from './pattern-rules.js';

/**
 * Regular expressions as tables: code points fall into classes, a state and a class lead to the next state. State 0
 * is the one that nothing leads out of. Reading a segment takes one step per code point, whatever the expression.
 */
export interface SegmentAutomata {
  /** First code points of ranges, ascending from 0, and the class of each. */
  readonly rangeStarts: Uint32Array;
  readonly rangeClasses: Uint16Array;
  readonly classes: number;
  /** By state and class. */
  readonly transitions: Uint16Array;
  /** By state: 1 when the segment may end there. */
  readonly finals: Uint8Array;
  /** By rule. */
  readonly starts: Uint16Array;
}

/** States of one expression, before and after it is made deterministic. */
const MAX_STATES = 2000;
/** States times classes of all expressions. */
const MAX_CELLS = 2 ** 21;

/**
 * Compiles the rules' expressions.
 * @throws StoreError `bad-option` with file and line for what is no expression or would need too many states
 */
export function compileSegments(rules: PatternRules): SegmentAutomata {
  // Loaded when there are rules: it takes longer than all the rest of a start.
  const refa = createRequire(import.meta.url)('refa') as typeof Refa;
  return layOut(
    rules.map((rule) => automatonOf(refa, rule)),
    rules,
  );
}

function automatonOf({ JS, NFA, DFA }: typeof Refa, { expression, place }: PatternRule): Refa.DFA {
  try {
    const parser = JS.Parser.fromLiteral({ source: withoutAnchors(expression), flags: 'u' });
    const parsed = parser.parse({ assertions: 'throw', backreferences: 'throw', maxNodes: MAX_STATES });
    const nfa = NFA.fromRegex(
      parsed.expression,
      { maxCharacter: parsed.maxCharacter },
      {},
      new NFA.LimitedNodeFactory(MAX_STATES),
    );
    const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(MAX_STATES));
    dfa.minimize();
    return dfa;
  } catch (error) {
    throw new StoreError('bad-option', `${place}: ${expressionProblem(error)}`, '', error);
  }
}

/** The whole segment is meant anyway, so `^` and `$` at the ends say nothing. */
function withoutAnchors(expression: string): string {
  const open = expression.replace(/^\^/, '');
  return /(?<!\\)(?:\\\\)*\$$/.test(open) ? open.slice(0, -1) : open;
}

function expressionProblem(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  if (error instanceof SyntaxError) return said;
  if (/not allowed to create more/.test(said))
    return 'the expression is too large: repeat less, or shorter parts';
  if (error instanceof RangeError) return 'the expression is nested too deeply';
  if (/assertion/i.test(said)) return 'look-around, \\b and anchors inside an expression are not supported';
  if (/backreference/i.test(said)) return 'references to groups (\\1) are not supported';
  return `the expression can't be used: ${said}`;
}

function layOut(automata: readonly Refa.DFA[], rules: PatternRules): SegmentAutomata {
  const alphabet = alphabetOf(automata);
  const numbers = automata.map((dfa) => new Map([...dfa.nodes()].map((node, i) => [node, i] as const)));
  const states = 1 + numbers.reduce((count, nodes) => count + nodes.size, 0);
  if (states * alphabet.classes > MAX_CELLS || states > 0xffff || alphabet.classes > 0xffff) {
    throw new StoreError('bad-option', `${rules[0]!.place}: these rules are too large together`, '');
  }
  const transitions = new Uint16Array(states * alphabet.classes);
  const finals = new Uint8Array(states);
  const starts = new Uint16Array(automata.length);
  let first = 1;
  for (const [rule, dfa] of automata.entries()) {
    const nodes = numbers[rule]!;
    starts[rule] = first + nodes.get(dfa.initial)!;
    for (const [node, number] of nodes) {
      const state = first + number;
      if (dfa.finals.has(node)) finals[state] = 1;
      for (const [set, to] of node.out) {
        for (const one of alphabet.classesIn(set.min, set.max)) {
          transitions[state * alphabet.classes + one] = first + nodes.get(to)!;
        }
      }
    }
    first += nodes.size;
  }
  const { rangeStarts, rangeClasses, classes } = alphabet;
  return { rangeStarts, rangeClasses, classes, transitions, finals, starts };
}

interface Alphabet {
  readonly rangeStarts: Uint32Array;
  readonly rangeClasses: Uint16Array;
  readonly classes: number;
  /** The classes of a range of code points. */
  readonly classesIn: (min: number, max: number) => ReadonlySet<number>;
}

/** Code points that no automaton tells apart make a class. */
function alphabetOf(automata: readonly Refa.DFA[]): Alphabet {
  // By state and target, which code points lead there.
  const sets = automata.flatMap((dfa) =>
    [...dfa.nodes()].flatMap((node) => {
      const ways = new Map<unknown, { min: number; max: number }[]>();
      for (const [{ min, max }, to] of node.out) ways.set(to, [...(ways.get(to) ?? []), { min, max }]);
      return [...ways.values()];
    }),
  );
  const distinct = new Map(sets.map((set) => [set.map(({ min, max }) => `${min}-${max}`).join(), set]));
  const borders = new Set([0]);
  for (const set of distinct.values()) {
    for (const { min, max } of set) borders.add(min).add(max + 1);
  }
  const rangeStarts = Uint32Array.from(borders).sort();
  const rangeOf = new Map(Array.from(rangeStarts, (start, i) => [start, i]));
  const signatures: string[] = Array.from(rangeStarts, () => '');
  let name = 0;
  for (const set of distinct.values()) {
    for (const { min, max } of set) {
      const end = rangeOf.get(max + 1)!;
      for (let i = rangeOf.get(min)!; i < end; i++) signatures[i] += `${name},`;
    }
    name++;
  }
  const numbers = new Map<string, number>();
  const rangeClasses = Uint16Array.from(signatures, (signature) => {
    const known = numbers.get(signature) ?? numbers.size;
    numbers.set(signature, known);
    return known;
  });
  return {
    rangeStarts,
    rangeClasses,
    classes: numbers.size,
    classesIn: (min, max) => new Set(rangeClasses.subarray(rangeOf.get(min)!, rangeOf.get(max + 1)!)),
  };
}
