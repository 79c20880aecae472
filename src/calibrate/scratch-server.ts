import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerAddress, ServerConnection, ServerProblem } from './server-connection.js';

/** A server of our own that has a snapshot. */
export interface ScratchServer {
  readonly connection: ServerConnection;
  readonly pid: number;
  /** Ends the server and removes its folder; the snapshot is only linked there. */
  stop(): Promise<void>;
}

/** Databases the server gets: one with a higher number would keep it from loading. */
const DATABASES = 4096;
/** Until it listens. Loading comes after, and takes what it takes. */
const START_MS = 15_000;
const RETRY_MS = 50;
/** After this it is not asked any more. */
const STOP_MS = 10_000;
/** How much of its log is kept, for when it fails. */
const LOG_BYTES = 4096;

/**
 * Starts a server on a free port of 127.0.0.1 that loads the snapshot and never writes.
 * @throws ServerProblem with the end of its log when it does not start
 */
export async function startScratchServer(
  program: string,
  snapshotPath: string,
  signal?: AbortSignal,
): Promise<ScratchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rdbscope-calibrate-'));
  const port = await freePort();
  symlinkSync(realpathSync(snapshotPath), join(folder, 'dump.rdb'));
  const child = spawn(program, serverArguments(port, folder), {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = logOf(child);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(startProblem(program, error)));
    child.once('exit', (code) => resolve(`${program} ended (exit code ${code}), its last words:\n${log()}`));
  });
  const stop = async (): Promise<void> => {
    await endProcess(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const connection = await connectWhenUp({ host: '127.0.0.1', port }, ended, signal);
    // What it dies of while it loads is told by its log, not by a closed connection.
    connection.explainEnd(ended);
    return {
      connection,
      pid: child.pid!,
      stop: async () => {
        connection.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function startProblem(program: string, error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    return `${program} is not there, or not in the PATH. Give the program's path: --redis-server /usr/bin/redis-server`;
  }
  if (code === 'EACCES')
    return `${program} may not be run. Give a program: --redis-server /usr/bin/redis-server`;
  return `${program} can't be run: ${error.message}`;
}

/** No configuration file, nothing saved, nobody but this machine. */
function serverArguments(port: number, folder: string): string[] {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    dbfilename: 'dump.rdb',
    save: '',
    appendonly: 'no',
    daemonize: 'no',
    databases: String(DATABASES),
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

function logOf(child: ChildProcess): () => string {
  let text = '';
  const take = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-LOG_BYTES);
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return () => text.trim().split('\n').slice(-LOG_LINES).join('\n');
}

const LOG_LINES = 3;

async function connectWhenUp(
  address: ServerAddress,
  ended: Promise<string>,
  signal: AbortSignal | undefined,
): Promise<ServerConnection> {
  let reason: string | undefined;
  ended.then((text) => {
    reason = text;
  });
  const until = performance.now() + START_MS;
  for (;;) {
    signal?.throwIfAborted();
    if (reason !== undefined) throw new ServerProblem(reason);
    try {
      return await ServerConnection.open(address, signal);
    } catch (error) {
      if (!(error instanceof ServerProblem) || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exit;
  clearTimeout(timer);
}

/** A port that nobody listens on now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
