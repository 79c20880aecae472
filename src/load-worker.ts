import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { carryError } from './carried-error.js';
import { type FromWorker, SharedCounters, type ToWorker, type WorkerSetup } from './load-protocol.js';
import { describeProfile } from './memory/index.js';
import type { Problem, SnapshotFacts } from './rdb-parser/records.js';
import { type KeySink, readSnapshot } from './read-snapshot.js';
import { keyspaceOverheads } from './snapshot-profile.js';
import type { ByteSource } from './source/byte-source.js';
import { sharedFileSource } from './source/file-source.js';
import { Ring, RingSource } from './source/ring.js';
import { SnapshotLoader } from './store/load.js';

type FileMessage = Extract<ToWorker, { kind: 'file' }>;

/** The decoding thread: reads one snapshot after another, out of a ring or out of its file, into one database. */
function serve(port: MessagePort, setup: WorkerSetup): void {
  const job = new LoadJob(setup);
  port.on('message', (message: ToWorker) => {
    let answer: FromWorker;
    try {
      answer = message.kind === 'file' ? job.readFile(message) : job.finish();
    } catch (error) {
      job.abandon();
      answer = { kind: 'failed', error: carryError(error) };
    }
    port.postMessage(answer);
  });
}

class LoadJob {
  readonly #setup: WorkerSetup;
  readonly #counters: SharedCounters;
  /** Made with the first file; undefined before and when nothing is to be kept. */
  #loader: SnapshotLoader | undefined;

  constructor(setup: WorkerSetup) {
    this.#setup = setup;
    this.#counters = new SharedCounters(setup.shared);
  }

  readFile(message: FileMessage): FromWorker {
    const started = performance.now();
    const { deep, model, target } = this.#setup;
    if (target !== undefined) {
      this.#loader ??= new SnapshotLoader(target.output, { ...target, toolVersion: toolVersion() });
    }
    // A cluster's shards hold different slots: what one file adds is its own.
    const slotsBefore = this.#loader?.slots ?? 0;
    const source = sourceOf(message, this.#counters);
    try {
      const mark = message.replicationMark;
      const { facts, profile, warnings, approximate, error } = readSnapshot({
        source,
        sink: this.#loader === undefined ? undefined : sinkOf(this.#loader),
        decoder: {
          deep,
          window: this.#loader?.window,
          ...(mark === undefined ? {} : { replicationMark: mark }),
        },
        model,
        counters: this.#counters,
      });
      const memoryProfile = describeProfile(profile);
      const remarks = [...message.remarks, ...this.#trailingRemark(error === undefined)];
      this.#loader?.finishFile(withProblems(facts, remarks, warnings), {
        path: message.name,
        container: message.container,
        fileBytes: message.inputBytes,
        memoryProfile,
        keyspaceOverheadBytes: keyspaceOverheads(facts, profile, (this.#loader?.slots ?? 0) - slotsBefore),
        approximate,
        incompleteReason:
          error?.message ?? (facts.checksum === 'mismatch' ? 'the checksum does not match' : undefined),
        loadMs: performance.now() - started,
      });
      return {
        kind: 'file-done',
        facts,
        memoryProfile,
        warnings: [...remarks, ...warnings],
        error: error === undefined ? undefined : carryError(error),
      };
    } finally {
      source.close();
    }
  }

  finish(): FromWorker {
    this.#loader?.finish();
    return { kind: 'finished', databasePath: this.#loader?.path };
  }

  abandon(): void {
    this.#loader?.abandon();
    this.#loader = undefined;
  }

  #trailingRemark(readToEnd: boolean): string[] {
    const bytes = this.#counters.trailingContainerBytes;
    return readToEnd && bytes > 0
      ? [`${bytes} bytes stand behind the compressed data and belong to nothing`]
      : [];
  }
}

function sourceOf({ bytes }: FileMessage, counters: SharedCounters): ByteSource {
  if ('ring' in bytes) return new RingSource(Ring.attach(bytes.ring));
  counters.bytesRead = bytes.file.start;
  const source = sharedFileSource(bytes.file);
  return {
    ...source,
    read(into, at) {
      const count = source.read(into, at);
      counters.bytesRead += count;
      return count;
    },
  };
}

function sinkOf(loader: SnapshotLoader): KeySink {
  return {
    begin: (facts, model) => loader.startFile(facts, model),
    take: (window, db, dialect) => loader.take(window, db, dialect),
    add: (record, memoryBytes, encoding, misfit) => loader.add(record, memoryBytes, encoding, misfit),
  };
}

/** The facts with what was noticed outside the decoder among the problems. */
function withProblems(
  facts: SnapshotFacts,
  remarks: readonly string[],
  profileWarnings: readonly string[],
): SnapshotFacts {
  const problem = (code: Problem['code'], severity: Problem['severity'], text: string): Problem => ({
    code,
    severity,
    text,
    offset: 0,
    db: 0,
    key: undefined,
    count: 1,
  });
  const problems = [
    ...facts.problems,
    ...remarks.map((text) => problem('input', 'info', text)),
    ...profileWarnings.map((text) => problem('memory-profile', 'warning', text)),
  ];
  return { ...facts, problems };
}

function toolVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

if (parentPort !== null) serve(parentPort, workerData as WorkerSetup);
