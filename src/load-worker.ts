import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { carryError } from './carried-error.js';
import { type FromWorker, SharedCounters, type ToWorker, type WorkerSetup } from './load-protocol.js';
import { describeProfile } from './memory/index.js';
import { Crc64 } from './rdb-parser/crc64.js';
import { type KeySink, readSnapshot } from './read-snapshot.js';
import { Ring, RingSource } from './source/ring.js';

/** The decoding thread: reads one snapshot after another out of their rings into one database. */
function serve(port: MessagePort, setup: WorkerSetup): void {
  const counters = new SharedCounters(setup.shared);
  const answer = (message: FromWorker): void => port.postMessage(message);
  port.on('message', (message: ToWorker) => {
    try {
      if (message.kind === 'file') answer(readFile(message, setup, counters));
      else answer({ kind: 'finished', databasePath: undefined });
    } catch (error) {
      answer({ kind: 'failed', error: carryError(error) });
    }
  });
}

const NOWHERE: KeySink = { begin() {}, add() {} };

function readFile(
  message: Extract<ToWorker, { kind: 'file' }>,
  setup: WorkerSetup,
  counters: SharedCounters,
): FromWorker {
  const source = new RingSource(Ring.attach(message.ring), new Crc64(), message.snapshotBytes);
  try {
    const { facts, profile, warnings, error } = readSnapshot({
      source,
      sink: NOWHERE,
      decoder: {
        deep: setup.deep,
        ...(message.replicationMark === undefined ? {} : { replicationMark: message.replicationMark }),
      },
      model: setup.model,
      counters,
    });
    return {
      kind: 'file-done',
      facts,
      memoryProfile: describeProfile(profile),
      warnings,
      error: error === undefined ? undefined : carryError(error),
    };
  } finally {
    source.close();
  }
}

if (parentPort !== null) serve(parentPort, workerData as WorkerSetup);
