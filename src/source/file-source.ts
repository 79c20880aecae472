import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { SourceError, systemError } from './source-error.js';

/** A file can be read from anywhere. */
export interface FileSource extends ByteSource {
  /** The next `read` gives the bytes from `offset` on. */
  seek(offset: number): void;
}

/** An open file that another thread reads; it stays open until that is done. */
export interface SharedFile {
  /** For messages. */
  readonly name: string;
  readonly fd: number;
  /** Where the snapshot starts in it. */
  readonly start: number;
}

/**
 * A bare snapshot file, read in the calling thread. Nothing is unpacked; see `openInput` for the rest.
 * @throws SourceError when it can't be opened or read
 */
export function fileSource(path: string): FileSource {
  try {
    const descriptor = openSync(path, 'r');
    return readFrom({ name: path, fd: descriptor, start: 0 }, () => closeSync(descriptor));
  } catch (error) {
    throw systemError(error, path);
  }
}

/** The same for one that is open; closing it is its owner's business. */
export function sharedFileSource(file: SharedFile): FileSource {
  try {
    return readFrom(file, () => {});
  } catch (error) {
    throw systemError(error, file.name);
  }
}

function readFrom({ name, fd, start }: SharedFile, close: () => void): FileSource {
  const found = fstatSync(fd);
  /** Null: where the last read ended, which is all that a pipe can do. */
  let position: number | null = found.isFile() ? start : null;
  const shrunk = (at: number): SourceError =>
    new SourceError({
      code: 'input-output',
      input: name,
      problem: `became shorter while it was read: byte ${at} is gone`,
      advice: 'Read a copy that nothing writes to.',
    });
  return {
    ...(found.isFile() ? { totalBytes: found.size - start } : {}),
    read(into, at) {
      try {
        const count = readSync(fd, into, at, into.length - at, position);
        if (position !== null) {
          if (count === 0 && position < found.size) throw shrunk(position);
          position += count;
        }
        return count;
      } catch (error) {
        throw systemError(error, name);
      }
    },
    seek(offset) {
      position = start + offset;
    },
    close,
  };
}
