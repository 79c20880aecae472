import type { ByteSource } from './byte-source.js';
import { SourceError, type SourceFault, systemError } from './source-error.js';

/**
 * A snapshot's way from the thread that reads to the thread that decodes: slots of shared memory, filled and emptied
 * in turn. The end and an error travel in slots of their own, behind the bytes that were good.
 */
export class Ring {
  readonly memory: SharedArrayBuffer;
  readonly slotBytes: number;
  readonly slots: number;
  readonly control: Int32Array;
  readonly lengths: Int32Array;
  readonly #bytesAt: number;

  private constructor(memory: SharedArrayBuffer, slots: number, slotBytes: number) {
    this.memory = memory;
    this.slots = slots;
    this.slotBytes = slotBytes;
    this.control = new Int32Array(memory, 0, CONTROL_WORDS);
    this.lengths = new Int32Array(memory, CONTROL_WORDS * 4, slots);
    this.#bytesAt = headerBytes(slots);
  }

  /** @param slotBytes a multiple of 8 */
  static create(slots = DEFAULT_SLOTS, slotBytes = DEFAULT_SLOT_BYTES): Ring {
    const ring = new Ring(new SharedArrayBuffer(headerBytes(slots) + slots * slotBytes), slots, slotBytes);
    ring.control[SLOTS] = slots;
    ring.control[SLOT_BYTES] = slotBytes;
    return ring;
  }

  /** The same ring, seen from the other thread. */
  static attach(memory: SharedArrayBuffer): Ring {
    const control = new Int32Array(memory, 0, CONTROL_WORDS);
    return new Ring(memory, control[SLOTS]!, control[SLOT_BYTES]!);
  }

  /** Makes it empty for another snapshot; both ends must be done with the one before. */
  reset(): void {
    for (const word of [FILLED, EMPTIED, CLOSED]) Atomics.store(this.control, word, 0);
  }

  slot(number: number): Uint8Array {
    return new Uint8Array(this.memory, this.#bytesAt + number * this.slotBytes, this.slotBytes);
  }
}

/** The reading thread's end: never blocks. */
export class RingWriter {
  readonly #ring: Ring;
  readonly #slots: readonly Uint8Array[];
  #filled = 0;

  constructor(ring: Ring) {
    this.#ring = ring;
    this.#slots = Array.from({ length: ring.slots }, (_, number) => ring.slot(number));
  }

  /** Hands over everything `chunks` gives, then the end, or the error they end with. Stops early when the reader does. */
  async send(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of chunks) {
        if (!(await this.#write(chunk))) return;
      }
    } catch (error) {
      await this.#writeFault(systemError(error, 'the input').fault);
      return;
    }
    await this.#publish(0);
  }

  /** Wakes a writer that waits for a reader which is gone. */
  abandon(): void {
    closeReader(this.#ring);
  }

  async #write(chunk: Uint8Array): Promise<boolean> {
    for (let at = 0; at < chunk.length; ) {
      if (!(await this.#slotFree())) return false;
      const count = Math.min(this.#ring.slotBytes, chunk.length - at);
      const number = this.#filled % this.#ring.slots;
      const slot = this.#slots[number]!;
      slot.set(chunk.subarray(at, at + count));
      await this.#publish(count);
      at += count;
    }
    return true;
  }

  async #writeFault(fault: SourceFault): Promise<void> {
    if (!(await this.#slotFree())) return;
    const text = new TextEncoder().encode(JSON.stringify(fault)).subarray(0, this.#ring.slotBytes);
    this.#slots[this.#filled % this.#ring.slots]!.set(text);
    await this.#publish(-text.length);
  }

  /** @param length bytes in the slot; 0 for the end, minus the text's length for an error */
  async #publish(length: number): Promise<void> {
    if (!(await this.#slotFree())) return;
    const number = this.#filled % this.#ring.slots;
    this.#ring.lengths[number] = length;
    this.#filled++;
    Atomics.store(this.#ring.control, FILLED, this.#filled | 0);
    Atomics.notify(this.#ring.control, FILLED);
  }

  /** Waits until the next slot may be written; false when the reader has stopped. */
  async #slotFree(): Promise<boolean> {
    const { control, slots } = this.#ring;
    for (;;) {
      const emptied = Atomics.load(control, EMPTIED);
      if (Atomics.load(control, CLOSED) !== 0) return false;
      if (((this.#filled - emptied) | 0) < slots) return true;
      const wait = Atomics.waitAsync(control, EMPTIED, emptied);
      if (wait.async) await wait.value;
    }
  }
}

/** The decoding thread's end: blocks until bytes are there. */
export class RingSource implements ByteSource {
  readonly totalBytes?: number;
  readonly #ring: Ring;
  readonly #slots: readonly Uint8Array[];
  /** Slots given back so far. */
  #emptied = 0;
  /** Bytes of the current slot given. */
  #at = 0;
  #ended = false;
  /** A writer that waits is woken after so many slots: it waits only when all are full, and waking costs more than a slot. */
  readonly #wakesEvery: number;

  constructor(ring: Ring, totalBytes?: number) {
    this.#ring = ring;
    this.#slots = Array.from({ length: ring.slots }, (_, number) => ring.slot(number));
    this.#wakesEvery = Math.max(1, ring.slots >> 1);
    if (totalBytes !== undefined) this.totalBytes = totalBytes;
  }

  read(into: Uint8Array, at: number): number {
    const number = this.#currentSlot();
    const length = this.#ring.lengths[number]!;
    if (length < 0) throw new SourceError(this.#fault(number, -length));
    if (length === 0) {
      this.#ended = true;
      return 0;
    }
    const count = Math.min(length - this.#at, into.length - at);
    into.set(this.#slots[number]!.subarray(this.#at, this.#at + count), at);
    this.#at += count;
    return count;
  }

  close(): void {
    closeReader(this.#ring);
  }

  /** The slot to read from, given back and waited for as needed. It stays ours until the next call. */
  #currentSlot(): number {
    const { control, slots, lengths } = this.#ring;
    if (!this.#ended && this.#at > 0 && this.#at === lengths[this.#emptied % slots]) {
      this.#emptied++;
      this.#at = 0;
      Atomics.store(control, EMPTIED, this.#emptied | 0);
      if (this.#emptied % this.#wakesEvery === 0) Atomics.notify(control, EMPTIED);
    }
    for (;;) {
      const filled = Atomics.load(control, FILLED);
      if (filled !== (this.#emptied | 0)) return this.#emptied % slots;
      Atomics.wait(control, FILLED, filled);
    }
  }

  #fault(number: number, length: number): SourceFault {
    // A decoder won't take shared memory; the copy is as short as the message.
    const text = new TextDecoder().decode(this.#slots[number]!.slice(0, length));
    return JSON.parse(text) as SourceFault;
  }
}

/** 16 slots of 256 KiB: deep enough that neither thread waits for a short pause of the other. */
const DEFAULT_SLOTS = 16;
const DEFAULT_SLOT_BYTES = 256 * 1024;

/** Words of the control block: slots filled and emptied so far (modulo 2^32), reader gone, shape. */
const FILLED = 0;
const EMPTIED = 1;
const CLOSED = 2;
const SLOTS = 3;
const SLOT_BYTES = 4;
const CONTROL_WORDS = 8;

function headerBytes(slots: number): number {
  return CONTROL_WORDS * 4 + Math.ceil(slots / 2) * 8;
}

function closeReader(ring: Ring): void {
  Atomics.store(ring.control, CLOSED, 1);
  // A writer about to wait has read the old count: a new one keeps it from falling asleep after the call below.
  Atomics.xor(ring.control, EMPTIED, 2 ** 30);
  Atomics.notify(ring.control, EMPTIED);
}
