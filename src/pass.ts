import type { Worker } from 'node:worker_threads';
import { restoreError } from './carried-error.js';
import type { LoadProgress } from './load.js';
import type { PassAnswer, PassJobs, PassName, PassSetup } from './pass-jobs.js';
import type { SnapshotInput } from './source/open-input.js';
import { Ring, RingWriter } from './source/ring.js';
import { startThread } from './thread.js';

export interface PassOptions {
  /** Stops the work; the promise is rejected with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** How often progress is told, in milliseconds. */
const PROGRESS_MS = 100;

/**
 * Reads a snapshot once in a thread of its own, so that this one can show progress and be stopped. Closes the input.
 * @throws SourceError when the bytes can't be had; what the job throws
 */
export async function runPass<Name extends PassName>(
  job: Name,
  input: SnapshotInput,
  options: PassJobs[Name]['options'],
  { signal, onProgress }: PassOptions = {},
): Promise<PassJobs[Name]['result']> {
  if (signal?.aborted === true) {
    await input.close();
    throw signal.reason;
  }
  const progress = new Float64Array(new SharedArrayBuffer(16));
  const bare = input.container === 'plain' && input.inputBytes !== undefined;
  const ring = bare ? undefined : Ring.create();
  const setup: PassSetup = {
    job,
    options,
    input:
      ring === undefined
        ? { kind: 'file', path: input.name }
        : { kind: 'ring', memory: ring.memory, snapshotBytes: input.snapshotBytes },
    replicationMark: input.framing?.mark,
    progress: progress.buffer as SharedArrayBuffer,
  };
  const started = performance.now();
  const tell = (): void =>
    onProgress?.({
      input: input.name,
      fileNumber: 1,
      files: 1,
      bytesRead: bare ? progress[0]! : input.inputBytesRead(),
      totalBytes: input.inputBytes,
      keys: progress[1]!,
      elapsedMs: Math.round(performance.now() - started),
    });
  const timer = setInterval(tell, PROGRESS_MS);
  const worker = startThread('pass-worker', setup);
  const writer = ring === undefined ? undefined : new RingWriter(ring);
  const sending = writer?.send(input.chunks);
  try {
    const answer = await answerOf(worker, signal);
    if (answer.kind === 'failed') throw restoreError(answer.error);
    return answer.result as PassJobs[Name]['result'];
  } finally {
    clearInterval(timer);
    await worker.terminate();
    // The worker is done, perhaps long before the input's end; nothing must go on waiting for it.
    writer?.abandon();
    await input.close();
    await sending;
  }
}

function answerOf(worker: Worker, signal: AbortSignal | undefined): Promise<PassAnswer> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', (code) => {
      signal?.removeEventListener('abort', abort);
      reject(new Error(`the reading thread ended early (exit code ${code})`));
    });
  });
}
