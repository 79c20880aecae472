import { createMemoryModel, type MemoryModel, type MemoryProfile } from '../memory/index.js';
import { Decoder } from '../rdb-parser/decoder.js';
import type { KeyRecord, SnapshotFacts } from '../rdb-parser/records.js';
import { fileSource } from '../source/file-source.js';

export interface ModelFileRequest {
  /** A bare snapshot. */
  readonly path: string;
  /** Chosen when the header has been read. */
  readonly profileFor: (facts: SnapshotFacts) => MemoryProfile;
  /** Takes one key; true when it has enough until the pause. */
  readonly take: (record: KeyRecord, model: MemoryModel) => boolean;
  /** Between slices of work, when others may run. */
  readonly pause: (bytesRead: number, keysRead: number) => Promise<void>;
}

/** How long one slice of work lasts, in milliseconds. */
const SLICE_MS = 25;
/** Keys between two looks at the clock. */
const CLOCK_KEYS = 64;

/**
 * Models the keys of a snapshot in this thread, in slices, so that a server can be asked in between.
 * @throws RdbError when it is damaged; SourceError when it can't be read
 */
export async function modelFile({ path, profileFor, take, pause }: ModelFileRequest): Promise<SnapshotFacts> {
  const source = fileSource(path);
  try {
    const decoder = new Decoder(source);
    decoder.readHeader();
    const { facts, record } = decoder;
    const model = createMemoryModel(profileFor(facts));
    decoder.meter = model;
    for (let more = true; more; ) {
      const until = performance.now() + SLICE_MS;
      for (let keys = 1; ; keys++) {
        more = decoder.next();
        if (!more || take(record, model)) break;
        if (keys % CLOCK_KEYS === 0 && performance.now() > until) break;
      }
      await pause(decoder.offset, facts.keysRead);
    }
    return facts;
  } finally {
    source.close();
  }
}
