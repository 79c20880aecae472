import {
  createMemoryModel,
  type MemoryModel,
  type ProfileRequest,
  profileFor,
} from '../../src/memory/index.js';
import { bytesSource, Decoder, keyOf } from '../../src/rdb-parser/index.js';
import { RdbBytes } from '../rdb-bytes.js';

export interface Measured {
  readonly memoryBytes: number;
  readonly encoding: string | undefined;
  readonly approximate: boolean;
}

/** A model of the server asked for: `{ serverVersion: 'valkey-8.0' }`. */
export function modelOf(request: ProfileRequest): MemoryModel {
  return createMemoryModel(profileFor(request).profile);
}

/** What the model says of each key of a snapshot, by key. */
export function measureAll(snapshot: Uint8Array, model: MemoryModel): ReadonlyMap<string, Measured> {
  const decoder = new Decoder(bytesSource(snapshot));
  decoder.readHeader();
  decoder.meter = model;
  const measured = new Map<string, Measured>();
  while (decoder.next()) {
    const { memoryBytes, encoding, approximate } = model;
    measured.set(Buffer.from(keyOf(decoder.record)).toString('latin1'), {
      memoryBytes,
      encoding,
      approximate,
    });
  }
  return measured;
}

/** The only key of a snapshot in that server. */
export function measure(snapshot: RdbBytes, request: ProfileRequest): Measured {
  return [...measureAll(snapshot.end(), modelOf(request)).values()][0]!;
}

/** `count` different texts of `length` bytes, none of them an integer. */
export function texts(count: number, length: number): readonly string[] {
  return Array.from({ length: count }, (_, i) =>
    `${'x'.repeat(length)}${i}`.slice(-length).replace(/^\d/, 'y'),
  );
}

export function stringKey(key: string, value: string): RdbBytes {
  return new RdbBytes().hex('00').string(key).string(value);
}

export function listKey(key: string, items: readonly string[]): RdbBytes {
  return collection(1, key, items.length, items);
}

export function setKey(key: string, members: readonly string[]): RdbBytes {
  return collection(2, key, members.length, members);
}

export function hashKey(key: string, pairs: readonly (readonly [field: string, value: string])[]): RdbBytes {
  return collection(4, key, pairs.length, pairs.flat());
}

export function zsetKey(
  key: string,
  members: readonly (readonly [member: string, score: number])[],
): RdbBytes {
  const bytes = new RdbBytes().hex('05').string(key).length(members.length);
  for (const [member, score] of members) {
    const binary = Buffer.alloc(8);
    binary.writeDoubleLE(score);
    bytes.string(member).bytes(binary);
  }
  return bytes;
}

function collection(type: number, key: string, count: number, strings: readonly string[]): RdbBytes {
  const bytes = new RdbBytes().bytes(Uint8Array.of(type)).string(key).length(count);
  for (const text of strings) bytes.string(text);
  return bytes;
}
