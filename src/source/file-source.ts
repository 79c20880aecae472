import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { systemError } from './source-error.js';

/** A file can be read from anywhere. */
export interface FileSource extends ByteSource {
  /** The next `read` gives the bytes from `offset` on. */
  seek(offset: number): void;
}

/**
 * A bare snapshot file, read in the calling thread. Nothing is unpacked; see `openInput` for the rest.
 * @throws SourceError when it can't be opened or read
 */
export function fileSource(path: string): FileSource {
  try {
    return openFile(path);
  } catch (error) {
    throw systemError(error, path);
  }
}

function openFile(path: string): FileSource {
  const descriptor = openSync(path, 'r');
  const found = fstatSync(descriptor);
  /** Null: where the last read ended, which is all that a pipe can do. */
  let position: number | null = null;
  return {
    ...(found.isFile() ? { totalBytes: found.size } : {}),
    read(into, at) {
      try {
        const count = readSync(descriptor, into, at, into.length - at, position);
        if (position !== null) position += count;
        return count;
      } catch (error) {
        throw systemError(error, path);
      }
    },
    seek(offset) {
      position = offset;
    },
    close: () => closeSync(descriptor),
  };
}
