import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { restoreError } from '../carried-error.js';
import { type PassOptions, runPass } from '../pass.js';
import { RdbError } from '../rdb-parser/errors.js';
import { printableBytes } from '../rdb-parser/printable.js';
import { recordedPath } from '../recorded-path.js';
import { openInput } from '../source/open-input.js';
import { type KeyLocation, locateKey } from '../store/key-location.js';
import { openStore } from '../store/open.js';
import type { InspectOptions, KeyFinding } from './inspect-pass.js';
import type { KeyLayout } from './key-layout.js';

export interface InspectRequest extends PassOptions {
  /** A snapshot's path, "-" for standard input, or a database that was loaded from one. */
  readonly input: string;
  readonly key?: Uint8Array | undefined;
  readonly db?: number | undefined;
  readonly offset?: number | undefined;
  /** How many of the longest elements, largest nodes and so on are kept; 10 when it is not given. */
  readonly top?: number | undefined;
  /** Whose memory figures: `7.2`, `valkey-8.1`. */
  readonly serverVersion?: string | undefined;
  /** What "-" reads. */
  readonly stdin?: Readable | undefined;
}

/** One key, and where it was found. */
export interface Inspection {
  /** The snapshot that was read. */
  readonly input: string;
  readonly layout: KeyLayout;
  readonly warnings: readonly string[];
}

const DEFAULT_TOP = 10;

/** No such key; `message` is a sentence for the user. */
export class KeyNotFound extends Error {
  override readonly name = 'KeyNotFound';
}

/**
 * Reads one key of a snapshot again and tells how it lies there. Only that key's elements are looked at, and never all
 * of them are held.
 * @throws KeyNotFound; RdbError when the snapshot is damaged before the key; SourceError when it can't be read
 */
export async function inspectKey(request: InspectRequest): Promise<Inspection> {
  const { key, db, offset, top, serverVersion } = request;
  const options: InspectOptions = { key, db, offset, top: top ?? DEFAULT_TOP, serverVersion };
  if (request.input === '-' || !(await isDatabase(request.input))) {
    return readKey(request.input, options, request);
  }
  if (key === undefined) throw new KeyNotFound('a database is asked for a key by its name');
  const place = locate(request.input, key, db);
  const path = recordedPath(place.path, request.input);
  if (!existsSync(path)) {
    throw new KeyNotFound(
      `${path}, which ${request.input} was loaded from, is not there, as seen from this folder. Give the snapshot where it is now: rdbscope inspect FILE KEY`,
    );
  }
  const found = { ...options, db: place.db };
  try {
    return await readKey(path, { ...found, offset: place.offset }, request);
  } catch (error) {
    // bytes of another snapshot may be anything at that place
    if (!(error instanceof ChangedSnapshot || error instanceof RdbError)) throw error;
    const inspection = await readKey(path, found, request);
    const warning = `${path} is not the snapshot that the database was loaded from: the key stands elsewhere`;
    return { ...inspection, warnings: [warning, ...inspection.warnings] };
  }
}

/** Another key stands where the one that is looked for was. */
class ChangedSnapshot extends KeyNotFound {}

async function readKey(path: string, options: InspectOptions, request: InspectRequest): Promise<Inspection> {
  const input = await openInput(path, request.stdin);
  const finding = await runPass('inspect', input, options, request);
  if (finding.layout !== undefined) {
    return { input: input.name, layout: finding.layout, warnings: finding.warnings };
  }
  if (finding.error !== undefined) throw restoreError(finding.error);
  throw notFound(input.name, options, finding);
}

function notFound(input: string, { key, db, offset }: InspectOptions, finding: KeyFinding): KeyNotFound {
  if (finding.otherKey !== undefined) {
    return new ChangedSnapshot(
      `the key at byte ${offset} of ${input} is another one: "${printableBytes(finding.otherKey.subarray(0, 64))}"`,
    );
  }
  if (key === undefined) return new KeyNotFound(`no key stands at byte ${offset} of ${input}`);
  const where = db === undefined ? input : `db ${db} of ${input}`;
  return new KeyNotFound(
    `no key "${printableBytes(key)}" in ${where} (keys looked at: ${finding.keysRead.toLocaleString('en-US')}); bytes that are no text are given as \\xNN`,
  );
}

function locate(databasePath: string, key: Uint8Array, db: number | undefined): KeyLocation {
  const database = openStore(databasePath);
  try {
    const [first] = locateKey(database, key, db);
    if (first !== undefined) return first;
    const where = db === undefined ? databasePath : `db ${db} of ${databasePath}`;
    throw new KeyNotFound(`no key "${printableBytes(key)}" in ${where}`);
  } finally {
    database.close();
  }
}

/** Source: sqlite.org/fileformat.html, 1.2. */
const DATABASE_MAGIC = 'SQLite format 3\0';

async function isDatabase(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    return bytesRead === 16 && buffer.toString('latin1') === DATABASE_MAGIC;
  } catch {
    return false; // a folder, a pipe: whoever opens it as a snapshot says what is wrong
  } finally {
    await file.close();
  }
}
