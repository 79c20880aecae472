import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** What a live server said of one key. Field names: the truth files'. */
export interface TruthKey {
  readonly db: number;
  readonly key_b64: string;
  readonly type: string;
  readonly encoding: string | null;
  readonly len: number | null;
  readonly mem: number | null;
  /** Exact, as text. */
  readonly pexpireat: string | undefined;
  readonly idle: number | null;
  readonly freq: number | null;
  readonly serlen: number | null;
  readonly max_elem?: number;
  readonly elem_bytes?: number;
  readonly ql_nodes?: number;
  readonly expired?: boolean;
  /** Fields with an expiry of their own, and the soonest. */
  readonly hfe?: { readonly [name: string]: number };
}

export interface TruthSet {
  readonly name: string;
  readonly snapshot: Uint8Array;
  /** Asked of the server that wrote the snapshot, just before. */
  readonly written: readonly TruthKey[];
  /** Asked of the server that loaded the snapshot; expired keys are gone there. */
  readonly loaded: readonly TruthKey[];
}

const SHIPPED = new URL('../fixtures/truth/', import.meta.url);
/** All sets, in a folder that lies beside a checkout on the maintainers' machines only. */
const WHOLE = new URL('../../shared/truth/', import.meta.url);

export const wholeTruthIsHere = existsSync(WHOLE);

/** Every set there is: all of them where the whole collection lies beside the checkout, else the shipped ones. */
export function truthSetNames(): string[] {
  return setsIn(wholeTruthIsHere ? WHOLE : SHIPPED);
}

export function shippedTruthSetNames(): string[] {
  return setsIn(SHIPPED);
}

export function readTruthSet(name: string): TruthSet {
  const shipped = new URL(`${name}/`, SHIPPED);
  const folder = existsSync(shipped) ? shipped : new URL(`${name}/`, WHOLE);
  return {
    name,
    snapshot: readFileSync(new URL('dump.rdb', folder)),
    written: readTruth(new URL('truth.jsonl.gz', folder)),
    loaded: readTruth(new URL('truth-loaded.jsonl.gz', folder)),
  };
}

export function truthById(keys: readonly TruthKey[]): Map<string, TruthKey> {
  return new Map(keys.map((key) => [`${key.db} ${key.key_b64}`, key]));
}

/** Identity of a key in a truth file. */
export function truthId(db: number, key: Uint8Array): string {
  return `${db} ${Buffer.from(key).toString('base64')}`;
}

function setsIn(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function readTruth(file: URL): TruthKey[] {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n');
  return lines.filter((line) => line !== '').map(parseTruth);
}

/** Expiries may be beyond 2^53: they are taken from the text. */
function parseTruth(line: string): TruthKey {
  const pexpireat = /"pexpireat": (-?\d+)/.exec(line)?.[1];
  return { ...(JSON.parse(line) as TruthKey), pexpireat };
}

/** A fixture of our own by its path below fixtures/. */
export function readFixture(name: string): Uint8Array {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
}
