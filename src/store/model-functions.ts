import type { Database } from 'better-sqlite3';
import {
  ImaginedMemory,
  type MemoryProfile,
  parseProfile,
  THRESHOLD_SETTINGS,
  type ThresholdName,
} from '../memory/index.js';
import { StoreError } from './errors.js';
import { asNumber } from './function-arguments.js';

/** Answers kept, so that a question asked for every row is computed once. */
const MAX_ANSWERS = 4096;

/**
 * Adds the SQL functions that ask the memory model what another design would take. Each begins with the profile, as
 * `files.memory_profile` tells it; an unknown one gives NULL.
 *
 * `modelled_bytes(profile, type, key_bytes, elements, element_bytes, value_bytes, has_ttl, form)`: a key's bytes;
 * lengths are means, `value_bytes` NULL is an integer, `form` is `packed`, `table` or NULL for the server's own limits.
 * `name_saving(profile, keys, key_name_bytes, cut)`: bytes that keys of that many name bytes in all would save together
 * if each name were `cut` bytes shorter.
 * `packing_limit(profile, type, 'entries' | 'bytes')`: where the server stops packing a hash, zset, set, or intset;
 * `packing_setting`: the setting's name in its redis.conf. NULL where the version packs no such thing.
 */
export function registerModelFunctions(database: Database): void {
  const options = { deterministic: true } as const;
  const profiles = new Profiles();
  const answers = new Map<string, number>();
  database.function('modelled_bytes', { ...options, varargs: true }, (...given: unknown[]) => {
    if (given.length !== 8) throw new StoreError('bad-option', 'modelled_bytes() takes eight values', '');
    const question = given.join('\u0000');
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = modelledBytes(profiles, given);
    if (answer === null) return null;
    if (answers.size >= MAX_ANSWERS) answers.clear();
    answers.set(question, answer);
    return answer;
  });
  database.function('name_saving', options, (profile: unknown, keys: unknown, bytes: unknown, cut: unknown) =>
    nameSaving(profiles, profile, Number(keys), Number(bytes), Number(cut)),
  );
  database.function('packing_limit', options, (profile: unknown, type: unknown, what: unknown) => {
    const known = profiles.profile(profile);
    const name = thresholdName(type, what);
    return known === undefined || !packs(known, type) ? null : known.thresholds[name];
  });
  database.function('packing_setting', options, (profile: unknown, type: unknown, what: unknown) => {
    const known = profiles.profile(profile);
    return known === undefined || !packs(known, type) ? null : settingName(known, thresholdName(type, what));
  });
}

/** Profiles by their text, each with its models. */
class Profiles {
  private readonly known = new Map<
    string,
    { readonly profile: MemoryProfile; readonly imagined: ImaginedMemory }
  >();

  profile(text: unknown): MemoryProfile | undefined {
    return this.find(text)?.profile;
  }

  imagined(text: unknown): ImaginedMemory | undefined {
    return this.find(text)?.imagined;
  }

  private find(text: unknown): { profile: MemoryProfile; imagined: ImaginedMemory } | undefined {
    if (typeof text !== 'string') return undefined;
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const profile = parseProfile(text);
    if (profile === undefined) return undefined;
    const found = { profile, imagined: new ImaginedMemory(profile) };
    this.known.set(text, found);
    return found;
  }
}

/** Elements of an imagined key at most: the work of one call stays bounded. */
const MAX_ELEMENTS = 1_000_000;

function modelledBytes(profiles: Profiles, given: readonly unknown[]): number | null {
  const [profile, type, keyBytes, elements, elementBytes, valueBytes, hasTtl, form] = given;
  const imagined = profiles.imagined(profile);
  if (imagined === undefined) return null;
  if (type !== 'string' && type !== 'hash' && type !== 'set' && type !== 'zset') return null;
  const count = Number(elements ?? 1);
  if (!(count >= 0 && count <= MAX_ELEMENTS)) return null;
  return imagined.bytes({
    type,
    keyBytes: length(keyBytes),
    hasExpiry: Number(hasTtl) === 1,
    elements: count,
    elementBytes: length(elementBytes),
    valueBytes: valueBytes === null ? undefined : length(valueBytes),
    form: form === 'packed' || form === 'table' ? form : undefined,
  });
}

/** Between whole lengths of names what is saved is interpolated: names of one prefix differ by a few bytes. */
function nameSaving(
  profiles: Profiles,
  profile: unknown,
  keys: number,
  bytes: number,
  cut: number,
): number | null {
  const imagined = profiles.imagined(profile);
  if (imagined === undefined || !(keys > 0)) return null;
  const mean = bytes / keys;
  const fraction = mean - Math.floor(mean);
  const saved = (keyBytes: number): number =>
    headOf(imagined, keyBytes) - headOf(imagined, Math.max(0, keyBytes - cut));
  const each = (1 - fraction) * saved(Math.floor(mean)) + fraction * saved(Math.ceil(mean));
  return Math.round(keys * each);
}

/** All that a key takes without its value: an integer takes nothing more. */
function headOf(imagined: ImaginedMemory, keyBytes: number): number {
  return imagined.bytes({
    type: 'string',
    keyBytes,
    hasExpiry: false,
    elements: 1,
    elementBytes: 0,
    valueBytes: undefined,
  });
}

function length(value: unknown): number {
  return Math.max(0, asNumber(value) ?? 0);
}

const LIMITS: Readonly<Record<string, ThresholdName>> = {
  'hash entries': 'hashMaxListpackEntries',
  'hash bytes': 'hashMaxListpackValue',
  'zset entries': 'zsetMaxListpackEntries',
  'zset bytes': 'zsetMaxListpackValue',
  'set entries': 'setMaxListpackEntries',
  'set bytes': 'setMaxListpackValue',
  'intset entries': 'setMaxIntsetEntries',
};

function thresholdName(type: unknown, what: unknown): ThresholdName {
  const name = LIMITS[`${type} ${what}`];
  if (name === undefined) {
    throw new StoreError('bad-option', `there is no packing limit of ${type}, ${what}`, '');
  }
  return name;
}

/** Sets of text are packed from 7.2 on. */
function packs(profile: MemoryProfile, type: unknown): boolean {
  return type !== 'set' || profile.layout.set.packs;
}

/** `hash-max-listpack-entries`, or `hash-max-ziplist-entries` for a server that knows that name. */
function settingName(profile: MemoryProfile, threshold: ThresholdName): string {
  const names = Object.keys(THRESHOLD_SETTINGS).filter((name) => THRESHOLD_SETTINGS[name] === threshold);
  return names.find((name) => name.includes(profile.layout.packing)) ?? names[0]!;
}
