import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import type { CliContext, CliOutput } from '../../src/cli/context.js';
import { main } from '../../src/cli/main.js';

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliWorld {
  readonly stdin?: string | Uint8Array;
  readonly env?: CliContext['env'];
  /** Columns of a terminal that standard output is. */
  readonly terminal?: number;
  readonly signal?: AbortSignal;
}

/** Runs a command line inside this process, with streams of its own. */
export async function rdbscope(args: readonly string[], world: CliWorld = {}): Promise<CliResult> {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr', columns: number | undefined): CliOutput => ({
    isTerminal: columns !== undefined,
    columns,
    write: async (text) => {
      written[name] += text;
    },
  });
  const exitCode = await main(args, {
    stdout: output('stdout', world.terminal),
    stderr: output('stderr', undefined),
    stdin: Readable.from(world.stdin === undefined ? [] : [Buffer.from(world.stdin)]),
    stdinIsTerminal: false,
    env: world.env ?? {},
    signal: world.signal ?? new AbortController().signal,
  });
  return { exitCode, ...written };
}

/** A folder that is removed after the tests of the file. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const SHOP = new URL('../../fixtures/shop.rdb', import.meta.url).pathname;
