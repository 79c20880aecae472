import type { Allocator } from './allocator.js';
import { type Bytes, pick } from './layout.js';
import { LengthCost } from './length-cost.js';
import {
  countedSdsBytes,
  embeddedSdsBytes,
  type SdsCount,
  type SdsGeneration,
  sdsBytes,
  sdsHeaderBytes,
} from './sds.js';

/** A key of its own: object, key string and dict entry are three blocks (Redis up to 8.0, Valkey 7.2). */
export interface SeparateKeyLayout {
  readonly kind: 'separate';
  /** sizeof(robj) */
  readonly objectBytes: Bytes;
  /** sizeof(dictEntry), as MEMORY USAGE adds it. */
  readonly entryBytes: Bytes;
  /** What an entry holds more in cluster mode (7.0, 7.2: links to the slot's other keys). */
  readonly clusterEntryBytes: Bytes;
  /**
   * How the key's string counts. `argument`: not the key but the command's own argument is measured, an object whose
   * string never has the one-byte header (Redis 4.0: object.c, `memoryCommand`). `shared`: the block of a string with a
   * reference counter (KeyDB: sds.h, `sdshdrrefcount`).
   */
  readonly keyCount: SdsCount | 'argument' | 'shared';
  readonly embstr: EmbstrRule;
}

/** The key lies in the dict entry, object and value apart (Valkey 8.0). */
export interface KeyInEntryLayout {
  readonly kind: 'in-entry';
  readonly objectBytes: Bytes;
  /** Entry bytes before the key: value, next, header size. */
  readonly entryBytes: Bytes;
  readonly embstr: EmbstrRule;
}

/** Short strings in one block with their object. */
export interface EmbstrRule {
  /** Longest text; -1: none. */
  readonly maxLength: number;
  /**
   * `short`: object + length + 2, unrounded, though the block has two bytes more (up to 6.2). `usable`: the block.
   * Source: object.c, `objectComputeSize`.
   */
  readonly count: 'short' | 'usable';
}

/** Object, expiry, key and short values share a block (Redis 8.2 and later, Valkey 8.1 and later). */
export interface KeyInObjectLayout {
  readonly kind: 'in-object';
  readonly objectBytes: Bytes;
  /** Bytes of an expiry in the block. */
  readonly expiryBytes: number;
  /** From this key length on the block has room for an expiry anyway. */
  readonly expiryFromKeyLength: number;
  /** Whether a block with that much slack counts the room for an expiry too. */
  readonly expiryInSlack: boolean;
  /** How the block of a key whose value is elsewhere counts; `object`: without its key (Valkey 8.1). */
  readonly count: 'requested' | 'usable' | 'object';
  readonly embed: EmbedRule;
}

/** When a value moves into its key's block. */
export interface EmbedRule {
  readonly maxValueLength: number;
  readonly maxBytes: number;
  /** Object bytes of a block with an embedded value: the value pointer may give way. */
  readonly objectBytes: Bytes;
  /** Whether a key too long for the one-byte header is reckoned with its real header. */
  readonly exactKeyHeader: boolean;
  readonly expiryCounts: boolean;
  /** Least bytes that the embedded value takes. */
  readonly minValueBytes: number;
}

export type ObjectLayout = SeparateKeyLayout | KeyInEntryLayout | KeyInObjectLayout;

/** Header byte that says where in the block the embedded key starts. Source: object.c, `createKeyEmbeddedObject`. */
const KEY_OFFSET_BYTES = 1;

/** Header of a string embedded as a value: always the 3-byte one. Source: object.c, `createEmbeddedStringObject`. */
export const VALUE_HEADER_BYTES = 3;

/** Length, counter, flags; an empty string is not shared. Source: sds.h, `sdshdrrefcount` (KeyDB 6.3). */
const SHARED_HEADER_BYTES = 11;

/** What the parts around a value cost: object, key, entry; and a string's own text. */
export class ObjectMemory {
  private readonly layout: ObjectLayout;
  private readonly allocator: Allocator;
  private readonly embeddedObjectBytes: number;
  /** Object, key and entry by key length; those of a key that expires. */
  private readonly head: LengthCost;
  private readonly expiringHead: LengthCost;
  private readonly raw: LengthCost;
  /** Key and entry by key length; object and text of a short string by its length. */
  private readonly keyAndEntry: LengthCost;
  private readonly embstr: LengthCost;
  private readonly embeddedKey: LengthCost;

  constructor(
    layout: ObjectLayout,
    strings: { readonly generation: SdsGeneration; readonly count: SdsCount },
    machine: Machine,
  ) {
    const { generation, count } = strings;
    const { allocator, wordBits } = machine;
    this.layout = layout;
    this.allocator = allocator;
    this.raw = new LengthCost((length) => countedSdsBytes(length, generation, count, allocator));
    this.embeddedKey = new LengthCost((length) => embeddedSdsBytes(length, generation));
    const objectBytes = pick(layout.objectBytes, wordBits);
    if (layout.kind === 'in-object') {
      this.embeddedObjectBytes = pick(layout.embed.objectBytes, wordBits);
      const block = (expires: boolean) => (length: number) =>
        blockBytes(layout, objectBytes + KEY_OFFSET_BYTES + embeddedSdsBytes(length, generation), {
          objectBytes,
          expiry: expiryBytes(layout, length, expires),
          allocator,
        });
      this.head = new LengthCost(block(false));
      this.expiringHead = new LengthCost(block(true));
      this.keyAndEntry = this.head;
      this.embstr = this.head;
    } else {
      this.embeddedObjectBytes = 0;
      const keyAndEntry = (length: number): number => keyAndEntryBytes(layout, length, strings, machine);
      this.keyAndEntry = new LengthCost(keyAndEntry);
      this.head = new LengthCost((length) => objectBytes + keyAndEntry(length));
      this.expiringHead = this.head;
      this.embstr = new LengthCost((length) =>
        layout.embstr.count === 'short'
          ? objectBytes + length + 2
          : allocator.usable(objectBytes + VALUE_HEADER_BYTES + length + 1),
      );
    }
  }

  /** Bytes of object, key and entry for a value that has blocks of its own, or an integer that needs none. */
  headBytes(keyLength: number, hasExpiry: boolean): number {
    return hasExpiry ? this.expiringHead.of(keyLength) : this.head.of(keyLength);
  }

  /** Strings of so many bytes and more never lie in one block with their key; 0 where none does. */
  get jointBelow(): number {
    return this.layout.kind === 'in-object' ? this.layout.embed.maxValueLength + 1 : 0;
  }

  /** Whether a string of that length lies in the same block as its object. */
  embeds(keyLength: number, hasExpiry: boolean, length: number): boolean {
    const { layout } = this;
    if (layout.kind !== 'in-object') return length <= layout.embstr.maxLength;
    const { embed } = layout;
    if (length > embed.maxValueLength) return false;
    const key = embed.exactKeyHeader ? this.embeddedKey.of(keyLength) : keyLength + 2;
    const expiry = embed.expiryCounts && hasExpiry ? layout.expiryBytes : 0;
    const value = embeddedValueBytes(embed, length);
    return this.embeddedObjectBytes + KEY_OFFSET_BYTES + key + expiry + value <= embed.maxBytes;
  }

  /** Everything of a key whose string value `embeds`. */
  embeddedBytes(keyLength: number, hasExpiry: boolean, length: number): number {
    const { layout } = this;
    if (layout.kind !== 'in-object') return this.embstr.of(length) + this.keyAndEntry.of(keyLength);
    const key = KEY_OFFSET_BYTES + this.embeddedKey.of(keyLength) + expiryBytes(layout, keyLength, hasExpiry);
    return this.allocator.usable(this.embeddedObjectBytes + key + embeddedValueBytes(layout.embed, length));
  }

  /** The text of a string value in a block of its own. */
  rawBytes(length: number): number {
    return this.raw.of(length);
  }
}

interface Machine {
  readonly wordBits: 64 | 32;
  readonly allocator: Allocator;
  readonly cluster: boolean;
}

function keyAndEntryBytes(
  layout: SeparateKeyLayout | KeyInEntryLayout,
  keyLength: number,
  strings: { readonly generation: SdsGeneration },
  { wordBits, allocator, cluster }: Machine,
): number {
  const { generation } = strings;
  const entryBytes = pick(layout.entryBytes, wordBits);
  if (layout.kind === 'in-entry') return allocator.usable(entryBytes + sdsBytes(keyLength, generation));
  const entry = entryBytes + (cluster ? pick(layout.clusterEntryBytes, wordBits) : 0);
  const header = sdsHeaderBytes(keyLength, generation);
  switch (layout.keyCount) {
    case 'argument':
      return entry + Math.max(VALUE_HEADER_BYTES, header) + keyLength + 1;
    case 'shared':
      return entry + allocator.usable((keyLength === 0 ? header : SHARED_HEADER_BYTES) + keyLength + 1);
    default:
      return entry + countedSdsBytes(keyLength, generation, layout.keyCount, allocator);
  }
}

/** The block of a key whose value lies elsewhere. @param bytes of object and key */
function blockBytes(
  layout: KeyInObjectLayout,
  bytes: number,
  parts: { readonly objectBytes: number; readonly expiry: number; readonly allocator: Allocator },
): number {
  const { objectBytes, expiry, allocator } = parts;
  if (layout.count === 'object') return objectBytes;
  const requested = bytes + expiry;
  const usable = allocator.usable(requested);
  if (layout.count === 'usable') return usable;
  const slack = layout.expiryInSlack && expiry === 0 && usable - requested >= layout.expiryBytes;
  return slack ? requested + layout.expiryBytes : requested;
}

function expiryBytes(layout: KeyInObjectLayout, keyLength: number, hasExpiry: boolean): number {
  return hasExpiry || keyLength >= layout.expiryFromKeyLength ? layout.expiryBytes : 0;
}

function embeddedValueBytes(embed: EmbedRule, length: number): number {
  return Math.max(embed.minValueBytes, VALUE_HEADER_BYTES + length + 1);
}
