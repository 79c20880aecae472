import { readSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type AofBase, isManifest, manifestIn, readManifest } from './aof.js';
import { ChunkReader } from './chunk-reader.js';
import type { SharedFile } from './file-source.js';
import { SourceError, systemError } from './source-error.js';
import { type Unwrapped, unwrap } from './unwrap.js';

/** A snapshot ready to be read, whatever it was wrapped in. Asynchronous: see `ByteSource` for the blocking side. */
export interface SnapshotInput {
  /** As the user gave it; "standard input" for a pipe. */
  readonly name: string;
  /** What it was wrapped in, outermost first, joined by "+"; "plain" for a bare file. */
  readonly container: string;
  /** Size of the file as it lies on the disk, undefined for a pipe. */
  readonly inputBytes: number | undefined;
  /** Size of the snapshot with what follows it, known for plain files only. */
  readonly snapshotBytes: number | undefined;
  /** The file itself, for bare ones: another thread may read it too, until `close`. */
  readonly file: SharedFile | undefined;
  readonly framing: Unwrapped['framing'];
  readonly aof: AofBase | undefined;
  /** The snapshot's bytes from the magic on; to be gone through once. A chunk is valid until the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of the input read so far, as they lie on the disk. */
  inputBytesRead(): number;
  /** Bytes behind the compressed data that belong to nothing; final after the last chunk. */
  trailingContainerBytes(): number;
  close(): Promise<void>;
}

/**
 * Opens a path, or standard input for "-", and finds the snapshot in it by content: bare, compressed, a replication
 * capture, an append-only file's base.
 * @throws SourceError when there is no snapshot in it, with what it looks like and what to do
 */
export async function openInput(path: string, stdin: Readable = process.stdin): Promise<SnapshotInput> {
  const name = path === '-' ? 'standard input' : path;
  try {
    if (path === '-') return await openRaw(pipeInput(stdin), name, undefined);
    return await openPath(path);
  } catch (error) {
    throw systemError(error, name);
  }
}

async function openPath(path: string): Promise<SnapshotInput> {
  const isFolder = (await stat(path)).isDirectory();
  const manifest = isFolder ? await manifestIn(path) : undefined;
  if (manifest !== undefined) return openBase(manifest);
  const raw = await fileInput(path);
  if (raw.inputBytes !== undefined && isManifest(await raw.reader.peek(512))) {
    await raw.close();
    return openBase(path);
  }
  return openRaw(raw, path, undefined);
}

async function openBase(manifestPath: string): Promise<SnapshotInput> {
  const base = await readManifest(manifestPath);
  try {
    return await openRaw(await fileInput(base.path), base.path, base);
  } catch (error) {
    throw systemError(error, base.path);
  }
}

/** Bytes as they come, before anything is unpacked. */
interface RawInput {
  readonly reader: ChunkReader;
  readonly inputBytes: number | undefined;
  readonly fd: number | undefined;
  close(): Promise<void>;
}

async function openRaw(raw: RawInput, name: string, aof: AofBase | undefined): Promise<SnapshotInput> {
  let unwrapped: Unwrapped;
  try {
    unwrapped = await unwrap(raw.reader, name);
  } catch (error) {
    await raw.close();
    throw systemError(error, name);
  }
  const { wrappings, framing, reader, facts } = unwrapped;
  const labels = [
    ...(aof === undefined ? [] : ['aof']),
    ...wrappings,
    ...(framing === undefined ? [] : ['replication']),
  ];
  const bare = wrappings.length === 0 && raw.inputBytes !== undefined;
  return {
    name,
    container: labels.length === 0 ? 'plain' : labels.join('+'),
    inputBytes: raw.inputBytes,
    snapshotBytes: bare ? raw.inputBytes! - (framing?.bytes ?? 0) : undefined,
    file: bare && raw.fd !== undefined ? { name, fd: raw.fd, start: framing?.bytes ?? 0 } : undefined,
    framing,
    aof,
    chunks: namingErrors(reader.rest(), name),
    inputBytesRead: () => raw.reader.taken,
    trailingContainerBytes: () => facts.reduce((sum, fact) => sum + fact.trailingBytes, 0),
    close: () => raw.close(),
  };
}

async function* namingErrors(chunks: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw systemError(error, name);
  }
}

const READ_BYTES = 2 ** 20;

async function fileInput(path: string): Promise<RawInput> {
  const handle = await open(path);
  const found = await handle.stat();
  return {
    reader: new ChunkReader(fileChunks(handle, found.isFile())),
    inputBytes: found.isFile() ? found.size : undefined,
    fd: handle.fd,
    close: () => handle.close(),
  };
}

/**
 * One buffer, read into again and again: without it every chunk would be garbage outside the heap. A regular file is
 * read on this thread, which costs half of handing each read to another; what else waits has its turn in between, as far
 * as a read ends: a network file system that hangs holds up a stop, too.
 */
async function* fileChunks(handle: FileHandle, isRegular: boolean): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  for (;;) {
    let bytes: number;
    if (isRegular) {
      await setImmediate();
      bytes = readSync(handle.fd, buffer, 0, buffer.length, null);
    } else {
      bytes = (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
    }
    if (bytes === 0) return;
    yield buffer.subarray(0, bytes);
  }
}

function pipeInput(stdin: Readable): RawInput {
  if ('isTTY' in stdin && stdin.isTTY === true) {
    throw new SourceError({
      code: 'missing',
      input: 'standard input',
      problem: 'is a terminal',
      advice: 'Pipe a snapshot into it: gzip -dc dump.rdb.gz | rdbscope analyze -',
    });
  }
  return {
    reader: new ChunkReader(stdin as AsyncIterable<Uint8Array>),
    inputBytes: undefined,
    fd: undefined,
    close: async () => {
      stdin.destroy();
    },
  };
}
