import { createHash } from 'node:crypto';
import type { Cell } from '../report/document.js';
import type { FindingSeverity, Rule } from './rule.js';

/** What a finding is about. `time`: milliseconds since the epoch; `snapshot`: all of it. */
export const SUBJECT_KINDS = ['prefix', 'key', 'tag', 'slot', 'time', 'database', 'snapshot'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

export interface Subject {
  readonly kind: SubjectKind;
  /** Printable. */
  readonly text: string;
  /** The node of the prefix tree, of a prefix and of a key alone in its prefix; undefined for the others. */
  readonly prefixId: number | undefined;
}

/** One rule broken by one subject. Bytes of memory, modelled. */
export interface Finding {
  /** Ten hexadecimal digits, the same for the same rule and subject in every snapshot. */
  readonly id: string;
  readonly rule: Rule;
  readonly severity: FindingSeverity;
  readonly subject: Subject;
  /** Keys that break the rule, and what they take. */
  readonly keys: number;
  readonly memoryBytes: number;
  /** What the remedy would free, where that can be modelled. */
  readonly savingBytes: number | null;
  /** How far it goes, in words. */
  readonly detail: string | null;
  /** First and last in the file of the keys that break the rule; empty where the rule names none. */
  readonly exampleIds: readonly number[];
  readonly examples: readonly Cell[];
}

/** An id that outlives the snapshot: findings of two nights can be told apart or matched. */
export function findingId(ruleId: string, kind: SubjectKind, subject: string, severity: string): string {
  return createHash('sha256')
    .update([ruleId, kind, subject, severity].join('\u0000'))
    .digest('hex')
    .slice(0, 10);
}
