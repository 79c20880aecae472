import type { MemoryModel } from '../memory/index.js';
import type { IntegerClass, KeyRecord, ListContainer, Packing, ValueMeter } from '../rdb-parser/records.js';

/**
 * Lets two models listen to one decoder, each as if it were alone: elements that one asks for and the other does not
 * want reach only the first.
 */
export class PairedMeter implements ValueMeter {
  readonly now: MemoryModel;
  readonly other: MemoryModel;
  private nowListens = true;
  private otherListens = true;

  constructor(now: MemoryModel, other: MemoryModel) {
    this.now = now;
    this.other = other;
  }

  get classify(): boolean {
    return (this.nowListens && this.now.classify) || (this.otherListens && this.other.classify);
  }

  begin(record: KeyRecord): void {
    this.nowListens = this.otherListens = true;
    this.now.begin(record);
    this.other.begin(record);
  }

  blob(packing: Packing, elementCount: number, blobBytes: number): boolean {
    this.nowListens = this.now.blob(packing, elementCount, blobBytes);
    this.otherListens = this.other.blob(packing, elementCount, blobBytes);
    return this.nowListens || this.otherListens;
  }

  listNode(container: ListContainer, bytes: number, elementCount: number): boolean {
    this.nowListens = this.now.listNode(container, bytes, elementCount);
    this.otherListens = this.other.listNode(container, bytes, elementCount);
    return this.nowListens || this.otherListens;
  }

  item(length: number, integer: IntegerClass): void {
    if (this.nowListens) this.now.item(length, integerFor(this.now, integer));
    if (this.otherListens) this.other.item(length, integerFor(this.other, integer));
  }

  member(length: number, integer: IntegerClass): void {
    if (this.nowListens) this.now.member(length, integerFor(this.now, integer));
    if (this.otherListens) this.other.member(length, integerFor(this.other, integer));
  }

  scored(length: number, integer: IntegerClass, score: number): void {
    if (this.nowListens) this.now.scored(length, integerFor(this.now, integer), score);
    if (this.otherListens) this.other.scored(length, integerFor(this.other, integer), score);
  }

  pair(
    fieldLength: number,
    fieldInteger: IntegerClass,
    valueLength: number,
    valueInteger: IntegerClass,
    ttlMs: number,
  ): void {
    const { now, other } = this;
    if (this.nowListens) {
      now.pair(fieldLength, integerFor(now, fieldInteger), valueLength, integerFor(now, valueInteger), ttlMs);
    }
    if (this.otherListens) {
      other.pair(
        fieldLength,
        integerFor(other, fieldInteger),
        valueLength,
        integerFor(other, valueInteger),
        ttlMs,
      );
    }
  }

  members(length: number, count: number): void {
    if (this.nowListens) this.now.members(length, count);
    if (this.otherListens) this.other.members(length, count);
  }

  scoredMembers(length: number, count: number): void {
    if (this.nowListens) this.now.scoredMembers(length, count);
    if (this.otherListens) this.other.scoredMembers(length, count);
  }

  pairs(fieldLength: number, valueLength: number, count: number): void {
    if (this.nowListens) this.now.pairs(fieldLength, valueLength, count);
    if (this.otherListens) this.other.pairs(fieldLength, valueLength, count);
  }

  streamNode(buffer: Uint8Array, at: number, listpackBytes: number): void {
    this.now.streamNode(buffer, at, listpackBytes);
    this.other.streamNode(buffer, at, listpackBytes);
  }

  streamGroup(buffer: Uint8Array, at: number, nameLength: number): void {
    this.now.streamGroup(buffer, at, nameLength);
    this.other.streamGroup(buffer, at, nameLength);
  }

  streamPending(buffer: Uint8Array, at: number): void {
    this.now.streamPending(buffer, at);
    this.other.streamPending(buffer, at);
  }

  streamConsumer(buffer: Uint8Array, at: number, nameLength: number): void {
    this.now.streamConsumer(buffer, at, nameLength);
    this.other.streamConsumer(buffer, at, nameLength);
  }

  streamConsumerPending(buffer: Uint8Array, at: number): void {
    this.now.streamConsumerPending(buffer, at);
    this.other.streamConsumerPending(buffer, at);
  }

  streamGivenBack(buffer: Uint8Array, at: number): void {
    this.now.streamGivenBack?.(buffer, at);
    this.other.streamGivenBack?.(buffer, at);
  }

  arrayElement(indexHigh: number, indexLow: number, tag: number, length: number): void {
    this.now.arrayElement(indexHigh, indexLow, tag, length);
    this.other.arrayElement(indexHigh, indexLow, tag, length);
  }

  end(record: KeyRecord): void {
    this.now.end(record);
    this.other.end(record);
  }
}

/** A model that asks for no integer classes gets none, also when the other one asks. */
function integerFor(model: MemoryModel, integer: IntegerClass): IntegerClass {
  return model.classify ? integer : 0;
}
