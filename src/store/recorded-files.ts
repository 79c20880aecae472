import type { Database } from 'better-sqlite3';
import { type PatternRules, parsePatternRules } from './pattern-rules.js';
import { sql } from './sql.js';

/** One snapshot that a database was loaded from, as far as it tells whether a file is still the same. */
export interface RecordedFile {
  /** As it was given at the load. */
  readonly path: string;
  /** Null for a pipe, which can't be read again. */
  readonly fileBytes: number | null;
  readonly snapshotBytes: number;
  readonly checksumStored: string | null;
  readonly createdAtMs: number | null;
  readonly keysRead: number;
  /** In words; `parseProfile` reads it. */
  readonly memoryProfile: string;
}

/** The pattern rules that a database was loaded with, as a rules file has them; undefined without any. */
export function recordedRulesText(database: Database): string | undefined {
  return database.prepare<[], string>(sql`SELECT value FROM meta WHERE name = 'pattern_rules'`).pluck().get();
}

/** The snapshots of a database in the order of the load, and what its keys' segments are parted by. */
export function recordedFiles(database: Database): {
  readonly files: readonly RecordedFile[];
  readonly separators: string;
  readonly patternRules: PatternRules | undefined;
} {
  const files = database
    .prepare<[], RecordedFile>(
      sql`SELECT path, file_bytes AS fileBytes, snapshot_bytes AS snapshotBytes, checksum_stored AS checksumStored,
                 created_at_ms AS createdAtMs, keys_read AS keysRead, memory_profile AS memoryProfile
          FROM files ORDER BY id`,
    )
    .all();
  const separators = database
    .prepare<[], string>(sql`SELECT value FROM meta WHERE name = 'separators'`)
    .pluck()
    .get();
  const rules = recordedRulesText(database);
  return {
    files,
    separators: separators ?? ':',
    patternRules: rules === undefined ? undefined : parsePatternRules(rules, database.name),
  };
}
