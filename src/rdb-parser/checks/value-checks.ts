import type { ByteReader } from '../byte-reader.js';
import { RdbError } from '../errors.js';
import type { MutableKeyRecord } from '../key-record.js';
import { NoMeter } from '../no-meter.js';
import type { PackedCursor } from '../packed/cursor.js';
import { announcedElements, HEADER_BYTES } from '../packed/header.js';
import { type KeyRecord, type Packing, type ProblemCode, UNKNOWN } from '../records.js';
import { newStringHead, readStringHead, type StringHead, type StringPeek } from '../string.js';
import { ElementWalk } from './element-walk.js';
import { IntsetWalk } from './intset-walk.js';
import { ListpackWalk } from './listpack-walk.js';
import { passLzf } from './lzf-check.js';
import { MemberDigests } from './member-digests.js';
import { PendingCheck } from './pending-check.js';
import { spellsNumber } from './score-text.js';
import { checkStreamNode } from './stream-node-check.js';
import { WholeBlob } from './whole-blob.js';
import { ZiplistWalk } from './ziplist-walk.js';
import { ZipmapWalk } from './zipmap-walk.js';

/** What the elements of a packed collection are: members, fields and values, and so on in turn. */
export type CollectionShape = 'members' | 'scored' | 'pairs' | 'pairs-with-expiry';

const TURNS: Readonly<Record<CollectionShape, number>> = {
  members: 1,
  scored: 2,
  pairs: 2,
  'pairs-with-expiry': 3,
};

/** Plain collections that hold nothing twice: every element is a member, or every second a field. */
const PLAIN_TURNS: ReadonlyMap<string, number> = new Map([
  ['SET', 1],
  ['SET_WITH_EXPIRY', 1],
  ['ZSET', 1],
  ['ZSET_2', 1],
  ['HASH', 2],
  ['HASH_2', 2],
  ['HASH_METADATA', 2],
  ['HASH_METADATA_PRE_GA', 2],
  ['HASH_WITH_EXPIRY', 2],
]);

interface Parts {
  readonly reader: ByteReader;
  readonly record: MutableKeyRecord;
  readonly peek: StringPeek;
  readonly cursor: PackedCursor;
  readonly problem: (
    code: ProblemCode,
    severity: 'info' | 'warning' | 'error',
    text: string,
    offset?: number,
  ) => void;
}

/**
 * Looks into values as deeply as a server that does not trust its input (`sanitize-dump-payload yes`) and deeper:
 * whatever is written twice must agree, nothing may come twice. A fault inside a value is told as a problem and reading
 * goes on behind it, because the value's own length says where that is.
 */
export class ValueChecks extends NoMeter {
  /** Every element is asked for, see `element`. */
  override readonly classify = true;
  private readonly parts: Parts;
  private readonly head = newStringHead();
  private readonly whole = new WholeBlob();
  private readonly digests = new MemberDigests();
  private readonly pending = new PendingCheck();
  private readonly walks: Readonly<Record<Packing, ElementWalk>> = {
    listpack: new ListpackWalk(),
    ziplist: new ZiplistWalk(),
    intset: new IntsetWalk(),
    zipmap: new ZipmapWalk(),
  };
  private repeated = 0;
  private inGroup = false;
  /** Which of a plain value's elements are looked at for repeats, every first or every second; 0 for none. */
  private turns = 0;
  private turn = 0;
  private aliveEntries = 0;

  constructor(parts: Parts) {
    super();
    this.parts = parts;
  }

  /** Another value starts. */
  override begin(record: KeyRecord): void {
    this.turns = PLAIN_TURNS.get(record.typeName) ?? 0;
    this.turn = 0;
    if (this.turns > 0) this.digests.begin(record.elementCount);
    this.repeated = this.aliveEntries = 0;
    this.inGroup = false;
  }

  override end(record: KeyRecord): void {
    if (this.inGroup) this.endGroup();
    if (this.repeated === 0) return;
    const what = record.dataType === 'hash' ? 'field' : 'member';
    this.tell('duplicate-field', `a ${record.dataType} has a ${what} twice`);
  }

  /** Passes over a plain element and returns its length. */
  element(): number {
    const { reader } = this.parts;
    if (this.turns === 0 || this.turn++ % this.turns !== 0) {
      readStringHead(reader, this.head);
      this.passString(this.head);
      return this.head.length;
    }
    try {
      if (this.digests.repeatsPlain(reader, this.head, this.whole)) this.repeated++;
    } catch (error) {
      this.goOn(error, reader.offset);
    }
    return this.head.length;
  }

  /** Passes over the string whose head was read; one that is compressed must inflate to what it says. */
  passString(head: StringHead): void {
    const { reader } = this.parts;
    if (head.form !== 'lzf') {
      reader.skip(head.stored);
      return;
    }
    const start = reader.offset;
    const problem = passLzf(reader, head.stored, head.length);
    if (problem === undefined) return;
    this.tell('damaged', `an LZF string is damaged: ${problem}`, start);
    reader.skip(start + head.stored - reader.offset);
  }

  /** The blob that comes next is a whole collection. */
  collectionBlob(packing: Packing, shape: CollectionShape): void {
    const { record } = this.parts;
    record.packing = packing;
    const elements = this.look(packing, (walk) => this.walkCollection(walk, shape));
    record.blobBytes = this.head.length;
    const turns = TURNS[shape];
    if (elements === UNKNOWN) return;
    if (elements % turns !== 0) {
      this.tell(
        'damaged',
        `a packed ${record.dataType} holds ${elements} elements, not a multiple of ${turns}`,
      );
    }
    record.elementCount = Math.floor(elements / turns);
    // servers drop other empty collections, but refuse these. Source: rdb.c rdbLoadObject (Redis 7.2)
    if (elements === 0 && (packing === 'intset' || packing === 'zipmap')) {
      this.tell('damaged', `an empty ${packing}, which servers refuse`);
    }
  }

  /** The blob that comes next is a node of a list. Returns its elements, and leaves its size in `blobBytes`. */
  listBlob(packing: 'ziplist' | 'listpack'): number {
    const elements = this.look(packing, (walk) => {
      while (walk.next());
      return walk.count;
    });
    return Math.max(elements, 0);
  }

  /** Inflated bytes of the blob that was looked at last. */
  get blobBytes(): number {
    return this.head.length;
  }

  /** The blob that comes next is a node of a stream. */
  streamBlob(): void {
    const alive = this.look('listpack', checkStreamNode);
    if (alive !== UNKNOWN) this.aliveEntries += alive;
  }

  /** The nodes of a stream are read; it says that it has so many entries. */
  streamLength(length: number): void {
    if (length === this.aliveEntries) return;
    this.tell('damaged', `a stream announces ${length} entries, its nodes hold ${this.aliveEntries}`);
  }

  override streamGroup(): void {
    if (this.inGroup) this.endGroup();
    this.inGroup = true;
    this.pending.begin();
  }

  override streamPending(buffer: Uint8Array, at: number): void {
    this.pending.groupId(buffer, at);
  }

  override streamConsumerPending(buffer: Uint8Array, at: number): void {
    this.pending.consumerId(buffer, at);
  }

  /** Given back: pending without a consumer. */
  override streamGivenBack(buffer: Uint8Array, at: number): void {
    this.pending.consumerId(buffer, at);
  }

  private endGroup(): void {
    const problem = this.pending.problem();
    if (problem !== undefined) this.tell('damaged', problem);
    this.inGroup = false;
  }

  /**
   * Looks into the blob that comes next; UNKNOWN when it is damaged, which has been told then. The reader stands behind
   * the blob in any case.
   */
  private look(packing: Packing, check: (elements: Elements) => number): number {
    const { reader, peek } = this.parts;
    readStringHead(reader, this.head);
    const { stored, length } = this.head;
    const start = reader.offset;
    try {
      peek.look(reader, this.head, HEADER_BYTES[packing]);
      this.digests.begin(announcedElements(packing, peek, length, start));
      if (!this.whole.take(reader, this.head)) return this.lookPiecewise(packing, check);
      const walk = this.walks[packing];
      walk.open(this.whole, start);
      return check(walk);
    } catch (error) {
      this.goOn(error, start);
      reader.skip(start + stored - reader.offset);
      return UNKNOWN;
    }
  }

  /** For blobs too large to be held. */
  private lookPiecewise(packing: Packing, check: (elements: Elements) => number): number {
    const { cursor } = this.parts;
    try {
      cursor.open(packing, this.head);
      return check(cursor);
    } catch (error) {
      if (isInside(error)) cursor.abandon();
      throw error;
    }
  }

  private walkCollection(elements: Elements, shape: CollectionShape): number {
    const turns = TURNS[shape];
    // a blob too large to be held is not looked through for what comes twice
    const walk = elements instanceof ElementWalk ? elements : undefined;
    let notNumbers = 0;
    for (let turn = 0; elements.next(); turn = turn + 1 === turns ? 0 : turn + 1) {
      if (turn === 0) {
        if (walk !== undefined && this.digests.repeatsPacked(walk, this.whole.bytes)) this.repeated++;
      } else if (shape === 'scored') {
        if (
          walk !== undefined &&
          !walk.isInteger &&
          !spellsNumber(this.whole.bytes, walk.textAt, walk.textLength)
        )
          notNumbers++;
      } else if (turn === 2 && elements.value !== 0) this.parts.record.addFieldExpiry(elements.value);
    }
    if (notNumbers > 0) this.tell('nan-score', 'a packed zset has scores that are no numbers');
    return elements.count;
  }

  /** Tells a fault inside a value; any other is thrown on. */
  private goOn(error: unknown, offset: number): void {
    if (!isInside(error)) throw error;
    const { blobOffset } = error.at;
    const place = blobOffset === undefined ? '' : ` (byte ${blobOffset} of the blob)`;
    this.tell('damaged', `${error.problem}${place}`, offset);
  }

  private tell(code: ProblemCode, text: string, offset?: number): void {
    this.parts.problem(code, 'error', text, offset);
  }
}

/** A packed blob's elements, whether it is held whole or walked piece by piece. */
type Elements = ElementWalk | PackedCursor;

/** Faults that a value's own length lets us read on behind. */
function isInside(error: unknown): error is RdbError {
  return (
    error instanceof RdbError &&
    (error.code === 'bad-blob' || error.code === 'bad-lzf' || error.code === 'bad-value')
  );
}
