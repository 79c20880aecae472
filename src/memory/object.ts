import type { Allocator } from './allocator.js';
import { type Bytes, pick } from './layout.js';
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
const VALUE_HEADER_BYTES = 3;

/** Length, counter, flags; an empty string is not shared. Source: sds.h, `sdshdrrefcount` (KeyDB 6.3). */
const SHARED_HEADER_BYTES = 11;

/** What the parts around a value cost: object, key, entry; and a string's own text. */
export class ObjectMemory {
  private readonly layout: ObjectLayout;
  private readonly sds: SdsGeneration;
  private readonly sdsCount: SdsCount;
  private readonly allocator: Allocator;
  private readonly objectBytes: number;
  private readonly entryBytes: number;
  private readonly embeddedObjectBytes: number;

  constructor(
    layout: ObjectLayout,
    strings: { readonly generation: SdsGeneration; readonly count: SdsCount },
    machine: { readonly wordBits: 64 | 32; readonly allocator: Allocator; readonly cluster: boolean },
  ) {
    this.layout = layout;
    this.sds = strings.generation;
    this.sdsCount = strings.count;
    this.allocator = machine.allocator;
    this.objectBytes = pick(layout.objectBytes, machine.wordBits);
    this.entryBytes = layout.kind === 'in-object' ? 0 : pick(layout.entryBytes, machine.wordBits);
    if (layout.kind === 'separate' && machine.cluster) {
      this.entryBytes += pick(layout.clusterEntryBytes, machine.wordBits);
    }
    this.embeddedObjectBytes =
      layout.kind === 'in-object' ? pick(layout.embed.objectBytes, machine.wordBits) : 0;
  }

  /** Bytes of object, key and entry for a value that has blocks of its own, or an integer that needs none. */
  headBytes(keyLength: number, hasExpiry: boolean): number {
    const { layout } = this;
    if (layout.kind === 'in-object') return this.blockBytes(layout, keyLength, hasExpiry);
    return this.objectBytes + this.keyAndEntryBytes(layout, keyLength);
  }

  /** Whether a string of that length lies in the same block as its object. */
  embeds(keyLength: number, hasExpiry: boolean, length: number): boolean {
    const { layout } = this;
    if (layout.kind !== 'in-object') return length <= layout.embstr.maxLength;
    const { embed } = layout;
    if (length > embed.maxValueLength) return false;
    const key = embed.exactKeyHeader ? embeddedSdsBytes(keyLength, this.sds) : keyLength + 2;
    const expiry = embed.expiryCounts && hasExpiry ? layout.expiryBytes : 0;
    const value = Math.max(embed.minValueBytes, VALUE_HEADER_BYTES + length + 1);
    return this.embeddedObjectBytes + KEY_OFFSET_BYTES + key + expiry + value <= embed.maxBytes;
  }

  /** Everything of a key whose string value `embeds`. */
  embeddedBytes(keyLength: number, hasExpiry: boolean, length: number): number {
    const { layout, allocator } = this;
    if (layout.kind === 'in-object') {
      const expiry = this.expiryBytes(layout, keyLength, hasExpiry);
      const value = Math.max(layout.embed.minValueBytes, VALUE_HEADER_BYTES + length + 1);
      const key = KEY_OFFSET_BYTES + embeddedSdsBytes(keyLength, this.sds);
      return allocator.usable(this.embeddedObjectBytes + expiry + key + value);
    }
    const object =
      layout.embstr.count === 'short'
        ? this.objectBytes + length + 2
        : allocator.usable(this.objectBytes + VALUE_HEADER_BYTES + length + 1);
    return object + this.keyAndEntryBytes(layout, keyLength);
  }

  /** The text of a string value in a block of its own. */
  rawBytes(length: number): number {
    return countedSdsBytes(length, this.sds, this.sdsCount, this.allocator);
  }

  private keyAndEntryBytes(layout: SeparateKeyLayout | KeyInEntryLayout, keyLength: number): number {
    if (layout.kind === 'in-entry') {
      return this.allocator.usable(this.entryBytes + sdsBytes(keyLength, this.sds));
    }
    if (layout.keyCount === 'argument') {
      const header = keyLength < 32 ? VALUE_HEADER_BYTES : sdsBytes(keyLength, this.sds) - keyLength - 1;
      return this.entryBytes + header + keyLength + 1;
    }
    if (layout.keyCount === 'shared') {
      const header = keyLength === 0 ? sdsHeaderBytes(0, this.sds) : SHARED_HEADER_BYTES;
      return this.entryBytes + this.allocator.usable(header + keyLength + 1);
    }
    return this.entryBytes + countedSdsBytes(keyLength, this.sds, layout.keyCount, this.allocator);
  }

  private blockBytes(layout: KeyInObjectLayout, keyLength: number, hasExpiry: boolean): number {
    if (layout.count === 'object') return this.objectBytes;
    const expiry = this.expiryBytes(layout, keyLength, hasExpiry);
    const bytes = this.objectBytes + expiry + KEY_OFFSET_BYTES + embeddedSdsBytes(keyLength, this.sds);
    const usable = this.allocator.usable(bytes);
    if (layout.count === 'usable') return usable;
    const slack = layout.expiryInSlack && expiry === 0 && usable - bytes >= layout.expiryBytes;
    return slack ? bytes + layout.expiryBytes : bytes;
  }

  private expiryBytes(layout: KeyInObjectLayout, keyLength: number, hasExpiry: boolean): number {
    return hasExpiry || keyLength >= layout.expiryFromKeyLength ? layout.expiryBytes : 0;
  }
}
