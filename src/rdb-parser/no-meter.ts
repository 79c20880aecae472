import type { ValueMeter } from './records.js';

/** A meter that wants nothing: for readers that need no memory figure. */
export class NoMeter implements ValueMeter {
  readonly classify = false;
  begin(): void {}
  blob(): boolean {
    return false;
  }
  listNode(): boolean {
    return false;
  }
  item(): void {}
  member(): void {}
  scored(): void {}
  pair(): void {}
  streamNode(): void {}
  streamGroup(): void {}
  streamPending(): void {}
  streamConsumer(): void {}
  streamConsumerPending(): void {}
  arrayElement(): void {}
  end(): void {}
}
