import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { openInput, type SnapshotInput } from '../../src/source/open-input.js';
import { SourceError } from '../../src/source/source-error.js';

/** What came out of an input: the bytes until the end or the fault, and the facts. */
export interface Outcome {
  readonly bytes: Buffer;
  readonly container: string | undefined;
  readonly trailing: number | undefined;
  readonly fault: SourceError | undefined;
  readonly input: SnapshotInput | undefined;
}

/** Reads an input to its end; a SourceError becomes part of the outcome, anything else is thrown. */
export async function readAll(open: Promise<SnapshotInput>): Promise<Outcome> {
  const parts: Buffer[] = [];
  let input: SnapshotInput | undefined;
  let fault: SourceError | undefined;
  try {
    input = await open;
    for await (const chunk of input.chunks) parts.push(Buffer.from(chunk));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    fault = error;
  } finally {
    await input?.close();
  }
  return {
    bytes: Buffer.concat(parts),
    container: input?.container,
    trailing: input?.trailingContainerBytes(),
    fault,
    input,
  };
}

/** Reads bytes through the pipe side, in chunks of this size. */
export function readPiped(bytes: Uint8Array, chunkBytes = bytes.length): Promise<Outcome> {
  return readAll(openInput('-', pipeOf(bytes, chunkBytes)));
}

export function pipeOf(bytes: Uint8Array, chunkBytes: number): Readable {
  function* chunks(): Generator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Readable.from(chunks(), { objectMode: true });
}

/** A folder that goes away after the test file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function fileWith(folder: string, name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Bytes that pass for a snapshot here: a magic, then text that compresses and noise that does not. */
export function snapshotBytes(length = 300_000, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    bytes[i] = Math.floor(i / 5000) % 2 === 0 ? 97 + (i % 23) : state >>> 16;
  }
  bytes.write('REDIS0011', 0, 'latin1');
  return bytes;
}
