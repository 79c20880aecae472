import { describe, expect, it } from 'vitest';
import {
  ALLOCATOR_NAMES,
  type BlockCosts,
  createMemoryModel,
  knownServers,
  type MemoryModel,
  profileFor,
} from '../../src/memory/index.js';
import { type ValueType, valueTypes } from '../../src/rdb-parser/index.js';
import { MutableKeyRecord } from '../../src/rdb-parser/key-record.js';

const MACHINES = ([64, 32] as const).flatMap((wordBits) =>
  ALLOCATOR_NAMES.map((allocator) => ({ wordBits, allocator })),
);

/** Value types that may lie in one block. */
const TYPES = valueTypes.filter(({ layout }) =>
  ['text', 'ziplist', 'listpack', 'intset'].includes(layout?.holds ?? ''),
);

/** All short ones, those around whatever has a limit, and a stride of the rest up to beyond 64 KiB. */
const LENGTHS: readonly number[] = [
  ...Array.from({ length: 300 }, (_, length) => length),
  ...Array.from({ length: 1200 }, (_, i) => 300 + i * 17),
  ...[512, 1024, 4096, 8192, 16_384, 32_768, 65_536].flatMap((limit) =>
    Array.from({ length: 40 }, (_, i) => limit - 20 + i),
  ),
];

const record = new MutableKeyRecord();

/** Any head will do: it has no part in the rule. */
const keyLengthFor = (length: number): number => length % 70;
const expires = (length: number): boolean => length % 3 === 0;

/** What the model says of such a key; undefined when it would have to see the elements. */
function asked(model: MemoryModel, { code, dataType, layout }: ValueType, length: number) {
  record.clearValue();
  record.typeCode = code;
  record.dataType = dataType;
  record.keyLength = keyLengthFor(length);
  record.hasExpiry = expires(length);
  record.elementCount = 2;
  record.payloadBytes = length;
  model.begin(record);
  const holds = layout?.holds;
  let isWanted = false;
  if (holds === 'ziplist' || holds === 'listpack') {
    isWanted = dataType === 'list' ? model.listNode(holds, length, 2) : model.blob(holds, 2, length);
  } else if (holds === 'intset') isWanted = model.blob(holds, 2, length);
  if (isWanted) return undefined;
  model.end(record);
  return [model.encoding, model.memoryBytes, model.misfit, model.approximate];
}

/** The same by the rule; undefined where there is none. */
function byRule(model: MemoryModel, rules: readonly BlockCosts[], length: number) {
  const costs = rules.find(({ fromBytes, upToBytes }) => fromBytes <= length && length <= upToBytes);
  if (costs === undefined) return undefined;
  const block = length + costs.extraBytes;
  const counted = costs.counted === 'usable' ? model.profile.allocator.usable(block) : block;
  const head = model.headBytesOf(keyLengthFor(length), expires(length));
  return [costs.encoding, head + costs.ownBytes + counted, '', false];
}

/** Values of that type for which the rule says something else. */
function wronglyTold(model: MemoryModel, type: ValueType) {
  const rules = model.blockCosts(type);
  // No blob is empty; a string that may lie with its key has no rule of its own.
  const from = type.dataType === 'string' ? model.jointBelow : 1;
  return LENGTHS.filter((length) => length >= from)
    .map((length) => ({
      type: type.name,
      length,
      told: byRule(model, rules, length),
      asked: asked(model, type, length),
    }))
    .filter(({ told, asked }) => told?.join() !== asked?.join());
}

describe.each(knownServers())('values in one block of %s', (serverVersion) => {
  it.each(MACHINES)('cost what the model says when it is asked: %o', (machine) => {
    const model = createMemoryModel(profileFor({ serverVersion, ...machine }).profile);
    expect(TYPES.flatMap((type) => wronglyTold(model, type))).toEqual([]);
  });

  it.each([-1, -5, 100])('cost that in lists of nodes up to %i', (listMaxListpackSize) => {
    const { profile } = profileFor({ serverVersion, thresholds: { listMaxListpackSize } });
    const model = createMemoryModel(profile);
    const lists = TYPES.filter(({ dataType }) => dataType === 'list');
    expect(lists.flatMap((type) => wronglyTold(model, type))).toEqual([]);
  });

  it.each(MACHINES)('are in one range at most: %o', (machine) => {
    const model = createMemoryModel(profileFor({ serverVersion, ...machine }).profile);
    for (const type of TYPES) {
      const rules = model.blockCosts(type).toSorted((one, other) => one.fromBytes - other.fromBytes);
      const ends = [0, ...rules.map(({ upToBytes }) => upToBytes)];
      for (const [i, { fromBytes, upToBytes }] of rules.entries()) {
        expect(fromBytes).toBeGreaterThanOrEqual(i === 0 ? 0 : ends[i]! + 1);
        expect(upToBytes).toBeGreaterThanOrEqual(fromBytes);
      }
    }
  });
});
