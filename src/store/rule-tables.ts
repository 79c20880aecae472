import type { KeyCoreExports } from './key-core-exports.js';
import { type PatternRules, placeholderKinds } from './pattern-rules.js';
import { MAX_SCOPES, ruleScopes } from './rule-scopes.js';
import { compileSegments, type SegmentAutomata } from './segment-automata.js';

/** Bytes of one rule and of one scope. Also in assembly/rules.ts. */
const RULE_BYTES = 8;
const SCOPE_BYTES = 80;
const SCOPE_SEGMENT = 8;

const ASCII = 128;
const MAX_ENTRIES = 2 * MAX_SCOPES;
/** Each table starts on a multiple of this. */
const ALIGNMENT = 16;

/** A user's rules in the core's memory, where it reads them. */
export class RuleTables {
  private readonly exports: KeyCoreExports;
  private readonly rules: PatternRules;
  private readonly automata: SegmentAutomata;
  private next: number;

  /**
   * Compiles the rules and reserves room; to be made before the core's memory is looked at.
   * @throws StoreError `bad-option`, see compileSegments
   */
  constructor(exports: KeyCoreExports, rules: PatternRules) {
    this.exports = exports;
    this.rules = rules;
    this.automata = compileSegments(rules);
    const { rangeStarts, rangeClasses, transitions, finals } = this.automata;
    const tables = [rangeStarts, rangeClasses, transitions, finals];
    const bytes = tables.reduce((sum, { byteLength }) => sum + byteLength + ALIGNMENT, 0);
    const room =
      bytes + ASCII * 2 + MAX_ENTRIES * RULE_BYTES + (MAX_SCOPES + 1) * SCOPE_BYTES + 3 * ALIGNMENT;
    this.next = exports.reserveRules(room);
  }

  /** Has the core use the rules. To be called once. @throws StoreError `bad-option`, see ruleScopes */
  use(separators: string): void {
    const kinds = placeholderKinds(this.rules);
    const { rangeStarts, rangeClasses, classes, transitions, finals, starts } = this.automata;
    const { scopes, scoped } = ruleScopes(this.rules, separators);
    const view = new DataView(this.exports.memory.buffer);
    const ruleTable = this.place(scoped.length * RULE_BYTES);
    for (const [i, { rule, scope }] of scoped.entries()) {
      view.setUint16(ruleTable + i * RULE_BYTES, starts[rule]!, true);
      view.setUint16(ruleTable + i * RULE_BYTES + 2, scope, true);
      view.setUint8(ruleTable + i * RULE_BYTES + 4, kinds[rule]!);
    }
    const scopeTable = this.place(scopes.length * SCOPE_BYTES);
    let used = 0;
    for (const { parent, separator, segment } of scopes) {
      const at = scopeTable + used++ * SCOPE_BYTES;
      view.setUint16(at, parent, true);
      view.setUint8(at + 2, separator);
      // Longer than any segment in the tree: it leads nowhere.
      const fits = segment.length <= SCOPE_BYTES - SCOPE_SEGMENT;
      view.setUint8(at + 3, fits ? segment.length : 0xff);
      if (fits) new Uint8Array(view.buffer).set(segment, at + SCOPE_SEGMENT);
    }
    const ascii = Uint16Array.from({ length: ASCII }, (_, point) =>
      classOf(point, rangeStarts, rangeClasses),
    );
    this.exports.useRules(
      ruleTable,
      scoped.length,
      this.copy(rangeStarts),
      this.copy(rangeClasses),
      rangeStarts.length,
      this.copy(ascii),
      classes,
      this.copy(transitions),
      this.copy(finals),
      scopeTable,
      scopes.length,
    );
  }

  private copy(table: Uint8Array | Uint16Array | Uint32Array): number {
    const address = this.place(table.byteLength);
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength);
    new Uint8Array(this.exports.memory.buffer).set(bytes, address);
    return address;
  }

  private place(bytes: number): number {
    const address = this.next;
    this.next = Math.ceil((address + bytes) / ALIGNMENT) * ALIGNMENT;
    return address;
  }
}

function classOf(point: number, starts: Uint32Array, classes: Uint16Array): number {
  let range = 0;
  while (range + 1 < starts.length && starts[range + 1]! <= point) range++;
  return classes[range]!;
}
