import { integerClassOf } from '../rdb-parser/integer-class.js';
import { MutableKeyRecord } from '../rdb-parser/key-record.js';
import { INTEGER_CLASS } from '../rdb-parser/records.js';
import { withThresholds } from './choose-profile.js';
import { createMemoryModel, type MemoryModel } from './model.js';
import { PackedSum } from './packed-sum.js';
import type { MemoryProfile } from './profile.js';

/** A key that is not in the snapshot, for asking what another design would take. Lengths are means: fractions are fine. */
export interface ImaginedKey {
  readonly type: 'string' | 'hash' | 'set' | 'zset';
  readonly keyBytes: number;
  readonly hasExpiry: boolean;
  readonly elements: number;
  /** Of a member or a field. */
  readonly elementBytes: number;
  /** Of a field's value, or of a string; undefined: a string that is an integer. */
  readonly valueBytes: number | undefined;
  /** `packed`, `table`: whatever the server's limits say. Default: as they say. */
  readonly form?: 'packed' | 'table' | undefined;
}

/** What MEMORY USAGE would say of keys that do not exist. Models are kept: most questions are about one profile. */
export class ImaginedMemory {
  private readonly profile: MemoryProfile;
  private readonly record = new MutableKeyRecord();
  private readonly models = new Map<'packed' | 'table' | 'default', MemoryModel>();

  constructor(profile: MemoryProfile) {
    this.profile = profile;
  }

  /** Whole bytes. Work grows with the elements, but not when packed. @param key lengths and counts of at least 0 */
  bytes(key: ImaginedKey): number {
    const isLong = key.type !== 'string' && key.elements > SAMPLE_ELEMENTS;
    return key.form === 'packed' && isLong && this.packs(key) ? this.packedBytes(key) : this.modelled(key);
  }

  /** Elements of one length take the same each, so that a few tell what many do. */
  private packedBytes(key: ImaginedKey): number {
    const { layout, allocator } = this.profile;
    const sum = new PackedSum(layout.packing);
    sum.reset();
    const empty = sum.bytes;
    for (let i = 0; i < SAMPLE_ELEMENTS; i++) {
      sum.add(share(key.elementBytes, i), INTEGER_CLASS.none);
      if (key.type === 'hash') sum.add(share(key.valueBytes ?? 0, i), INTEGER_CLASS.none);
      else if (key.type === 'zset') sum.add(0, integerClassOf(MEAN_SCORE));
    }
    const blob = Math.round(empty + ((sum.bytes - empty) * key.elements) / SAMPLE_ELEMENTS);
    const head = this.modelled({ ...key, type: 'string', valueBytes: undefined });
    return head + (layout.packedCount === 'usable' ? allocator.usable(blob) : blob);
  }

  /** Sets of text are packed from 7.2 on. */
  private packs({ type }: ImaginedKey): boolean {
    return type !== 'set' || this.profile.layout.set.packs;
  }

  private modelled(key: ImaginedKey): number {
    const model = this.modelFor(key.form ?? 'default');
    const { record } = this;
    const elements = key.type === 'string' ? 1 : Math.round(key.elements);
    record.clearAttributes();
    record.clearValue();
    record.dataType = key.type;
    record.typeCode = PLAIN_TYPES[key.type];
    record.keyLength = Math.round(key.keyBytes);
    record.hasExpiry = key.hasExpiry;
    record.elementCount = elements;
    if (key.type === 'string') {
      record.payloadBytes = Math.round(key.valueBytes ?? MEAN_INTEGER_BYTES);
      record.integerClass = key.valueBytes === undefined ? INTEGER_CLASS.int32 : INTEGER_CLASS.none;
    }
    model.begin(record);
    for (let i = 0; i < elements; i++) {
      const length = share(key.elementBytes, i);
      if (key.type === 'hash') model.pair(length, 0, share(key.valueBytes ?? 0, i), 0, 0);
      else if (key.type === 'set') model.member(length, 0);
      else if (key.type === 'zset') model.scored(length, 0, MEAN_SCORE);
    }
    model.end(record);
    return model.memoryBytes;
  }

  private modelFor(form: 'packed' | 'table' | 'default'): MemoryModel {
    let model = this.models.get(form);
    if (model === undefined) {
      model = createMemoryModel(form === 'default' ? this.profile : limited(this.profile, LIMITS[form]));
      this.models.set(form, model);
    }
    return model;
  }
}

/** Types of plain values. Source: rdb.h, RDB_TYPE_* (all versions). */
const PLAIN_TYPES = { string: 0, set: 2, hash: 4, zset: 5 } as const;

/** Elements that stand for all of a packed block. */
const SAMPLE_ELEMENTS = 64;

const MEAN_INTEGER_BYTES = 6;
/** A score of five digits, which a packed sorted set holds as an integer of three bytes. */
const MEAN_SCORE = 50_000;
const LIMITS = { packed: 2 ** 31, table: 0 } as const;

function limited(profile: MemoryProfile, limit: number): MemoryProfile {
  return withThresholds(profile, {
    hashMaxListpackEntries: limit,
    hashMaxListpackValue: limit,
    zsetMaxListpackEntries: limit,
    zsetMaxListpackValue: limit,
    setMaxListpackEntries: limit,
    setMaxListpackValue: limit,
    setMaxIntsetEntries: limit,
  });
}

/** The i-th of whole lengths that have the mean. */
function share(mean: number, i: number): number {
  return Math.floor(mean * (i + 1)) - Math.floor(mean * i);
}
