import type { Problem, ProblemCode } from '../rdb-parser/records.js';
import type { VerifyPass } from './verify-pass.js';

/** Problems that a restore does not survive, or that say that the bytes are not those that were written. */
const DAMAGE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'checksum-mismatch',
  'duplicate-key',
  'duplicate-field',
  'nan-score',
  'damaged',
]);

export interface Trouble {
  readonly damage: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Parts what was found into damage and what a restore survives. @param strict the latter is damage too */
export function troubleOf(
  { facts, repeatedKeys, error }: Pick<VerifyPass, 'facts' | 'repeatedKeys' | 'error'>,
  trailingContainerBytes: number,
  strict: boolean,
): Trouble {
  const found = [...facts.problems, ...(repeatedKeys === undefined ? [] : [repeatedKeys])];
  const warnings = found.filter(({ code, severity }) => severity === 'warning' && !DAMAGE.has(code));
  if (error === undefined && trailingContainerBytes > 0) {
    warnings.push({
      code: 'trailing-bytes',
      severity: 'warning',
      text: `${trailingContainerBytes} bytes follow the compressed data and belong to nothing`,
      offset: facts.snapshotBytes,
      db: 0,
      key: undefined,
      count: 1,
    });
  }
  const damage = found.filter(({ code, severity }) => severity === 'error' || DAMAGE.has(code));
  return strict ? { damage: [...damage, ...warnings], warnings: [] } : { damage, warnings };
}
