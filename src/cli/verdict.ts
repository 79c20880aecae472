import { RdbError } from '../rdb-parser/errors.js';
import { printableBytes } from '../rdb-parser/printable.js';
import { type Problem, type SnapshotFacts, UNKNOWN } from '../rdb-parser/records.js';
import { formatBytes, formatCell, formatShare, visibleText } from '../render/format-cell.js';
import type { Verification } from '../verify/verify.js';

/** One line: sound or damaged, and what that rests on. */
export function verdictLine(verification: Verification): string {
  const { input, sound, facts, warnings } = verification;
  const name = visibleText(input);
  if (!sound) return `${name}: damaged: ${worstDamage(verification)}`;
  const parts = [
    counted(facts.keysRead, 'key'),
    formatBytes(facts.snapshotBytes),
    `${facts.magic}${writer(facts)}`,
    CHECKSUM_WORDS[facts.checksum],
    inside(verification),
    ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
  ];
  return `${name}: sound: ${parts.join(', ')}`;
}

/** A line for each thing that is wrong but is not the verdict itself. */
export function remarkLines({ input, damage, warnings, error }: Verification): string[] {
  const rest = error === undefined ? damage.slice(1) : damage;
  const line = (severity: string, problem: Problem): string =>
    `${visibleText(input)}: ${severity}: ${describeProblem(problem)}`;
  return [
    ...rest.map((problem) => line('damage', problem)),
    ...warnings.map((problem) => line('warning', problem)),
  ];
}

/** The same for machines: names as in the database's tables, keys in their printable form. */
export function verificationJson(verification: Verification): Record<string, unknown> {
  const { input, container, sound, shallow, facts, error, damage, warnings, comparedShare, elapsedMs } =
    verification;
  return {
    input,
    sound,
    verdict: verdictLine(verification),
    depth: shallow ? 'shallow' : 'deep',
    container,
    magic: facts.magic,
    rdb_version: facts.rdbVersion,
    server_version: facts.serverVersion ?? null,
    product: facts.product,
    created_at_ms: known(facts.createdAtMs),
    complete: facts.complete,
    keys_read: facts.keysRead,
    snapshot_bytes: facts.snapshotBytes,
    trailing_bytes: facts.trailingBytes,
    trailing_kind: facts.trailingKind,
    records_skipped: facts.recordsSkipped,
    checksum: facts.checksum,
    checksum_stored: facts.checksumStored ?? null,
    checksum_computed: facts.checksumComputed ?? null,
    databases: facts.databases.map((database) => ({
      db: database.db,
      keys_announced: known(database.keysAnnounced),
      expires_announced: known(database.expiresAnnounced),
      keys_read: database.keysRead,
      expires_read: database.expiresRead,
    })),
    duplicate_check: shallow ? 'none' : 'hashed',
    duplicate_check_share: comparedShare,
    error: error === undefined ? null : errorJson(error),
    damage: damage.map(problemJson),
    warnings: warnings.map(problemJson),
    elapsed_ms: elapsedMs,
  };
}

const CHECKSUM_WORDS: Readonly<Record<SnapshotFacts['checksum'], string>> = {
  ok: 'checksum right',
  mismatch: 'checksum wrong',
  off: 'saved without a checksum',
  absent: 'of a version without checksums',
  unchecked: 'checksum not reached',
};

function inside({ shallow, comparedShare }: Verification): string {
  if (shallow) return 'values not looked into';
  if (comparedShare === 1) return 'every value looked into';
  return `every value looked into, ${formatShare(comparedShare)} of the keys compared`;
}

function worstDamage({ error, damage, facts }: Verification): string {
  if (error instanceof RdbError)
    return `${visibleText(error.message)}; ${counted(facts.keysRead, 'key')} before it`;
  if (error !== undefined) return `the input ${visibleText(error.problem)}`;
  const [worst, ...others] = damage;
  if (worst === undefined) return 'the reading did not reach its end';
  const more = others.length === 0 ? '' : `; ${others.length} more`;
  return `${describeProblem(worst)}${more}`;
}

function describeProblem({ text, offset, db, key, count, code }: Problem): string {
  const times = count > 1 ? `, ${counted(count, 'time')}, first` : '';
  const shown = key === undefined ? '' : `, db ${db}, key "${shortKey(key)}"`;
  const place = WHOLE_FILE.has(code) ? '' : ` (at byte ${offset}${shown})`;
  return `${visibleText(text)}${times}${place}`;
}

/** Problems that have no place of their own. */
const WHOLE_FILE: ReadonlySet<string> = new Set([
  'checksum-mismatch',
  'count-mismatch',
  'newer-version',
  'clock',
]);

const SHOWN_KEY_BYTES = 64;

function shortKey(key: Uint8Array): string {
  const shown = printableBytes(key.subarray(0, SHOWN_KEY_BYTES));
  return key.length > SHOWN_KEY_BYTES ? `${shown}…` : shown;
}

function writer({ product, serverVersion }: SnapshotFacts): string {
  return serverVersion === undefined ? '' : ` of ${product} ${visibleText(serverVersion)}`;
}

function counted(number: number, noun: string): string {
  return `${formatCell(number, 'count')} ${noun}${number === 1 ? '' : 's'}`;
}

function problemJson({ code, severity, text, offset, db, key, count }: Problem): Record<string, unknown> {
  return { code, severity, text, offset, db, key: key === undefined ? null : printableBytes(key), count };
}

function errorJson(error: NonNullable<Verification['error']>): Record<string, unknown> {
  if (!(error instanceof RdbError)) return { code: error.code, text: error.problem };
  const { at, code, problem } = error;
  return {
    code,
    text: problem,
    offset: at.offset,
    blob_offset: at.blobOffset ?? null,
    db: at.db ?? null,
    key: at.key === undefined ? null : printableBytes(at.key),
    reading: at.reading ?? null,
  };
}

function known(value: number): number | null {
  return value === UNKNOWN ? null : value;
}
