import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReportDefinition } from './definition.js';
import { ReportError } from './errors.js';
import { parseDefinition } from './parse-definition.js';
import { similarName } from './similar-name.js';

/** Every report there is, in the order in which they are listed. */
export type Catalog = ReadonlyMap<string, ReportDefinition>;

/** The reports of this package; the folder lies beside `src` and `dist`. */
export const BUILT_IN_REPORTS = fileURLToPath(new URL('../../reports/', import.meta.url));

/**
 * Reads all reports of the package and of the user's folders; a later folder's report replaces one of the same id.
 * @param only ids: when there are reports of all of them, no others are read, as that takes its time
 * @throws ReportError `bad-folder` when a folder can't be listed, `bad-definition` with `file:line`
 */
export function loadCatalog(folders: readonly string[] = [], only?: readonly string[]): Catalog {
  const byId = new Map<string, ReportDefinition>();
  for (const folder of [BUILT_IN_REPORTS, ...folders]) {
    for (const definition of readFolder(folder, only)) byId.set(definition.id, definition);
  }
  if (only?.some((id) => !byId.has(id))) return loadCatalog(folders);
  const sorted = [...byId.values()].sort((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
  return new Map(sorted.map((definition) => [definition.id, definition]));
}

/**
 * @param others reports that are no files and may be asked for as well
 * @throws ReportError `unknown-report`, naming what there is and what may be meant
 */
export function findReport(catalog: Catalog, id: string, others: Iterable<string> = []): ReportDefinition {
  const definition = catalog.get(id);
  if (definition !== undefined) return definition;
  const names = [...catalog.keys(), ...others];
  const meant = similarName(id, names);
  const question = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  throw new ReportError(
    'unknown-report',
    `there is no report "${id}"${question}; there are ${names.join(', ')}`,
  );
}

function readFolder(folder: string, only: readonly string[] | undefined): ReportDefinition[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    if (only !== undefined) names = names.filter((name) => only.includes(basename(name, '.sql')));
  } catch (error) {
    throw new ReportError(
      'bad-folder',
      `${folder}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such report folder' : `the report folder can't be read: ${(error as Error).message}`}`,
      {
        cause: error,
      },
    );
  }
  return names.sort().map((name) => {
    const id = basename(name, '.sql');
    const path = join(folder, name);
    const shown = folder === BUILT_IN_REPORTS ? join('reports', name) : shortest(path);
    if (!/^[a-z0-9][a-z0-9-]*$/.test(id)) {
      throw new ReportError(
        'bad-definition',
        `${shown}:1: a report's file is named in lower case, digits and hyphens`,
      );
    }
    return parseDefinition(shown, id, readFileSync(path, 'utf8'));
  });
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere !== '' && fromHere.length < path.length ? fromHere : path;
}
