import { describe, expect, it } from 'vitest';
import { bytesSource, Decoder, type KeyRecord, keyOf, UNKNOWN } from '../../src/rdb-parser/index.js';
import {
  readTruthSet,
  type TruthKey,
  type TruthSet,
  truthById,
  truthId,
  truthSetNames,
  wholeTruthIsHere,
} from '../fixtures.js';

/**
 * Where a server's answer differs from its own file, by name:
 * - KeyDB takes 2^63-1 for "no expiry" (LLONG_MAX is its INVALID_EXPIRE); the file holds it, so we report it.
 * - A server that loads the file drops fields whose time has passed (keys `hfe:lapsed:*`); the one that wrote it agrees
 *   with the file.
 * - Without a memory limit, servers up to 8.0 keep the integers 0..9999 as shared objects when they load a file: all keys
 *   with such a value then share one idle time and frequency. The server that wrote the file agrees with it.
 * - A loading server puts an idle time that its 24-bit clock cannot reach back to at half the clock's range.
 * - Idle times go on between load and question, up to 25 s.
 */
const KEYDB_NO_EXPIRY = '9223372036854775807';
const LAPSED_FIELDS = 'hfe:lapsed:';
const IDLE_DRIFT_SECONDS = 25;
/** Source: object.c objectSetLRUOrLFU, LRU_CLOCK_MAX / 2 (Redis 6.2). */
const IDLE_OUT_OF_REACH = 2 ** 23;

const title = wholeTruthIsHere
  ? 'holds against every truth set'
  : 'the whole truth is not here: holds against the shipped sets only';

it(title, () => {
  expect(truthSetNames().length).toBeGreaterThanOrEqual(wholeTruthIsHere ? 80 : 35);
});

describe.each(truthSetNames())('%s', (name) => {
  const set = readTruthSet(name);

  it('agrees about every key with the server that wrote it', () => {
    const { differences, missing, facts } = compareWith(set.written, set, (record, said, differ) => {
      compareLoadable(record, said, differ, set.name);
      // a hash with field expiries is counted without the 8 bytes of its soonest expiry (Redis 7.4+)
      const soonest = record.typeName === 'HASH_METADATA' || record.typeName === 'HASH_LISTPACK_EX' ? 8 : 0;
      differ('serialized size', said.serlen, record.valueBytes - soonest);
      differ('list nodes', said.ql_nodes, record.listNodes);
      if (record.longestElementBytes !== UNKNOWN)
        differ('longest element', said.max_elem, record.longestElementBytes);
      if (record.payloadBytes !== UNKNOWN) differ('payload', said.elem_bytes, record.payloadBytes);
    });
    expect(differences).toEqual([]);
    expect(missing).toEqual([]);
    expect(facts).toMatchObject({ complete: true, trailingBytes: 0 });
    expect(facts.checksum).toBe(name.includes('nosum') ? 'off' : 'ok');
  });

  it('agrees about every key with the server that loaded it', () => {
    const expired = new Set(
      set.written.filter((key) => key.expired === true).map((key) => `${key.db} ${key.key_b64}`),
    );
    const { differences, missing } = compareWith(
      set.loaded,
      set,
      (record, said, differ) => {
        if (isSharedInteger(record))
          compareLoadable(record, { ...said, idle: null, freq: null }, differ, set.name);
        else compareLoadable(record, said, differ, set.name);
      },
      (id, key) => expired.has(id) || key.startsWith(LAPSED_FIELDS),
    );
    expect(differences).toEqual([]);
    expect(missing).toEqual([]);
  });
});

/** A string of 0..9999. Source: server.h OBJ_SHARED_INTEGERS (Redis 7.2). */
function isSharedInteger(record: KeyRecord): boolean {
  return record.dataType === 'string' && record.integerClass > 0 && record.payloadBytes <= 4;
}

type Differ = (what: string, server: unknown, file: unknown) => void;

/** Holds every key of the snapshot against what was said of it; what was not said does not count. */
function compareWith(
  said: readonly TruthKey[],
  set: TruthSet,
  compare: (record: KeyRecord, said: TruthKey, differ: Differ) => void,
  mayBeGone: (id: string, key: string) => boolean = () => false,
) {
  const truth = truthById(said);
  const differences: string[] = [];
  const decoder = new Decoder(bytesSource(set.snapshot), { deep: true });
  while (decoder.next()) {
    const { record } = decoder;
    const key = Buffer.from(keyOf(record)).toString('latin1');
    const id = truthId(record.db, keyOf(record));
    const answer = truth.get(id);
    if (answer === undefined) {
      if (!mayBeGone(id, key)) differences.push(`${id} is not on the server`);
      continue;
    }
    truth.delete(id);
    compare(record, answer, (what, server, file) => {
      if (server !== undefined && server !== null && server !== file) {
        differences.push(`${id} ${what}: the server says ${String(server)}, the file ${String(file)}`);
      }
    });
  }
  return { differences, missing: [...truth.keys()], facts: decoder.facts };
}

/** What stays the same when the file is loaded. */
function compareLoadable(record: KeyRecord, said: TruthKey, differ: Differ, set: string): void {
  const key = Buffer.from(keyOf(record)).toString('latin1');
  const expiry = record.hasExpiry ? String(record.expiresAtExact ?? record.expiresAtMs) : 'none';
  differ('type', said.type, record.dataType === 'module' ? record.moduleName : record.dataType);
  if (!key.startsWith(LAPSED_FIELDS)) {
    differ('elements', said.len, record.dataType === 'string' ? record.payloadBytes : record.elementCount);
  }
  if (!(set.startsWith('keydb') && expiry === KEYDB_NO_EXPIRY))
    differ('expiry', said.pexpireat ?? 'none', expiry);
  differ('freq', said.freq, record.freq);
  if (said.idle !== null && record.idleSeconds !== UNKNOWN) {
    const drift = said.idle - record.idleSeconds;
    const outOfReach =
      record.idleSeconds > IDLE_OUT_OF_REACH && Math.abs(said.idle - IDLE_OUT_OF_REACH) <= IDLE_DRIFT_SECONDS;
    if (!outOfReach && (drift < -1 || drift > IDLE_DRIFT_SECONDS))
      differ('idle', said.idle, record.idleSeconds);
  }
}
