import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { LoadProgress } from '../load.js';
import type { ModelOptions } from '../load-protocol.js';
import type { MemoryProfile } from '../memory/index.js';
import type { SnapshotFacts } from '../rdb-parser/records.js';
import { profileOfSnapshot } from '../snapshot-profile.js';
import { openInput, type SnapshotInput } from '../source/open-input.js';
import { askKeys } from './ask-keys.js';
import { ErrorTable, type KeyError, type KindErrors } from './error-table.js';
import { KeySample, type ModelledKey, modelledKey } from './key-sample.js';
import { modelFile } from './model-file.js';
import { startScratchServer } from './scratch-server.js';
import { type ServerAddress, ServerConnection } from './server-connection.js';
import { askServer, type ServerFacts } from './server-facts.js';

export interface CalibrationRequest {
  /** A snapshot, "-" for standard input. */
  readonly input: string;
  /** A server that has loaded it, or the program of one that is to. */
  readonly server:
    | { readonly kind: 'running'; readonly address: ServerAddress }
    | { readonly kind: 'scratch'; readonly program: string };
  /** Keys per type and encoding; undefined: every key. */
  readonly sample: number | undefined;
  /** What is told of the server, over what it tells itself. */
  readonly model: ModelOptions;
  readonly stdin?: Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: LoadProgress) => void) | undefined;
}

/** How far the model is from a server. */
export interface Calibration {
  readonly input: string;
  readonly server: ServerFacts;
  readonly serverName: string;
  /** What was modelled. */
  readonly profile: MemoryProfile;
  /** What the server itself would ask for. */
  readonly serverProfile: MemoryProfile;
  /** What a load models when nobody says anything. */
  readonly usualProfile: MemoryProfile;
  readonly warnings: readonly string[];
  readonly facts: SnapshotFacts;
  /** Keys that were past their time and were not asked for. */
  readonly expiredKeys: number;
  readonly kinds: readonly KindErrors[];
  readonly worstKeys: readonly KeyError[];
  readonly otherEncodings: readonly KeyError[];
}

/**
 * Compares modelled figures with what a server says of the same keys. The server is only read.
 * @throws ServerProblem; RdbError when the snapshot is damaged; SourceError when there is none
 */
export async function calibrate(request: CalibrationRequest): Promise<Calibration> {
  const input = await openInput(request.input, request.stdin);
  let folder: string | undefined;
  try {
    let path = input.name;
    if (input.container !== 'plain' || request.input === '-') {
      folder = mkdtempSync(join(tmpdir(), 'rdbscope-calibrate-'));
      path = join(folder, 'dump.rdb');
      await pipeline(input.chunks, createWriteStream(path), { signal: request.signal });
    }
    await input.close();
    return await compareWithServer(path, input, request);
  } finally {
    await input.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function compareWithServer(
  path: string,
  input: SnapshotInput,
  request: CalibrationRequest,
): Promise<Calibration> {
  const { server, signal } = request;
  if (server.kind === 'running') {
    const connection = await ServerConnection.open(server.address, signal);
    try {
      return await compare(connection, path, input, request);
    } finally {
      connection.close();
    }
  }
  const scratch = await startScratchServer(server.program, path, signal);
  try {
    return await compare(scratch.connection, path, input, request);
  } finally {
    await scratch.stop();
  }
}

/** Keys asked for between two slices of decoding, when all are. */
const BATCH_KEYS = 1000;
/** Bytes of key names held for that at most. */
const BATCH_BYTES = 2 ** 20;

async function compare(
  connection: ServerConnection,
  path: string,
  input: SnapshotInput,
  request: CalibrationRequest,
): Promise<Calibration> {
  const { sample: perKind, model: asked, signal } = request;
  const server = await askServer(connection, signal);
  const table = new ErrorTable();
  const sample = perKind === undefined ? undefined : new KeySample(perKind);
  const batch = new KeyBatch();
  const profiles = new ChosenProfiles(server, asked);
  const startedAt = Date.now();
  let expiredKeys = 0;
  const facts = await modelFile({
    path,
    profileFor: (header) => profiles.choose(header),
    take: (record, { memoryBytes, encoding }) => {
      // A server drops it when it loads the file.
      if (record.hasExpiry && record.expiresAtMs < startedAt) {
        expiredKeys++;
        return false;
      }
      if (sample === undefined) return batch.add(modelledKey(record, memoryBytes, encoding));
      sample.add(record, memoryBytes, encoding);
      return false;
    },
    pause: async (bytesRead, keys) => {
      signal?.throwIfAborted();
      request.onProgress?.({
        input: input.name,
        fileNumber: 1,
        files: 1,
        bytesRead,
        totalBytes: input.snapshotBytes,
        keys,
        elapsedMs: Date.now() - startedAt,
      });
      if (batch.keys.length > 0) await askKeys(connection, batch.empty(), table, signal);
      else await turn();
    },
  });
  if (sample !== undefined) await askKeys(connection, sample.keys(), table, signal);
  return {
    input: input.name,
    server,
    serverName: connection.name,
    ...profiles.chosen(),
    facts,
    expiredKeys,
    kinds: table.rows(),
    worstKeys: table.worstKeys(),
    otherEncodings: table.otherEncodings(),
  };
}

type Profiles = Pick<Calibration, 'profile' | 'serverProfile' | 'usualProfile' | 'warnings'>;

/** What is modelled, and what would be without a server at hand; known when the header has been read. */
class ChosenProfiles {
  private readonly server: ServerFacts;
  private readonly asked: ModelOptions;
  private result: Profiles | undefined;

  constructor(server: ServerFacts, asked: ModelOptions) {
    this.server = server;
    this.asked = asked;
  }

  choose(facts: SnapshotFacts): MemoryProfile {
    const { model } = this.server;
    const said = Object.entries(this.asked).filter(([, value]) => value !== undefined);
    const thresholds = { ...model.thresholds, ...this.asked.thresholds };
    const { profile, warning } = profileOfSnapshot(facts, {
      ...model,
      ...Object.fromEntries(said),
      thresholds,
    });
    const serverProfile = profileOfSnapshot(facts, model).profile;
    const usualProfile = profileOfSnapshot(facts, {}).profile;
    this.result = { profile, serverProfile, usualProfile, warnings: warning === undefined ? [] : [warning] };
    return profile;
  }

  chosen(): Profiles {
    if (this.result === undefined) throw new Error('the header was not read');
    return this.result;
  }
}

/** Keys held until the server is asked. */
class KeyBatch {
  keys: ModelledKey[] = [];
  private bytes = 0;

  /** True when it is full. */
  add(key: ModelledKey): boolean {
    this.keys.push(key);
    this.bytes += key.key.length;
    return this.keys.length >= BATCH_KEYS || this.bytes >= BATCH_BYTES;
  }

  empty(): readonly ModelledKey[] {
    const { keys } = this;
    this.keys = [];
    this.bytes = 0;
    return keys;
  }
}
