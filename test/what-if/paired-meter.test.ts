import { describe, expect, it } from 'vitest';
import { createMemoryModel, type MemoryModel, profileFor } from '../../src/memory/index.js';
import { bytesSource, Decoder, type ValueMeter } from '../../src/rdb-parser/index.js';
import { PairedMeter } from '../../src/what-if/paired-meter.js';
import { readTruthSet, shippedTruthSetNames } from '../fixtures.js';

const SERVERS = ['redis-2.8', 'redis-6.2', 'redis-7.2', 'redis-8.8', 'valkey-9.1', 'keydb-6.3'];

function modelOf(serverVersion: string, limit?: number): MemoryModel {
  const thresholds =
    limit === undefined
      ? {}
      : { hashMaxListpackEntries: limit, zsetMaxListpackEntries: limit, setMaxIntsetEntries: limit };
  return createMemoryModel(profileFor({ serverVersion, thresholds }).profile);
}

/** `bytes encoding` of every key, by each model. */
function figures(snapshot: Uint8Array, meter: ValueMeter, models: readonly MemoryModel[]): string[][] {
  const decoder = new Decoder(bytesSource(snapshot));
  decoder.readHeader();
  decoder.meter = meter;
  const told: string[][] = models.map(() => []);
  while (decoder.next()) {
    for (const [i, model] of models.entries()) told[i]!.push(`${model.memoryBytes} ${model.encoding}`);
  }
  return told;
}

/** Each set with one pair of servers, in turn: every pair meets sets of several versions. */
const cases = shippedTruthSetNames().map((name, i) => {
  const now = SERVERS[i % SERVERS.length]!;
  const other = SERVERS[(i * 5 + 1) % SERVERS.length]!;
  return [name, now, other] as const;
});

describe('two models over one snapshot', () => {
  it.each(cases)('%s: %s and %s tell what each tells alone', (name, nowServer, otherServer) => {
    const { snapshot } = readTruthSet(name);
    const alone = (serverVersion: string, limit?: number): string[] => {
      const model = modelOf(serverVersion, limit);
      return figures(snapshot, model, [model])[0]!;
    };
    const now = modelOf(nowServer);
    const other = modelOf(otherServer, 4);
    const told = figures(snapshot, new PairedMeter(now, other), [now, other]);
    expect(told).toEqual([alone(nowServer), alone(otherServer, 4)]);
  });
});
