import type { OpcodeContext } from './opcodes.js';
import { newStringHead, readStringHead } from './string.js';

/*
 * AUX fields: name and value, anywhere between records, also between a key's expiry and its type. They never end the
 * attributes that wait for the next key. Names: rdb.c rdbSaveInfoAuxFields (Redis 7.2), KeyDB, Dragonfly.
 */

/** Bytes of a name or value that are kept. */
const KEPT_BYTES = 2 ** 12;

/** Characters of a server's version that are kept: real ones have ten. */
const LONGEST_VERSION = 64;

/** Fields that come once per key or slot: counted or used, never listed. */
const REPEATED = new Set(['slot-info', 'mvcc-tstamp', 'keydb-subexpire-key', 'keydb-subexpire-when']);

export function readAux(context: OpcodeContext): void {
  const { facts } = context;
  const name = readText(context);
  const value = readText(context);
  applyAux(context, name.toLowerCase(), value);
  if (!REPEATED.has(name)) facts.addAux(name, value);
}

function readText({ reader, text }: OpcodeContext): string {
  const head = newStringHead();
  readStringHead(reader, head);
  text.read(reader, head, KEPT_BYTES);
  return text.text();
}

function applyAux({ facts, record, setDialect }: OpcodeContext, name: string, value: string): void {
  switch (name) {
    case 'valkey-ver':
      facts.product = 'valkey';
      facts.serverVersion ??= value.slice(0, LONGEST_VERSION);
      break;
    case 'redis-ver':
      facts.serverVersion ??= value.slice(0, LONGEST_VERSION);
      break;
    case 'redis-bits':
      facts.wordBits = numberOr(value, facts.wordBits);
      break;
    case 'ctime':
      facts.createdAtMs = numberOr(value, facts.createdAtMs / 1000) * 1000;
      break;
    case 'used-mem':
      facts.usedMemoryBytes = numberOr(value, facts.usedMemoryBytes);
      break;
    case 'slot-info':
      facts.slotRecords++;
      break;
    case 'df-ver':
      setDialect('dragonfly');
      break;
    case 'mvcc-tstamp':
    case 'repl-masters':
      setDialect('keydb');
      break;
    case 'keydb-subexpire-when':
      setDialect('keydb');
      record.addFieldExpiry(numberOr(value, 0));
      break;
    default:
  }
}

function numberOr(text: string, fallback: number): number {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : fallback;
}
