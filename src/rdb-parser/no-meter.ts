import type { KeyRecord, ValueMeter } from './records.js';

/** A meter that wants nothing: for readers that need no memory figure. */
export class NoMeter implements ValueMeter {
  readonly classify: boolean = false;
  begin(_record: KeyRecord): void {}
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
  members(): void {}
  scoredMembers(): void {}
  pairs(): void {}
  streamNode(): void {}
  streamGroup(): void {}
  streamPending(_buffer: Uint8Array, _at: number): void {}
  streamConsumer(): void {}
  streamConsumerPending(_buffer: Uint8Array, _at: number): void {}
  streamGivenBack(_buffer: Uint8Array, _at: number): void {}
  arrayElement(): void {}
  end(_record: KeyRecord): void {}
}
