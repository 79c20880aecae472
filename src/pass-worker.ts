import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { carryError } from './carried-error.js';
import { type PassAnswer, type PassContext, type PassSetup, passJobs } from './pass-jobs.js';
import type { ByteSource } from './source/byte-source.js';
import { fileSource } from './source/file-source.js';
import { Ring, RingSource } from './source/ring.js';

/** Does one pass over one snapshot, answers, and ends. */
async function serve(port: MessagePort, setup: PassSetup): Promise<void> {
  port.postMessage(await answerTo(setup));
  port.close();
}

async function answerTo(setup: PassSetup): Promise<PassAnswer> {
  const progress = new Float64Array(setup.progress);
  let source: ByteSource | undefined;
  try {
    const opened = openSource(setup);
    source = opened.source;
    const context: PassContext = {
      ...opened,
      replicationMark: setup.replicationMark,
      tell: (bytes, keys) => {
        progress[0] = bytes;
        progress[1] = keys;
      },
    };
    // The options are the job's own: the two were put into one message together.
    const job = (await passJobs[setup.job]()) as (context: PassContext, options: unknown) => never;
    return { kind: 'done', result: job(context, setup.options) };
  } catch (error) {
    return { kind: 'failed', error: carryError(error) };
  } finally {
    source?.close();
  }
}

function openSource({ input }: PassSetup): Pick<PassContext, 'source' | 'jump'> {
  if (input.kind === 'file') {
    const source = fileSource(input.path);
    return { source, jump: (offset) => source.seek(offset) };
  }
  const source = new RingSource(Ring.attach(input.memory), input.snapshotBytes);
  return { source, jump: undefined };
}

if (parentPort !== null) await serve(parentPort, workerData as PassSetup);
