import type { Database } from 'better-sqlite3';
import { placeholdersIn } from './pattern-rules.js';
import { SCHEMA_VERSION } from './schema.js';
import { inserter } from './table-insert.js';

/** How a database was made, for `meta`. */
export interface MetaFacts {
  readonly toolVersion: string;
  /** What the user asked for, as JSON-safe values. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly separators: string;
  /** The user's pattern rules as a rules file has them, undefined without any. */
  readonly patternRules: string | undefined;
  readonly memoryProfiles: readonly string[];
  readonly rowWriter: 'pages' | 'inserts';
}

export function writeMeta(database: Database, facts: MetaFacts): void {
  const insert = inserter(database, 'meta');
  const rows: Readonly<Record<string, string | bigint>> = {
    // A number would be bound as a real.
    schema_version: BigInt(SCHEMA_VERSION),
    tool_version: facts.toolVersion,
    options: JSON.stringify(facts.options),
    separators: facts.separators,
    ...(facts.patternRules === undefined
      ? {}
      : { pattern_rules: facts.patternRules, pattern_placeholders: shownPlaceholders(facts.patternRules) }),
    memory_profile: [...new Set(facts.memoryProfiles)].join('; '),
    row_writer: facts.rowWriter,
  };
  for (const [name, value] of Object.entries(rows)) insert({ name, value });
}

/** `{sku}, {slug}`: what reports call them. */
function shownPlaceholders(rulesText: string): string {
  return placeholdersIn(rulesText)
    .map((name) => `{${name}}`)
    .join(', ');
}
