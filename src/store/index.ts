/** The store: records in, a SQLite database out, and the way to open it for reading. */
export { asStoreError, StoreError, type StoreErrorCode } from './errors.js';
export { registerFunctions } from './functions.js';
export { DEFAULT_PREFIX_LIMITS, type HashLimits, type PrefixLimits } from './key-core.js';
export { type LoaderOptions, SnapshotLoader } from './load.js';
export type { FileLoadInfo } from './loaded-file.js';
export { openStore } from './open.js';
export { type PatternRule, type PatternRules, parsePatternRules } from './pattern-rules.js';
export { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.js';
export { AUTO_SEPARATORS, chooseSeparators } from './separator-choice.js';
export { isOurDatabase } from './target.js';
