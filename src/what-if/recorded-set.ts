import { existsSync, statSync } from 'node:fs';
import type { ModelOptions } from '../load-protocol.js';
import { type MemoryProfile, parseProfile } from '../memory/index.js';
import { type SnapshotFacts, UNKNOWN } from '../rdb-parser/records.js';
import { recordedPath } from '../recorded-path.js';
import { openStore } from '../store/open.js';
import { type RecordedFile, recordedFiles } from '../store/recorded-files.js';
import type { WhatIfRequest } from './what-if.js';
import { ownThresholds } from './what-if-pass.js';

/** A database's snapshot can't be read again: gone, a pipe, another file; `message` says what to do. */
export class SnapshotNotAtHand extends Error {
  override readonly name = 'SnapshotNotAtHand';
}

/**
 * The snapshots that a database was loaded from, with the profiles that it has: element lengths, which a model needs,
 * are in the snapshots only.
 * @throws SnapshotNotAtHand when one is gone or has another size; StoreError as `openStore`
 */
export function recordedSet(databasePath: string): Pick<
  WhatIfRequest,
  'inputs' | 'separators' | 'patternRules' | 'accept'
> & {
  readonly now: readonly ModelOptions[];
} {
  const database = openStore(databasePath);
  try {
    const { files, separators, patternRules } = recordedFiles(database);
    const byPath = new Map(files.map((file) => [presentPath(file, databasePath), file]));
    return {
      inputs: [...byPath.keys()],
      now: files.map(({ memoryProfile }) => optionsOf(parseProfile(memoryProfile))),
      separators,
      patternRules,
      accept: (input, facts) => {
        const file = byPath.get(input);
        if (file !== undefined && !isSame(file, facts)) throw changed(input, databasePath);
      },
    };
  } finally {
    database.close();
  }
}

function presentPath(file: RecordedFile, databasePath: string): string {
  if (file.fileBytes === null) {
    throw new SnapshotNotAtHand(
      `${databasePath} was loaded from ${file.path}, which can't be read again. Give the snapshot itself: rdbscope what-if FILE --server VERSION`,
    );
  }
  const path = recordedPath(file.path, databasePath);
  if (!existsSync(path)) {
    throw new SnapshotNotAtHand(
      `${path}, which ${databasePath} was loaded from, is not there any more; the database alone does not have the lengths of elements. Give the snapshot where it is now: rdbscope what-if FILE --server VERSION`,
    );
  }
  if (statSync(path).size !== file.fileBytes) throw changed(path, databasePath);
  return path;
}

function changed(path: string, databasePath: string): SnapshotNotAtHand {
  return new SnapshotNotAtHand(
    `${path} is another snapshot than the one that ${databasePath} was loaded from. Load it again, or ask for it alone: rdbscope what-if ${path} --server VERSION`,
  );
}

function isSame(file: RecordedFile, facts: SnapshotFacts): boolean {
  const createdAtMs = facts.createdAtMs === UNKNOWN ? null : facts.createdAtMs;
  return (
    file.snapshotBytes === facts.snapshotBytes &&
    file.checksumStored === (facts.checksumStored ?? null) &&
    file.createdAtMs === createdAtMs &&
    file.keysRead === facts.keysRead
  );
}

function optionsOf(profile: MemoryProfile | undefined): ModelOptions {
  if (profile === undefined) return {};
  return {
    serverVersion: `${profile.family} ${profile.version}`,
    wordBits: profile.wordBits,
    allocator: profile.allocator.name,
    cluster: profile.cluster,
    thresholds: ownThresholds(profile),
  };
}
