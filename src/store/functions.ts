import type { Database } from 'better-sqlite3';
import { printableBytes } from '../rdb-parser/printable.js';
import { registerDesignFunctions } from './design-functions.js';
import { StoreError } from './errors.js';
import { asBytes } from './function-arguments.js';
import { hashSlot, hashTagRange } from './hash-slot.js';
import { KeyCore } from './key-core.js';
import { joinedPattern, placeholderText } from './key-pattern.js';
import { keyValue } from './key-value.js';
import { registerModelFunctions } from './model-functions.js';
import { parsePatternRules, placeholdersIn } from './pattern-rules.js';
import { fitsSeparators } from './rule-scopes.js';
import { sizeBucket as bucketOf } from './size-histograms.js';

/**
 * Adds our SQL functions to a connection; all are deterministic, and NULL for NULL.
 * @param rulesText pattern rules that `key_prefix` goes by, as a rules file has them
 */
export function registerFunctions(database: Database, rulesText?: string): void {
  const options = { deterministic: true } as const;
  const cores = new Map<string, KeyCore>();
  database.function('key_prefix', options, (key: unknown, separators: unknown, depth: unknown) => {
    const bytes = asBytes(key);
    return bytes === null ? null : keyPattern(coreFor(cores, separators, rulesText), bytes, asDepth(depth));
  });
  database.function('hash_slot', options, (key: unknown) => {
    const bytes = asBytes(key);
    return bytes === null ? null : hashSlot(bytes);
  });
  database.function('hash_tag', options, (key: unknown) => {
    const bytes = asBytes(key);
    const range = bytes === null ? undefined : hashTagRange(bytes, 0, bytes.length);
    return bytes === null || range === undefined ? null : keyValue(bytes.subarray(...range));
  });
  database.function('size_bucket', options, (bytes: unknown) => {
    const value = Number(bytes);
    return bytes === null || !(value >= 0) ? null : bucketOf(value);
  });
  database.function('printable', options, (key: unknown) => {
    const bytes = asBytes(key);
    return bytes === null ? null : printableBytes(bytes);
  });
  const placeholders = placeholderText(rulesText === undefined ? [] : placeholdersIn(rulesText));
  database.function('without_placeholders', options, (prefix: unknown) =>
    prefix === null ? null : String(prefix).replace(placeholders, ''),
  );
  registerDesignFunctions(database);
  registerModelFunctions(database);
}

function asDepth(value: unknown): number {
  return value === null ? 0 : Math.max(0, Math.trunc(Number(value))) || 0;
}

/** The pattern of a key's first `depth` segments (0: of all), as the prefix tree has it where it folds nothing. */
function keyPattern(core: KeyCore, key: Uint8Array, depth: number): string {
  let text = '';
  core.readSegments(key, depth, (separator, segment) => {
    text = joinedPattern(text, separator, segment, core.patternNames);
  });
  return text;
}

/** Cores are kept: a statement asks with the same separators for every row. */
function coreFor(cores: Map<string, KeyCore>, separators: unknown, rulesText: string | undefined): KeyCore {
  if (typeof separators !== 'string' || separators === '') {
    throw new StoreError('bad-option', "key_prefix(key, separators, depth) wants separators such as ':'", '');
  }
  const known = cores.get(separators);
  if (known !== undefined) return known;
  const patternRules = rulesText === undefined ? undefined : parsePatternRules(rulesText, 'pattern rules');
  const isFitting = patternRules !== undefined && fitsSeparators(patternRules, separators);
  const core = new KeyCore({ limits: NO_TREE, patternRules: isFitting ? patternRules : undefined });
  core.setSeparators(separators);
  cores.set(separators, core);
  return core;
}

/** Nothing is counted, so there is no need for room. */
const NO_TREE = { childrenPerNode: 1, nodes: 1, depth: 1 };
