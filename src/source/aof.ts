import { open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SourceError } from './source-error.js';

/** A multi-part append-only file: its base is a snapshot, its increments are what was written since. */
export interface AofBase {
  readonly manifestPath: string;
  /** The base's own path. */
  readonly path: string;
  readonly incrementalFiles: number;
  /** Bytes of the increments that are there. */
  readonly incrementalBytes: number;
}

/**
 * Finds the manifest that a folder means: one in it, or in the `appendonlydir` in it.
 * @throws SourceError when there is none or more than one
 */
export async function manifestIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  const own = names.filter((name) => name.endsWith('.manifest'));
  if (own.length === 1) return join(folder, own[0]!);
  if (own.length === 0 && names.includes('appendonlydir')) return manifestIn(join(folder, 'appendonlydir'));
  const snapshots = names.filter((name) => /\.(rdb|rdb\.gz|rdb\.zst|rdb\.lz4)$/.test(name)).sort();
  const advice =
    own.length > 1
      ? `It holds ${own.length} manifests; name one of them.`
      : snapshots.length > 0
        ? `Name the snapshot in it: ${join(folder, snapshots[0]!)}${snapshots.length > 1 ? ` (one of ${snapshots.length})` : ''}`
        : 'Name the snapshot file itself.';
  throw new SourceError({ code: 'directory', input: folder, problem: 'is a folder, not a snapshot', advice });
}

/** Whether these first bytes are a manifest's. Source: aof.c, Redis 7.2, `getAofManifestAsString`. */
export function isManifest(head: Uint8Array): boolean {
  return /^(#[^\n]*\n)*file \S.* seq \d+ type [bih]/.test(Buffer.from(head).toString('latin1'));
}

const LARGEST_MANIFEST = 2 ** 20;

/**
 * Reads a manifest and finds the base beside it.
 * @throws SourceError when it lists no base
 */
export async function readManifest(manifestPath: string): Promise<AofBase> {
  const handle = await open(manifestPath);
  let text: string;
  try {
    const buffer = Buffer.alloc(LARGEST_MANIFEST);
    const { bytesRead } = await handle.read(buffer, 0, LARGEST_MANIFEST, 0);
    text = buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
  const entries = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  const base = entries.find((entry) => entry.type === 'b');
  if (base === undefined) {
    throw new SourceError({
      code: 'foreign',
      input: manifestPath,
      problem: 'is the manifest of an append-only file that has no base: there is no snapshot to read',
      advice: 'Let the server make one: bgrewriteaof, or bgsave for a dump.rdb.',
    });
  }
  const folder = dirname(manifestPath);
  const increments = entries.filter((entry) => entry.type === 'i');
  let incrementalBytes = 0;
  for (const entry of increments) {
    incrementalBytes += await stat(join(folder, entry.file)).then(
      (found) => found.size,
      () => 0,
    );
  }
  return {
    manifestPath,
    path: join(folder, base.file),
    incrementalFiles: increments.length,
    incrementalBytes,
  };
}

interface ManifestEntry {
  readonly file: string;
  readonly type: string;
}

/** `file <name> seq <n> type <b|i|h>`; names with special characters are quoted as sds.c `sdscatrepr` does. */
function parseLine(line: string): ManifestEntry | undefined {
  const match = /^file (?:"((?:[^"\\]|\\.)*)"|(\S+)) seq \d+ type ([bih])/.exec(line.trimEnd());
  if (match === null) return undefined;
  const file = match[1] === undefined ? match[2]! : unquoted(match[1]);
  return basename(file) === file ? { file, type: match[3]! } : undefined; // the server refuses folders in it too
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b' };

function unquoted(text: string): string {
  const bytes = text.replace(/\\(x[0-9a-fA-F]{2}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
