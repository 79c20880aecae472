import { Readable } from 'node:stream';
import type { CliContext } from '../../src/cli/context.js';
import { main } from '../../src/cli/main.js';

export interface CapturedRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, as from a script: no terminal anywhere. */
export async function capturedRun(...args: string[]): Promise<CapturedRun> {
  const written = { stdout: '', stderr: '' };
  const output = (name: keyof typeof written): CliContext['stdout'] => ({
    isTerminal: false,
    columns: undefined,
    write: async (text) => {
      written[name] += text;
    },
  });
  const exitCode = await main(args, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: Readable.from([]),
    stdinIsTerminal: false,
    env: {},
    signal: new AbortController().signal,
  });
  return { exitCode, ...written };
}
