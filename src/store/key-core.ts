import { ChecksumEngine, Crc64 } from '../rdb-parser/crc64.js';
import type { DecoderWindow } from '../rdb-parser/decoder.js';
import { StoreError } from './errors.js';
import { EARLIEST_EXPIRY_MS, EXPIRY_LIMITS, type ExpiryLimits } from './expiry-buckets.js';
import { instantiateKeyCore, type KeyCoreExports } from './key-core-exports.js';
import { isAlphanumeric, OUR_NAMES, type PatternNames, patternNames } from './key-pattern.js';
import { type PatternRules, ruleNames } from './pattern-rules.js';
import { RuleTables } from './rule-tables.js';
import { MAX_TOTALS } from './totals.js';
import { WindowLengths } from './window-lengths.js';

/** How large the prefix tree may grow. */
export interface PrefixLimits {
  /** Children of one node before unseen segments are folded into its `{*}`. */
  readonly childrenPerNode: number;
  /** Nodes in all before unseen segments are folded; the `{*}` nodes may double it. */
  readonly nodes: number;
  /** Segments told apart; what is left of a longer key counts as one. */
  readonly depth: number;
}

export const DEFAULT_PREFIX_LIMITS: PrefixLimits = { childrenPerNode: 1000, nodes: 50_000, depth: 12 };

/** How much may be kept to find keys that come twice. */
export interface HashLimits {
  /** Of the keys' hashes in memory; the rest goes to a file. */
  readonly memoryBytes: number;
  /** Told apart in one of 256 parts. Beyond that, keys that come twice are not told. */
  readonly distinctPerPart: number;
}

/** Hashes of HASHED_ROWS rows, see duplicates.ts, are 2^21 in a part, give or take 0.1 %; 36 + 16 MiB then. */
export const DEFAULT_HASH_LIMITS: HashLimits = { memoryBytes: 2 ** 24, distinctPerPart: 3 * 2 ** 20 };

export interface KeyCoreOptions {
  readonly limits?: PrefixLimits;
  readonly hashLimits?: HashLimits;
  /**
   * The first of the tree's table and the expiries', the second of the key hashes; unknown to who makes snapshots, so that
   * nobody can aim at one place.
   */
  readonly seeds?: readonly [tree: bigint, hash: bigint];
  /** Room for database pages under construction; 0 when rows are written otherwise. */
  readonly pageBufferBytes?: number;
  /** Room for `window`; 0 for none. */
  readonly windowBytes?: number;
  readonly expiryLimits?: ExpiryLimits;
  /** What segments stand for besides the ids that we know. */
  readonly patternRules?: PatternRules | undefined;
}

const NONE = -1;

/** Data types that there may be sums for. */
const MAX_TYPES = 16;

/**
 * The work on each key for which JavaScript is too slow: its place in the prefix tree and the sums there, its digest,
 * its row. The arithmetic is in assembly/ (WebAssembly); this is the way to it. One key is at hand at a time.
 */
export class KeyCore {
  readonly exports: KeyCoreExports;
  /** All of its memory; it never grows. */
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly doubles: Float64Array;
  readonly pageBufferBytes: number;
  /** A place for the decoder's window: keys that stand in it need not be copied. */
  readonly window: Uint8Array;
  /** The same, with what works on bytes there. */
  readonly decoderWindow: DecoderWindow;
  /** How the placeholders in the tree are written. */
  readonly patternNames: PatternNames;
  /** Facts of the key taken last. */
  slot = 0;
  hashHigh = 0;
  hashLow = 0;
  hasHighBytes = false;
  hasNul = false;
  /** A part of the hashes that the DuplicateFinder must `putDown` after this key; NONE when it need not. */
  fullPart = NONE;

  private readonly ruleTables: RuleTables | undefined;
  private readonly windowAddress: number;
  private readonly keyAddress: number;
  private readonly keyWords: number;
  private readonly maxKeyBytes: number;
  private readonly facts: Int32Array;
  private view: DataView = new DataView(new ArrayBuffer(0));
  private viewOf: Uint8Array | undefined;

  constructor(options: KeyCoreOptions = {}) {
    const { childrenPerNode, nodes, depth } = options.limits ?? DEFAULT_PREFIX_LIMITS;
    const { places, nearSeconds } = options.expiryLimits ?? EXPIRY_LIMITS;
    const hashLimits = options.hashLimits ?? DEFAULT_HASH_LIMITS;
    const [treeSeed, hashSeed] = options.seeds ?? [0n, 0n];
    // Each node may get one `{*}` when the tree is full, and folding makes some for nodes with too many children.
    const capacity = nodes * 2 + Math.ceil((nodes * 2) / childrenPerNode) + 64;
    this.pageBufferBytes = options.pageBufferBytes ?? 0;
    this.exports = instantiateKeyCore();
    this.exports.init(
      capacity,
      MAX_TYPES,
      MAX_TOTALS,
      nodes,
      childrenPerNode,
      depth,
      BigInt.asIntN(64, treeSeed),
      BigInt.asIntN(64, hashSeed),
      this.pageBufferBytes,
      options.windowBytes ?? 0,
      places,
      nearSeconds,
      EARLIEST_EXPIRY_MS,
      hashLimits.memoryBytes,
      hashLimits.distinctPerPart,
    );
    const { patternRules } = options;
    this.patternNames = patternRules === undefined ? OUR_NAMES : patternNames(ruleNames(patternRules));
    if (patternRules !== undefined) this.ruleTables = new RuleTables(this.exports, patternRules);
    const { buffer } = this.exports.memory;
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.keyAddress = this.exports.keyAddress();
    this.keyWords = this.keyAddress / 4;
    this.maxKeyBytes = this.exports.KEY_BYTES.value as number;
    this.facts = new Int32Array(buffer, this.exports.factsAddress(), 5);
    this.windowAddress = this.exports.windowAddress();
    this.window = new Uint8Array(buffer, this.windowAddress, options.windowBytes ?? 0);
    const checksumInput = new Uint8Array(buffer, this.keyAddress, this.maxKeyBytes);
    this.decoderWindow = {
      bytes: this.window,
      lengthCounter: new WindowLengths(this.exports, this.windowAddress),
      checksum: new Crc64(new ChecksumEngine(this.exports, checksumInput)),
    };
  }

  /**
   * Says what separates the segments of keys; to be called once, before the first key.
   * @throws StoreError `bad-option` for anything but ASCII punctuation, and for rules that don't fit to it
   */
  setSeparators(separators: string): void {
    for (const separator of separators) {
      const byte = separator.codePointAt(0) ?? 0;
      // 0 and 1 have a meaning of their own in the tree.
      if (byte <= 1 || byte > 0x7f || isAlphanumeric(byte)) {
        const problem = `${JSON.stringify(separator)} cannot separate segments of keys: use punctuation`;
        throw new StoreError('bad-option', problem, '');
      }
      this.exports.addSeparator(byte);
    }
    this.ruleTables?.use(separators);
  }

  /**
   * Counts a key at its own node, whose id is returned, and digests it. The key stays at hand for `encodeRow`.
   * @param salt mixed into the hash: the same key of another db hashes differently
   * @param elements at least 0: an unknown count adds nothing
   * @param expired past its time when the snapshot was taken
   */
  take(
    key: Uint8Array,
    start: number,
    length: number,
    salt: number,
    typeIndex: number,
    hasExpiry: boolean,
    expired: boolean,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
  ): number {
    const node = this.exports.takeKey(
      this.locate(key, start, length),
      length,
      salt,
      typeIndex,
      hasExpiry ? 1 : 0,
      expired ? 1 : 0,
      memoryBytes,
      serializedBytes,
      elements,
    );
    this.readFacts();
    return node;
  }

  /**
   * `take`, and counts the key in all other sums that the core keeps.
   * @param elements, largestElement UNKNOWN where they are
   * @param totalsCell see Totals
   * @param row the key's row id
   */
  load(
    key: Uint8Array,
    start: number,
    length: number,
    salt: number,
    typeIndex: number,
    hasExpiry: boolean,
    expired: boolean,
    memoryBytes: number,
    serializedBytes: number,
    elements: number,
    largestElement: number,
    totalsCell: number,
    row: number,
    keepsHash: boolean,
  ): number {
    const node = this.exports.loadKey(
      this.locate(key, start, length),
      length,
      salt,
      typeIndex,
      hasExpiry ? 1 : 0,
      expired ? 1 : 0,
      memoryBytes,
      serializedBytes,
      elements,
      largestElement,
      totalsCell,
      row,
      keepsHash ? 1 : 0,
    );
    this.readFacts();
    this.fullPart = this.facts[4]! - 1;
    return node;
  }

  /** Tells a key's segments, up to `maxSegments` of them; 0 for all. `segment` is valid during the call only. */
  readSegments(
    key: Uint8Array,
    maxSegments: number,
    tell: (separator: number, segment: Uint8Array) => void,
  ): void {
    this.exports.startReading(this.setKey(key, 0, key.length), key.length);
    for (let segments = 1; ; segments++) {
      this.exports.readSegment();
      const [address, length, separator, isLast] = this.facts as unknown as [number, number, number, number];
      tell(separator, this.bytes.subarray(address, address + length));
      if (isLast === 1 || segments === maxSegments) return;
    }
  }

  private readFacts(): void {
    const facts = this.facts;
    this.slot = facts[0]!;
    this.hashHigh = facts[1]!;
    this.hashLow = facts[2]!;
    const seen = facts[3]!;
    this.hasHighBytes = (seen & 1) !== 0;
    this.hasNul = (seen & 2) !== 0;
  }

  /** The address of a key's bytes, which are copied unless they stand in the window. */
  private locate(key: Uint8Array, start: number, length: number): number {
    return key === this.window ? this.windowAddress + start : this.setKey(key, start, length);
  }

  /** Copies bytes to where the core looks for a key. @returns their address */
  setKey(key: Uint8Array, start: number, length: number): number {
    if (length > this.maxKeyBytes)
      throw new RangeError(`a key of ${length} bytes was not cut by the decoder`);
    const wholeWords = (length + 3) >> 2;
    if (length >= 128 || start + wholeWords * 4 > key.length) {
      this.bytes.set(key.subarray(start, start + length), this.keyAddress);
      return this.keyAddress;
    }
    // Four bytes at a time is twice as fast as one, and both faster than `set` for a short key. What comes behind the
    // key is copied too, and not looked at.
    if (key !== this.viewOf) {
      this.view = new DataView(key.buffer, key.byteOffset, key.byteLength);
      this.viewOf = key;
    }
    const { view, words, keyWords } = this;
    for (let i = 0; i < wholeWords; i++) words[keyWords + i] = view.getUint32(start + i * 4, true);
    return this.keyAddress;
  }
}
