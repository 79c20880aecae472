import type { Allocator } from './allocator.js';
import { LengthCost } from './length-cost.js';
import { countedSdsBytes, embeddedSdsBytes, type SdsCount, type SdsGeneration, sdsBytes } from './sds.js';

/** Field and value are strings of their own (up to Redis 7.2, Valkey up to 8.0). */
export interface SeparateFieldLayout {
  readonly kind: 'sds';
}

/** The field is a string of another make, which may carry an expiry (Redis 7.4 – 8.4). Source: mstr.h, mstr.c (7.4). */
export interface MstrFieldLayout {
  readonly kind: 'mstr';
  /** Flags and metadata in front of a field that expires. */
  readonly expiryBytes: number;
}

/** Field, expiry and a short value share a block (Redis 8.6 and later: entry.c; Valkey 8.1 and later: hash entry). */
export interface SharedEntryLayout {
  readonly kind: 'entry';
  readonly expiryBytes: number;
  /** Up to this size field and value lie together. */
  readonly maxBytes: number;
  /** What points to a value that lies apart. */
  readonly pointerBytes: number;
  /** Whether the report counts the block or what was asked for. */
  readonly count: 'requested' | 'usable';
}

export type HashEntryLayout = SeparateFieldLayout | MstrFieldLayout | SharedEntryLayout;

/** Header of a value that lies in its field's block: always the 3-byte one. */
const EMBEDDED_VALUE_HEADER_BYTES = 3;

/** What one field and its value cost in a table, without the table's own entry. */
export class HashEntryMemory {
  private readonly layout: HashEntryLayout;
  private readonly allocator: Allocator;
  private readonly valueCost: LengthCost;
  private readonly fieldCost: LengthCost;
  private readonly expiringFieldCost: LengthCost;
  /** Field's part of a shared block: with the shortest header, and with one that can tell more. */
  private readonly fieldPart: LengthCost;
  private readonly longFieldPart: LengthCost;

  constructor(
    layout: HashEntryLayout,
    strings: { readonly generation: SdsGeneration; readonly count: SdsCount },
    allocator: Allocator,
  ) {
    const { generation, count } = strings;
    this.layout = layout;
    this.allocator = allocator;
    const ownBlock = (length: number): number => countedSdsBytes(length, generation, count, allocator);
    this.valueCost = new LengthCost(ownBlock);
    if (layout.kind === 'mstr') {
      this.fieldCost = new LengthCost((length) => allocator.usable(mstrBytes(length)));
      this.expiringFieldCost = new LengthCost((length) =>
        allocator.usable(mstrBytes(length) + layout.expiryBytes),
      );
    } else {
      this.fieldCost = this.valueCost;
      this.expiringFieldCost = this.valueCost;
    }
    this.fieldPart = new LengthCost((length) => embeddedSdsBytes(length, generation));
    this.longFieldPart = new LengthCost((length) => Math.max(length + 4, sdsBytes(length, generation)));
  }

  bytes(fieldLength: number, valueLength: number, expires: boolean): number {
    const { layout } = this;
    if (layout.kind !== 'entry') {
      const field = expires ? this.expiringFieldCost : this.fieldCost;
      return field.of(fieldLength) + this.valueCost.of(valueLength);
    }
    const expiry = expires ? layout.expiryBytes : 0;
    const field = expires ? this.longFieldPart.of(fieldLength) : this.fieldPart.of(fieldLength);
    const together = field + expiry + EMBEDDED_VALUE_HEADER_BYTES + valueLength + 1;
    if (together <= layout.maxBytes) {
      return layout.count === 'usable' ? this.allocator.usable(together) : together;
    }
    const apart = expiry + layout.pointerBytes + this.longFieldPart.of(fieldLength);
    return (
      (layout.count === 'usable' ? this.allocator.usable(apart) : apart) + this.valueCost.of(valueLength)
    );
  }
}

/** Source: mstr.c, `mstrNew`; mstr.h, MSTR_TYPE_* (Redis 7.4): headers of 1, 3 and 9 bytes. */
function mstrBytes(length: number): number {
  const header = length < 2 ** 5 ? 1 : length < 2 ** 16 ? 3 : 9;
  return header + length + 1;
}
