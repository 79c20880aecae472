import type { Readable, Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

/** A stream that results or messages go to. */
export interface CliOutput {
  readonly isTerminal: boolean;
  /** Columns of the terminal, where it is known. */
  readonly columns: number | undefined;
  /** Resolves when the text is handed on, so that a slow reader slows us; rejects with the stream's error. */
  readonly write: (text: string) => Promise<void>;
}

/** The world as commands see it, so that tests can hand them another one. */
export interface CliContext {
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly stdin: Readable;
  readonly stdinIsTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** The process's own streams. The first Ctrl-C aborts the signal, the second ends the process at once. */
export function processContext(): CliContext {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort(new Interrupted()));
  const stdin: ReadStream = process.stdin;
  return {
    stdout: streamOutput(process.stdout),
    stderr: streamOutput(process.stderr),
    stdin,
    stdinIsTerminal: stdin.isTTY === true,
    env: process.env,
    signal: controller.signal,
  };
}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

export function streamOutput(stream: Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>): CliOutput {
  // A write's callback gets the error; without a listener the stream's own event would end the process.
  stream.on('error', () => {});
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        if (text === '') resolve();
        else stream.write(text, (error) => (error ? reject(error) : resolve()));
      }),
  };
}
