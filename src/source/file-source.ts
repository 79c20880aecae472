import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.js';
import { systemError } from './source-error.js';

/**
 * A bare snapshot file, read in the calling thread. Nothing is unpacked; see `openInput` for the rest.
 * @throws SourceError when it can't be opened or read
 */
export function fileSource(path: string): ByteSource {
  try {
    return openFile(path);
  } catch (error) {
    throw systemError(error, path);
  }
}

function openFile(path: string): ByteSource {
  const descriptor = openSync(path, 'r');
  const found = fstatSync(descriptor);
  return {
    ...(found.isFile() ? { totalBytes: found.size } : {}),
    read(into, at) {
      try {
        return readSync(descriptor, into, at, into.length - at, null);
      } catch (error) {
        throw systemError(error, path);
      }
    },
    close: () => closeSync(descriptor),
  };
}
