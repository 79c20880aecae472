import { describe, expect, it } from 'vitest';
import { bytesSource, Decoder, type ValueMeter } from '../../src/rdb-parser/index.js';
import { RdbBytes } from '../rdb-bytes.js';
import {
  hashKey,
  listKey,
  measure,
  measureAll,
  modelOf,
  setKey,
  stringKey,
  texts,
  zsetKey,
} from './measure.js';

describe('a memory model', () => {
  it('does not depend on the keys that it saw before', () => {
    const snapshots = [
      stringKey('s', 'value'),
      listKey('l', texts(600, 30)),
      setKey('i', ['1', '2', '70000']),
      setKey('t', texts(200, 9)),
      hashKey(
        'h',
        texts(20, 9).map((field) => [field, 'v'.repeat(70)] as const),
      ),
      zsetKey(
        'z',
        texts(9, 9).map((member, i) => [member, i / 3] as const),
      ),
    ];
    for (const serverVersion of [
      '2.8',
      '4.0',
      '6.2',
      '7.2',
      '8.8',
      'valkey-8.0',
      'valkey-9.1',
      'keydb-6.3',
    ]) {
      const model = modelOf({ serverVersion });
      for (const snapshot of [...snapshots, ...snapshots.toReversed()]) {
        const [measured] = measureAll(snapshot.end(), model).values();
        expect(measured).toEqual(measure(snapshot, { serverVersion }));
      }
    }
  });

  it('asks for integer classes only while a value may be packed', () => {
    const model = modelOf({ serverVersion: '7.2' });
    const asked: boolean[] = [];
    const watch = (snapshot: RdbBytes): readonly boolean[] => {
      asked.length = 0;
      const decoder = new Decoder(bytesSource(snapshot.end()));
      decoder.readHeader();
      decoder.meter = watching(model, asked);
      while (decoder.next());
      return asked;
    };
    const long = 'v'.repeat(65);
    expect(
      watch(
        hashKey('k', [
          ['f', 'v'],
          ['g', long],
          ['h', 'v'],
        ]),
      ),
    ).toEqual([true, true, false]);
    expect(watch(setKey('k', [...texts(2, 5), long, 'x']))).toEqual([true, true, true, false]);
    // Two texts tell that a set is not one of integers but for one member.
    expect(watch(setKey('k', texts(513, 5))).filter(Boolean)).toHaveLength(2);
    expect(new Set(watch(setKey('k', texts(1025, 5))))).toEqual(new Set([false]));
    expect(
      new Set(
        watch(
          hashKey(
            'k',
            texts(513, 5).map((field) => [field, 'v'] as const),
          ),
        ),
      ),
    ).toEqual(new Set([false]));
  });

  it('follows the table of a hash whose first long value comes late', () => {
    // t_hash.c converts with room for the fields so far, then the loader makes room for those left
    const short = texts(20, 5).map((field) => [field, 'v'] as const);
    const slotsOf = (before: number): number => {
      const pairs = [...short.slice(0, before), ['long', 'v'.repeat(65)] as const, ...short.slice(before)];
      const { memoryBytes } = measure(hashKey('k', pairs), { serverVersion: '7.2' });
      const fixed = 16 + 56 + 8 + 24 + 20 * (24 + 8 + 8) + (24 + 8 + 80);
      return (memoryBytes - fixed) / 8;
    };
    expect(slotsOf(0)).toBe(32);
    expect(slotsOf(16)).toBe(16 + 32);
    expect(slotsOf(20)).toBe(32);
  });

  it('counts a cluster entry of 7.0 with its links', () => {
    const snapshot = stringKey('k', 'v');
    const alone = measure(snapshot, { serverVersion: '7.0' }).memoryBytes;
    expect(measure(snapshot, { serverVersion: '7.0', cluster: true }).memoryBytes).toBe(alone + 16);
  });

  it('says that a module is only approximated', () => {
    const snapshot = new RdbBytes('REDIS0011').hex('07 K 81 45e25238df912c03 05 02 7b7d 00');
    const measured = measure(snapshot, { serverVersion: '7.2' });
    expect(measured).toMatchObject({ encoding: 'raw', approximate: true });
    expect(measured.memoryBytes).toBe(16 + 8 + 24 + 14);
  });

  it('counts an array by slices: four cells and one text of 11 bytes', () => {
    const snapshot = new RdbBytes('REDIS0014').hex(
      '1c K 04 00   00 00 0b 68656c6c6f20776f726c64   01 01 f9ffffffffffffff   02 02 000000000000f03f   03 03 02 6162',
    );
    expect(measure(snapshot, { serverVersion: '8.8' })).toEqual({
      memoryBytes: 208,
      encoding: 'sliced-array',
      approximate: false,
    });
    expect(measure(snapshot, { serverVersion: '8.10' }).memoryBytes).toBe(204);
  });

  it('makes smaller figures for a 32-bit build', () => {
    const snapshot = hashKey(
      'k',
      texts(1000, 10).map((field) => [field, 'value'] as const),
    );
    const wide = measure(snapshot, { serverVersion: '7.2' }).memoryBytes;
    // object 12, key 8, entry 16, dict 28, 4 bytes a slot, entries of 16, field and value 16 and 8
    const narrow = 12 + 8 + 16 + 28 + 4 * 1024 + 1000 * (16 + 16 + 8);
    expect(measure(snapshot, { serverVersion: '7.2', wordBits: 32 }).memoryBytes).toBe(narrow);
    expect(narrow).toBeLessThan(wide);
  });
});

/** Passes everything on and notes at each element whether classes were asked for. */
function watching(model: ValueMeter, asked: boolean[]): ValueMeter {
  const noted = (): boolean => {
    asked.push(model.classify);
    return model.classify;
  };
  return {
    begin: (record) => model.begin(record),
    get classify() {
      return model.classify;
    },
    blob: (...parts) => model.blob(...parts),
    listNode: (...parts) => model.listNode(...parts),
    item: (...parts) => {
      noted();
      model.item(...parts);
    },
    member: (...parts) => {
      noted();
      model.member(...parts);
    },
    scored: (...parts) => {
      noted();
      model.scored(...parts);
    },
    pair: (...parts) => {
      noted();
      model.pair(...parts);
    },
    members: (length, count) => {
      for (let i = 0; i < count; i++) noted();
      model.members(length, count);
    },
    scoredMembers: (length, count) => {
      for (let i = 0; i < count; i++) noted();
      model.scoredMembers(length, count);
    },
    pairs: (field, value, count) => {
      for (let i = 0; i < count; i++) noted();
      model.pairs(field, value, count);
    },
    streamNode: (...parts) => model.streamNode(...parts),
    streamGroup: (...parts) => model.streamGroup(...parts),
    streamPending: (...parts) => model.streamPending(...parts),
    streamConsumer: (...parts) => model.streamConsumer(...parts),
    streamConsumerPending: (...parts) => model.streamConsumerPending(...parts),
    arrayElement: (...parts) => model.arrayElement(...parts),
    end: (record) => model.end(record),
  };
}
