/**
 * Bytes that arrive in chunks, with a look at what comes next. A chunk is valid until the following call: producers
 * may reuse their buffer.
 */
export class ChunkReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #pending: Uint8Array = NOTHING;
  #ended = false;
  #taken = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes handed out so far, less those put back. */
  get taken(): number {
    return this.#taken;
  }

  /** The next `count` bytes without taking them; fewer only at the end. A copy. @param count small: it is kept in memory */
  async peek(count: number): Promise<Uint8Array> {
    if (this.#pending.length < count && !this.#ended) {
      const parts = [this.#pending.slice()];
      for (let held = this.#pending.length; held < count; ) {
        const more = await this.#pull();
        if (more === undefined) break;
        parts.push(more.slice());
        held += more.length;
      }
      this.#pending = joined(parts);
    }
    return this.#pending.slice(0, count);
  }

  /** Passes over zero bytes. False when the end comes before another byte. */
  async skipZeros(): Promise<boolean> {
    for (;;) {
      const chunk = await this.next();
      if (chunk === undefined) return false;
      const start = chunk.findIndex((byte) => byte !== 0);
      if (start < 0) continue;
      this.putBack(chunk.subarray(start));
      return true;
    }
  }

  /** The next bytes, however many there are; undefined at the end. Never empty. */
  async next(): Promise<Uint8Array | undefined> {
    let chunk: Uint8Array | undefined = this.#pending;
    this.#pending = NOTHING;
    if (chunk.length === 0) chunk = this.#ended ? undefined : await this.#pull();
    if (chunk !== undefined) this.#taken += chunk.length;
    return chunk;
  }

  /** Exactly `count` bytes, or fewer at the end. A copy. @param count small: it is kept in memory */
  async take(count: number): Promise<Uint8Array> {
    const bytes = await this.peek(count);
    this.#pending = this.#pending.subarray(bytes.length);
    this.#taken += bytes.length;
    return bytes;
  }

  /** Gives back the tail of the chunk that `next` returned last. */
  putBack(tail: Uint8Array): void {
    this.#pending = this.#pending.length === 0 ? tail : joined([tail, this.#pending]);
    this.#taken -= tail.length;
  }

  /** All that is left, chunk by chunk. */
  async *rest(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) yield chunk;
  }

  /** Reads on to the end and says how many bytes that were. */
  async drain(): Promise<number> {
    const before = this.#taken;
    while ((await this.next()) !== undefined);
    return this.#taken - before;
  }

  /** Lets the producer release what it holds. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#pending = NOTHING;
    await this.#chunks.return?.();
  }

  async #pull(): Promise<Uint8Array | undefined> {
    for (;;) {
      const step = await this.#chunks.next();
      if (step.done === true) {
        this.#ended = true;
        return undefined;
      }
      if (step.value.length > 0) return step.value;
    }
  }
}

const NOTHING = new Uint8Array(0);

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
