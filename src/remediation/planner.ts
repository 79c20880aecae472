import { createHash } from 'node:crypto';
import type { Action } from '../findings/index.js';
import { printableBytes } from '../rdb-parser/printable.js';
import { PlanError, type PlanKey, type PlanSnapshot, type PlanStep } from './plan.js';
import type { KeySelection } from './plan-keys.js';
import { plannedNames } from './planned-names.js';
import { oneLine } from './quoting.js';
import { type PlanScript, planScript, type ScriptName } from './scripts.js';

/** Elements of one call at most. */
export const MOST_PER_BATCH = 500;
/** Bytes that one call handles at most, as far as the snapshot tells: long elements make smaller batches. */
const BATCH_BYTES = 4 * 2 ** 20;
/** Keys of one call of `expire`, where they need not lie in one slot. */
const KEYS_PER_CALL = 100;

export interface PlanRequest {
  readonly action: Action;
  readonly selection: KeySelection;
  /** What the keys are, for people: `prefix "session"`. */
  readonly subject: string;
  /** Elements per call, 1 to 500. Default 500. */
  readonly batch?: number | undefined;
  /** Between two calls. Default 50. */
  readonly pauseMs?: number | undefined;
  /** How much a key's size may differ from the snapshot's, as a share. Default 0.1. */
  readonly tolerance?: number | undefined;
  /** Of `expire`, in seconds. Default: a week, and a fifth of the TTL. */
  readonly ttlSeconds?: number | undefined;
  readonly jitterSeconds?: number | undefined;
  /** Of `trim`: elements that stay, and the side that is cut. Default 5000; `head` of lists, `low` scores of zsets. */
  readonly keep?: number | undefined;
  readonly side?: 'head' | 'tail' | 'low' | 'high' | undefined;
  /** Of `split`: fields that a bucket may have, and how many buckets; by default so many that none has more. */
  readonly bucketLimit?: number | undefined;
  readonly buckets?: number | undefined;
  /** Whether the keys' server is a cluster; default: what the snapshot tells. */
  readonly isCluster?: boolean | undefined;
}

const SCRIPTS: Readonly<Record<Action, readonly ScriptName[]>> = {
  unlink: ['unlink'],
  drain: ['isolate', 'drain', 'unlink'],
  trim: ['trim'],
  expire: ['expire'],
  split: ['split-begin', 'split-copy', 'split-end'],
};

const COLLECTIONS: ReadonlySet<string> = new Set(['list', 'set', 'zset', 'hash', 'stream']);

/** Makes the steps of one plan. */
export class Planner {
  readonly id: string;
  readonly pauseMs: number;
  readonly scripts: readonly PlanScript[];
  private readonly request: PlanRequest;
  private readonly snapshot: PlanSnapshot;
  private readonly tolerance: number;
  private readonly script: (name: ScriptName) => PlanScript;

  constructor(request: PlanRequest, snapshot: PlanSnapshot, id: string) {
    this.request = request;
    this.snapshot = snapshot;
    this.id = id;
    this.pauseMs = request.pauseMs ?? 50;
    this.tolerance = request.tolerance ?? 0.1;
    this.scripts = SCRIPTS[request.action].map(planScript);
    this.script = (name) => this.scripts.find((script) => script.name === name)!;
    if (request.action === 'split' && snapshot.isCluster) {
      throw new PlanError(
        'a script in a cluster reaches one slot only, and buckets lie in many: copy the fields in the application',
      );
    }
    const batch = request.batch ?? MOST_PER_BATCH;
    if (batch < 1 || batch > MOST_PER_BATCH) {
      throw new PlanError(`a batch has 1 to ${MOST_PER_BATCH} elements, not ${batch}`);
    }
  }

  cautions(keys: number): string[] {
    const { action } = this.request;
    const percent = Math.round(this.tolerance * 100);
    const common = [
      'Read it first, and try it on a copy. Nothing has been done yet.',
      action === 'trim' || action === 'expire'
        ? 'A key that is of another type now is left alone.'
        : `A key that is of another type now, or whose size differs by more than ${percent} %, is left alone.`,
    ];
    const special: Readonly<Record<Action, readonly string[]>> = {
      unlink: ['The keys are gone at once, their memory a little later: watch lazyfree_pending_objects.'],
      drain: [
        'Stop the writers first, or they make the keys anew. Each key is renamed, so that nobody else uses it, loses its TTL, and is emptied; a run that was broken off can be started again.',
      ],
      trim: [
        `What is cut off is lost. ${this.keep()} elements of each key stay; --keep says another number.`,
      ],
      expire: [
        `TTLs are ${this.ttl()} s and up to ${this.jitter()} s more, told by the key's name, so that they do not end together; a key that got one meanwhile keeps it. Mend the writers too, or new keys come without one.`,
      ],
      split: [
        'The hash stays as it is. Let the application read and write the buckets, then empty the hash with a plan of its own.',
        "A field's bucket is the number that the first 8 hexadecimal digits of its SHA-1 are, modulo the buckets. Fields written to the hash meanwhile are not copied: stop the writers.",
      ],
    };
    const cluster = this.snapshot.isCluster
      ? ['The server is a cluster: use redis-cli -c, and load the scripts on every master first.']
      : [];
    const many = keys > 10_000 ? ['There are many keys: run it in a quiet hour.'] : [];
    return [...common, ...special[action], ...cluster, ...many];
  }

  *steps(keys: Iterable<PlanKey>): Generator<PlanStep> {
    if (this.request.action === 'expire') yield* this.expire(keys);
    else {
      for (const key of keys) yield* this.stepsFor(key);
    }
  }

  private *stepsFor(key: PlanKey): Generator<PlanStep> {
    switch (this.request.action) {
      case 'unlink':
        yield this.unlink(key);
        return;
      case 'drain':
        yield* this.drain(key);
        return;
      case 'trim':
        yield this.trim(key);
        return;
      case 'split':
        yield* this.split(key);
        return;
    }
  }

  private unlink(key: PlanKey): PlanStep {
    const [least, most] = this.sizes(key);
    // UNLINK came with Redis 4.0.
    const command = Number.parseInt(this.snapshot.serverVersion ?? '', 10) < 4 ? 'DEL' : 'UNLINK';
    return step(
      `${describeKey(key)}: delete`,
      key.db,
      this.script('unlink'),
      [key.key],
      [key.type, least, most, command],
    );
  }

  private *drain(key: PlanKey): Generator<PlanStep> {
    // A string or a module's value has no elements to take out one by one.
    if (!COLLECTIONS.has(key.type)) {
      yield this.unlink(key);
      return;
    }
    const names = plannedNames(this.id, key, this.snapshot.isCluster);
    // Without another name in its slot it can't be taken out of use, so it goes at once.
    if (names === undefined) {
      yield this.unlink(key);
      return;
    }
    const { doomed, cursor } = names;
    const [least, most] = this.sizes(key);
    const batch = this.batch(key);
    yield step(
      `${describeKey(key)}: take it out of use`,
      key.db,
      this.script('isolate'),
      [key.key, doomed],
      [key.type, least, most],
    );
    // A scan may find fewer than it was asked for.
    const calls = Math.ceil((most * 1.5) / batch) + 4;
    yield step(
      `${describeKey(key)}: ${batch} elements a call until none is left`,
      key.db,
      this.script('drain'),
      [doomed, cursor],
      [batch],
      calls,
    );
  }

  private trim(key: PlanKey): PlanStep {
    const { side } = this.request;
    const sides: Readonly<Record<string, readonly string[]>> = {
      list: ['head', 'tail'],
      zset: ['low', 'high'],
      stream: ['head'],
    };
    const possible = sides[key.type]!;
    const cut = side !== undefined && possible.includes(side) ? side : possible[0]!;
    const batch = this.batch(key);
    const calls = Math.max(1, Math.ceil(((key.size ?? 0) * (1 + this.tolerance) - this.keep()) / batch)) + 2;
    const isSmall = key.size !== undefined && key.size <= this.keep();
    return step(
      isSmall
        ? `${describeKey(key)}: nothing to cut as of the snapshot, as ${this.keep()} stay; to cut it, say how many shall: --keep ${Math.floor(key.size / 2)}`
        : `${describeKey(key)}: cut the ${cut} down to ${this.keep()}, ${batch} a call`,
      key.db,
      this.script('trim'),
      [key.key],
      [key.type, batch, this.keep(), cut],
      calls,
    );
  }

  private *expire(keys: Iterable<PlanKey>): Generator<PlanStep> {
    const script = this.script('expire');
    let held: PlanKey[] = [];
    const flush = (): PlanStep => {
      const first = held[0]!;
      const comment =
        held.length === 1 ? describeKey(first) : `${held.length} keys from ${describeKey(first)} on`;
      const args = held.flatMap((key) => [key.type, this.ttlOf(key)]);
      const made = step(
        comment,
        first.db,
        script,
        held.map((key) => key.key),
        args,
      );
      held = [];
      return made;
    };
    const most = this.snapshot.isCluster ? 1 : Math.min(KEYS_PER_CALL, this.request.batch ?? KEYS_PER_CALL);
    for (const key of keys) {
      if (held.length > 0 && (held.length >= most || held[0]!.db !== key.db)) yield flush();
      held.push(key);
    }
    if (held.length > 0) yield flush();
  }

  private *split(key: PlanKey): Generator<PlanStep> {
    const buckets = this.request.buckets ?? bucketsFor(key.size ?? 0, this.request.bucketLimit ?? 5000);
    const digits = String(buckets - 1).length;
    const bucket = Buffer.concat([key.key, Buffer.from(':bucket:')]);
    const { cursor } = plannedNames(this.id, key, false)!;
    const keys = [key.key, cursor, bucket];
    const [least, most] = this.sizes(key);
    const batch = this.batch(key);
    const range = `${'0'.repeat(digits)} to ${buckets - 1}`;
    yield step(
      `${describeKey(key)}: make sure that buckets ${range} are free`,
      key.db,
      this.script('split-begin'),
      keys,
      [least, most, buckets, digits],
    );
    yield step(
      `${describeKey(key)}: copy its fields into ${buckets} buckets, about ${batch} a call`,
      key.db,
      this.script('split-copy'),
      keys,
      [batch, buckets, digits],
      Math.ceil((most * 1.5) / batch) + 4,
    );
    yield step(`${describeKey(key)}: compare the counts`, key.db, this.script('split-end'), keys, [
      buckets,
      digits,
    ]);
  }

  /** The sizes within which a key is still what the snapshot said; -1 and -1 where nothing tells its size. */
  private sizes({ size }: PlanKey): [least: number, most: number] {
    if (size === undefined) return [-1, -1];
    return [Math.ceil(size * (1 - this.tolerance)), Math.floor(size * (1 + this.tolerance))];
  }

  private batch({ size, memoryBytes, largestElementBytes }: PlanKey): number {
    const mean = Math.max(1, memoryBytes / Math.max(1, size ?? 1), (largestElementBytes ?? 0) / 8);
    return Math.max(1, Math.min(this.request.batch ?? MOST_PER_BATCH, Math.floor(BATCH_BYTES / mean)));
  }

  private keep(): number {
    return this.request.keep ?? 5000;
  }

  private ttl(): number {
    return this.request.ttlSeconds ?? 7 * 86_400;
  }

  private jitter(): number {
    return this.request.jitterSeconds ?? Math.round(this.ttl() / 5);
  }

  /** In milliseconds: the same for the same name, so that a second run changes nothing. */
  private ttlOf({ key }: PlanKey): number {
    const share = createHash('sha1').update(key).digest().readUInt32BE(0) / 2 ** 32;
    return this.ttl() * 1000 + Math.floor(share * this.jitter() * 1000);
  }
}

/**
 * Buckets that bring each under the limit: fields are spread at random, so a bucket may have some more than the mean;
 * the next power of two above the fields divided by three quarters of the limit leaves room for that.
 */
export function bucketsFor(fields: number, limit: number): number {
  let buckets = 2;
  while (fields / buckets > 0.75 * limit) buckets *= 2;
  return buckets;
}

function step(
  comment: string,
  db: number,
  script: PlanScript,
  keys: readonly Uint8Array[],
  args: readonly (string | number)[],
  repeat?: number,
): PlanStep {
  return { comment, db, script, keys, args, repeat };
}

function describeKey({ type, key, size }: PlanKey): string {
  const shown = printableBytes(key.subarray(0, 120));
  const unit = `${type === 'string' ? 'byte' : 'element'}${size === 1 ? '' : 's'}`;
  const elements = size === undefined ? '' : ` (${size} ${unit})`;
  return oneLine(`${type} "${shown}${key.length > 120 ? '...' : ''}"${elements}`);
}
