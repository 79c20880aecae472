import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../source/byte-source.js';
import { bytesSource } from './bytes-source.js';
import { Decoder } from './decoder.js';
import { StreamedSnapshot } from './read-stream.js';
import type { ElementVisitor, SnapshotFacts } from './records.js';
import {
  copyOfFacts,
  type SnapshotKey,
  type SnapshotKeyName,
  snapshotKey,
  snapshotKeyName,
} from './snapshot-key.js';

/** How a snapshot is read. */
export interface ReadOptions {
  /** Walk packed collections for their longest element; slower. */
  readonly deep?: boolean;
}

/** How a snapshot is read that lies in memory or in a file. */
export interface ReadSyncOptions extends ReadOptions {
  /**
   * Asked before each value is read: who is to see its elements, if anybody. Of an element at most the visitor's
   * `keepBytes` are kept, so a huge key takes no memory.
   */
  readonly visit?: (key: SnapshotKeyName) => ElementVisitor | undefined;
}

/** Keys one after another; can be gone through once. */
export interface Snapshot extends Iterable<SnapshotKey> {
  /** What the snapshot tells besides its keys; complete when the last key was given. */
  readonly facts: SnapshotFacts;
}

/** The same for a stream. */
export interface AsyncSnapshot extends AsyncIterable<SnapshotKey> {
  /** What the snapshot tells besides its keys: undefined before the first key, complete when the last key was given. */
  readonly facts: SnapshotFacts | undefined;
}

/**
 * Reads an RDB snapshot key by key, in bounded memory: synchronously from a path or from bytes, asynchronously from a
 * stream, which a thread of its own decodes. Nothing is decompressed.
 * @throws RdbError while iterating, with the place, when the snapshot is damaged; errors of the file or stream pass through
 */
export function readSnapshot(input: string | Uint8Array, options?: ReadSyncOptions): Snapshot;
export function readSnapshot(input: AsyncIterable<Uint8Array>, options?: ReadOptions): AsyncSnapshot;
export function readSnapshot(
  input: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: ReadSyncOptions = {},
): Snapshot | AsyncSnapshot {
  if (typeof input === 'string') return new ReadingSnapshot(fileBytes(input), options);
  if (input instanceof Uint8Array) return new ReadingSnapshot(bytesSource(input), options);
  return new StreamedSnapshot(input, { deep: options.deep ?? false });
}

/** Where a key is to be looked for. */
export interface VisitOptions {
  /** The first database that has the key, unless it is given. */
  readonly db?: number;
}

/**
 * Shows a visitor the elements of one key and returns what else is known of it; undefined when there is no such key.
 * The values of other keys are passed over.
 * @param key its bytes, or text that is taken as UTF-8
 * @throws RdbError when the snapshot is damaged before the key's end
 */
export function visitKey(
  input: string | Uint8Array,
  key: string | Uint8Array,
  visitor: ElementVisitor,
  { db }: VisitOptions = {},
): SnapshotKey | undefined {
  const wanted = Buffer.from(key);
  let found = false;
  const visit = (name: SnapshotKeyName): ElementVisitor | undefined => {
    found = (db === undefined || db === name.db) && wanted.equals(name.key);
    return found ? visitor : undefined;
  };
  for (const seen of readSnapshot(input, { visit })) if (found) return seen;
  return undefined;
}

class ReadingSnapshot implements Snapshot {
  private readonly source: ByteSource;
  private readonly decoder: Decoder;

  constructor(source: ByteSource, { deep, visit }: ReadSyncOptions) {
    this.source = source;
    this.decoder = new Decoder(source, {
      deep: deep ?? false,
      ...(visit === undefined ? {} : { visitorFor: (record) => visit(snapshotKeyName(record)) }),
    });
  }

  get facts(): SnapshotFacts {
    return copyOfFacts(this.decoder.facts);
  }

  *[Symbol.iterator](): Generator<SnapshotKey, void, undefined> {
    try {
      while (this.decoder.next()) yield snapshotKey(this.decoder.record);
    } finally {
      this.source.close();
    }
  }
}

/** A file, opened when its first byte is wanted. */
function fileBytes(path: string): ByteSource {
  let descriptor: number | undefined;
  return {
    read(into, at) {
      descriptor ??= openSync(path, 'r');
      return readSync(descriptor, into, at, into.length - at, null);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
