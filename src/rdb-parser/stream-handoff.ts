import type { ByteSource } from '../source/byte-source.js';

/*
 * How a stream's bytes reach the thread that decodes them, and how far that thread may run ahead with its keys: slots of
 * shared memory filled and emptied in turn, with counters that both threads wait on.
 */

const SLOTS = 8;
const SLOT_BYTES = 2 ** 16;
/** Batches of keys that may be on their way. */
const MOST_BATCHES = 4;

/** Words of the control block; each slot's length follows. */
const FILLED = 0;
const EMPTIED = 1;
const SENT = 2;
const TAKEN = 3;
const LENGTHS = 4;
const CONTROL_WORDS = LENGTHS + SLOTS;

/** A length that says that the stream failed. */
const FAILED = -1;

export function newHandoff(): SharedArrayBuffer {
  return new SharedArrayBuffer(CONTROL_WORDS * 4 + SLOTS * SLOT_BYTES);
}

/** The end of the thread that has the stream: never blocks. */
export class HandoffWriter {
  private readonly control: Int32Array;
  private readonly slots: Uint8Array;
  private closed = false;

  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_WORDS);
    this.slots = new Uint8Array(memory, CONTROL_WORDS * 4);
  }

  /** Hands a chunk over, waiting for room; false when nobody reads any more. */
  async write(chunk: Uint8Array): Promise<boolean> {
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + SLOT_BYTES);
      if (!(await this.put(piece, piece.length))) return false;
      at += piece.length;
    }
    return true;
  }

  async end(): Promise<void> {
    await this.put(new Uint8Array(0), 0);
  }

  async fail(): Promise<void> {
    await this.put(new Uint8Array(0), FAILED);
  }

  /** A batch of keys was taken: the reader may send another. */
  took(): void {
    Atomics.add(this.control, TAKEN, 1);
    Atomics.notify(this.control, TAKEN);
  }

  /** Nobody reads any more; wakes whoever waits for room. */
  close(): void {
    this.closed = true;
    Atomics.notify(this.control, EMPTIED);
  }

  private async put(piece: Uint8Array, length: number): Promise<boolean> {
    const filled = Atomics.load(this.control, FILLED);
    for (;;) {
      if (this.closed) return false;
      const emptied = Atomics.load(this.control, EMPTIED);
      if (((filled - emptied) | 0) < SLOTS) break;
      const wait = Atomics.waitAsync(this.control, EMPTIED, emptied);
      if (wait.async) await wait.value;
    }
    const slot = (filled >>> 0) % SLOTS;
    this.slots.set(piece, slot * SLOT_BYTES);
    this.control[LENGTHS + slot] = length;
    Atomics.add(this.control, FILLED, 1);
    Atomics.notify(this.control, FILLED);
    return true;
  }
}

/** The stream ended with an error, which the other thread knows. */
export class StreamFailed extends Error {
  override readonly name = 'StreamFailed';
}

/** The end of the thread that decodes: blocks. */
export class HandoffSource implements ByteSource {
  private readonly control: Int32Array;
  private readonly slots: Uint8Array;
  private at = 0;

  constructor(memory: SharedArrayBuffer) {
    this.control = new Int32Array(memory, 0, CONTROL_WORDS);
    this.slots = new Uint8Array(memory, CONTROL_WORDS * 4);
  }

  read(into: Uint8Array, at: number): number {
    const emptied = Atomics.load(this.control, EMPTIED);
    for (;;) {
      const filled = Atomics.load(this.control, FILLED);
      if (filled !== emptied) break;
      Atomics.wait(this.control, FILLED, filled);
    }
    const slot = (emptied >>> 0) % SLOTS;
    const length = this.control[LENGTHS + slot]!;
    if (length === FAILED) throw new StreamFailed('the stream failed');
    if (length === 0) return 0;
    const count = Math.min(length - this.at, into.length - at);
    const from = slot * SLOT_BYTES + this.at;
    into.set(this.slots.subarray(from, from + count), at);
    this.at += count;
    if (this.at === length) {
      this.at = 0;
      Atomics.add(this.control, EMPTIED, 1);
      Atomics.notify(this.control, EMPTIED);
    }
    return count;
  }

  /** Counts a batch of keys that is sent, and waits while too many are on their way. */
  beforeSending(): void {
    const sent = Atomics.add(this.control, SENT, 1);
    for (;;) {
      const taken = Atomics.load(this.control, TAKEN);
      if (((sent - taken) | 0) < MOST_BATCHES) return;
      Atomics.wait(this.control, TAKEN, taken);
    }
  }

  close(): void {}
}
