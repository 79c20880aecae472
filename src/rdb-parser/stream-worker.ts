import { parentPort, workerData } from 'node:worker_threads';
import { Decoder } from './decoder.js';
import { RdbError, type RdbErrorCode, type RdbLocation } from './errors.js';
import type { SnapshotFacts } from './records.js';
import { copyOfFacts, type SnapshotKey, snapshotKey } from './snapshot-key.js';
import { HandoffSource, StreamFailed } from './stream-handoff.js';

/** What the thread is started with. */
export interface StreamSetup {
  readonly memory: SharedArrayBuffer;
  readonly deep: boolean;
}

/** Keys that go over at a time. */
const BATCH_KEYS = 512;

export type StreamMessage =
  | {
      readonly kind: 'keys';
      readonly keys: readonly SnapshotKey[];
      readonly facts: SnapshotFacts | undefined;
    }
  | { readonly kind: 'end'; readonly facts: SnapshotFacts }
  | {
      readonly kind: 'damaged';
      readonly code: RdbErrorCode;
      readonly problem: string;
      readonly at: RdbLocation;
      readonly facts: SnapshotFacts;
    }
  /** The stream failed; the other thread knows why. */
  | { readonly kind: 'stream-failed' };

function decode(setup: StreamSetup, send: (message: StreamMessage) => void): void {
  const source = new HandoffSource(setup.memory);
  const decoder = new Decoder(source, { deep: setup.deep });
  let keys: SnapshotKey[] = [];
  let first = true;
  const sendKeys = (): void => {
    if (keys.length === 0) return;
    source.beforeSending();
    send({ kind: 'keys', keys, facts: first ? copyOfFacts(decoder.facts) : undefined });
    first = false;
    keys = [];
  };
  try {
    while (decoder.next()) {
      keys.push(snapshotKey(decoder.record));
      if (keys.length === BATCH_KEYS) sendKeys();
    }
    sendKeys();
    send({ kind: 'end', facts: copyOfFacts(decoder.facts) });
  } catch (error) {
    sendKeys();
    if (error instanceof StreamFailed) send({ kind: 'stream-failed' });
    else if (!(error instanceof RdbError)) throw error;
    else {
      const { code, problem, at } = error;
      send({ kind: 'damaged', code, problem, at, facts: copyOfFacts(decoder.facts) });
    }
  }
}

const port = parentPort;
if (port !== null) {
  decode(workerData as StreamSetup, (message) => port.postMessage(message));
  port.close();
}
