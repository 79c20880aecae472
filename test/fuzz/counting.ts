import type { ElementVisitor, ValueMeter } from '../../src/rdb-parser/index.js';

/** Counts a value's parts as a visitor sees them, and touches their bytes. */
export class CountingVisitor implements ElementVisitor {
  readonly keepBytes = 100;
  parts = 0;
  item = this.count;
  member = this.count;
  scored = this.count;
  pair = this.count;
  listNode = this.count;
  streamNode = this.count;
  streamGroup = this.count;
  streamConsumer = this.count;
  arrayElement = this.count;

  private count(): void {
    this.parts++;
  }
}

/** Counts a value's parts as a meter sees them; wants all there is. */
export class CountingMeter implements ValueMeter {
  readonly classify = true;
  parts = 0;
  item = this.count;
  member = this.count;
  scored = this.count;
  pair = this.count;
  members = this.count;
  scoredMembers = this.count;
  pairs = this.count;
  streamNode = this.count;
  streamGroup = this.count;
  streamPending = this.count;
  streamConsumer = this.count;
  streamConsumerPending = this.count;
  streamGivenBack = this.count;
  arrayElement = this.count;

  begin(): void {}
  end(): void {}
  blob(): boolean {
    this.parts++;
    return true;
  }
  listNode(): boolean {
    this.parts++;
    return true;
  }
  private count(): void {
    this.parts++;
  }
}
