import { readFileSync, statSync } from 'node:fs';
import { Option } from 'commander';
import { type PatternRules, parsePatternRules } from '../store/pattern-rules.js';
import { UsageError } from './usage-error.js';

/** Larger than any rules file: it is not even read. */
const MAX_BYTES = 2 ** 20;

export function patternRulesOption(): Option {
  return new Option(
    '--pattern-rules <file>',
    'name segments of keys by your own rules, one a line: {sku} = [A-Z]{3}-\\d{4}',
  );
}

/**
 * Reads a rules file.
 * @throws UsageError when there is none; StoreError `bad-option` with file and line
 */
export function readPatternRules(path: string): PatternRules {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`${path}: there is no such rules file`);
  if (stat.isDirectory()) throw new UsageError(`${path}: is a folder, not a rules file`);
  if (stat.size > MAX_BYTES) throw new UsageError(`${path}: is too long for a rules file`);
  return parsePatternRules(readFileSync(path, 'utf8'), path);
}
