import { Digest } from './digest.js';

const ID_BYTES = 16;

/**
 * Holds a group's pending ids against its consumers': each id of the group belongs to one consumer, or was given back.
 * Kept as sums of digests, so that any number of ids fits: equal sets have equal sums.
 */
export class PendingCheck {
  private readonly digest = new Digest();
  private groupIds = 0;
  private groupHigh = 0;
  private groupLow = 0;
  private consumerIds = 0;
  private consumerHigh = 0;
  private consumerLow = 0;
  private repeated = 0;
  private previousHigh = 0;
  private previousLow = 0;

  /** Another group starts. */
  begin(): void {
    this.groupIds = this.groupHigh = this.groupLow = this.repeated = 0;
    this.consumerIds = this.consumerHigh = this.consumerLow = 0;
  }

  groupId(buffer: Uint8Array, at: number): void {
    this.take(buffer, at);
    const { high, low } = this.digest;
    if (this.groupIds > 0 && high === this.previousHigh && low === this.previousLow) this.repeated++;
    this.previousHigh = high;
    this.previousLow = low;
    this.groupIds++;
    this.groupHigh = (this.groupHigh + high) | 0;
    this.groupLow = (this.groupLow + low) | 0;
  }

  consumerId(buffer: Uint8Array, at: number): void {
    this.take(buffer, at);
    this.consumerIds++;
    this.consumerHigh = (this.consumerHigh + this.digest.high) | 0;
    this.consumerLow = (this.consumerLow + this.digest.low) | 0;
  }

  /** What is wrong with the group that was read last. */
  problem(): string | undefined {
    const { groupIds, consumerIds } = this;
    if (this.repeated > 0) return `a stream group has ${this.repeated} pending ids twice`;
    if (groupIds !== consumerIds) {
      return `a stream group has ${groupIds} pending ids, its consumers have ${consumerIds}`;
    }
    const same = this.groupHigh === this.consumerHigh && this.groupLow === this.consumerLow;
    return same ? undefined : "pending ids of a stream group are not those of the group's consumers";
  }

  private take(buffer: Uint8Array, at: number): void {
    this.digest.start(0);
    this.digest.add(buffer, at, ID_BYTES);
    this.digest.finish();
  }
}
