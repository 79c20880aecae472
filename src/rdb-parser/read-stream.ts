import { Worker } from 'node:worker_threads';
import { RdbError } from './errors.js';
import type { AsyncSnapshot } from './read-snapshot.js';
import type { SnapshotFacts } from './records.js';
import type { SnapshotKey } from './snapshot-key.js';
import { HandoffWriter, newHandoff } from './stream-handoff.js';
import type { StreamMessage, StreamSetup } from './stream-worker.js';

/** A snapshot out of a stream: its bytes go to a thread that decodes, keys come back in batches. */
export class StreamedSnapshot implements AsyncSnapshot {
  private readonly stream: AsyncIterable<Uint8Array>;
  private readonly deep: boolean;
  private lastFacts: SnapshotFacts | undefined;

  constructor(stream: AsyncIterable<Uint8Array>, { deep }: { readonly deep: boolean }) {
    this.stream = stream;
    this.deep = deep;
  }

  get facts(): SnapshotFacts | undefined {
    return this.lastFacts;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SnapshotKey, void, undefined> {
    const memory = newHandoff();
    const writer = new HandoffWriter(memory);
    const setup: StreamSetup = { memory, deep: this.deep };
    const worker = new Worker(workerUrl(), { workerData: setup, execArgv: inheritedFlags() });
    const inbox = new Inbox(worker);
    const feeding = feed(this.stream, writer);
    feeding.catch(() => {}); // its error is thrown below, when everything before it has been given
    let ended = false;
    try {
      for (;;) {
        const message = await inbox.next();
        if (message.kind === 'stream-failed') {
          await feeding; // throws the stream's own error
          throw new Error('the stream failed');
        }
        this.lastFacts = message.facts ?? this.lastFacts;
        ended = message.kind === 'end';
        if (message.kind === 'end') return;
        if (message.kind === 'damaged') throw new RdbError(message.code, message.problem, message.at);
        writer.took();
        yield* message.keys;
      }
    } finally {
      writer.close();
      if (!ended) destroy(this.stream);
      await worker.terminate();
    }
  }
}

/** Sends the stream's bytes, then its end; ends early when nobody reads. @throws what the stream does */
async function feed(stream: AsyncIterable<Uint8Array>, writer: HandoffWriter): Promise<void> {
  try {
    for await (const chunk of stream) if (!(await writer.write(chunk))) return;
  } catch (error) {
    await writer.fail();
    throw error;
  }
  await writer.end();
}

/** Lets go of a stream that is not read to its end. An iterator that is no stream ends with its next chunk. */
function destroy(stream: AsyncIterable<Uint8Array>): void {
  if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy();
}

/** Messages of a thread, to be waited for one by one. */
class Inbox {
  private readonly messages: StreamMessage[] = [];
  private failure: Error | undefined;
  private wake: (() => void) | undefined;

  constructor(worker: Worker) {
    worker.on('message', (message: StreamMessage) => {
      this.messages.push(message);
      this.wake?.();
    });
    worker.on('error', (error: Error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('the decoding thread ended early')));
  }

  async next(): Promise<StreamMessage> {
    for (;;) {
      const message = this.messages.shift();
      if (message !== undefined) return message;
      if (this.failure !== undefined) throw this.failure;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }
}

/** Node's own flags go on to the thread, less those that no file can be run with: `node --input-type=module -e ...`. */
function inheritedFlags(): string[] {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? [] : process.execArgv;
}

/** The built worker, also when the sources themselves are run by a test runner. */
function workerUrl(): URL {
  const built = import.meta.url.endsWith('.ts')
    ? '../../dist/rdb-parser/stream-worker.js'
    : './stream-worker.js';
  return new URL(built, import.meta.url);
}
