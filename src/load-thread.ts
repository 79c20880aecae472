import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { restoreError } from './carried-error.js';
import type { FromWorker, ToWorker, WorkerSetup } from './load-protocol.js';
import { startThread } from './thread.js';

type FileDone = Extract<FromWorker, { kind: 'file-done' }>;

/** The worker that decodes and stores, seen from the thread that reads. Asks one thing at a time. */
export class LoadThread {
  readonly #worker: Worker;
  readonly #output: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#fail(abortReason(this.#signal));
  #question: Question | undefined;
  /** What ended the worker; later questions are answered with it. */
  #failure: Error | undefined;
  #finished = false;

  constructor(setup: WorkerSetup, signal: AbortSignal | undefined) {
    this.#output = setup.target?.output;
    this.#signal = signal;
    this.#worker = startThread('load-worker', setup);
    this.#worker.on('message', (message: FromWorker) => this.#answer(message));
    this.#worker.on('error', (error: Error) => this.#fail(error));
    this.#worker.on('exit', (code) =>
      this.#fail(new Error(`the loading thread ended early (exit code ${code})`)),
    );
    signal?.addEventListener('abort', this.#abort);
  }

  /** @throws RdbError, StoreError; SourceError when nothing of the file can be used */
  async readFile(message: Extract<ToWorker, { kind: 'file' }>): Promise<FileDone> {
    const answer = await this.#ask(message);
    if (answer.kind === 'file-done') return answer;
    throw unexpected(answer);
  }

  /** Completes the database and gives its path. */
  async finish(): Promise<string | undefined> {
    const answer = await this.#ask({ kind: 'finish' });
    if (answer.kind !== 'finished') throw unexpected(answer);
    this.#finished = true;
    return answer.databasePath;
  }

  /** Ends the thread; a database that was not completed is removed. */
  async end(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#failure ??= new Error('the loading thread was ended');
    await this.#worker.terminate();
    if (!this.#finished && this.#output !== undefined) removePartial(this.#output);
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      this.#question = { resolve, reject };
      if (this.#failure !== undefined) reject(this.#failure);
      else this.#worker.postMessage(message);
    });
  }

  #answer(message: FromWorker): void {
    if (message.kind === 'failed' || message.kind === 'file-refused') this.#fail(restoreError(message.error));
    else this.#question?.resolve(message);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#question?.reject(this.#failure);
  }
}

interface Question {
  resolve(answer: FromWorker): void;
  reject(error: Error): void;
}

/** Removes what a thread that was ended could not: `<output>.partial-<pid>` and what lies beside it. */
function removePartial(output: string): void {
  const final = existsSync(output) ? realpathSync(output) : output;
  const folder = dirname(final);
  if (!existsSync(folder)) return;
  const start = `${basename(final)}.partial-${process.pid}`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
  }
}

function abortReason(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('the load was stopped');
}

function unexpected(answer: FromWorker): Error {
  return new Error(`the loading thread answered "${answer.kind}" out of turn`);
}
