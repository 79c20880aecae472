import { spawnSync } from 'node:child_process';

/** Runs an installed program over bytes; undefined when it is not installed. */
export function runTool(command: readonly string[], bytes: Uint8Array): Buffer | undefined {
  const done = spawnSync(command[0]!, command.slice(1), { input: bytes, maxBuffer: 2 ** 30 });
  if (done.error !== undefined && 'code' in done.error && done.error.code === 'ENOENT') return undefined;
  if (done.error !== undefined) throw done.error;
  if (done.status !== 0) throw new Error(`${command.join(' ')}: ${done.stderr.toString()}`);
  return done.stdout;
}

/** How the real programs pack, by container; every row unpacks to what went in. */
export const PACKERS: readonly { readonly container: string; readonly command: readonly string[] }[] = [
  { container: 'gzip', command: ['gzip', '-1', '-c'] },
  { container: 'gzip', command: ['gzip', '-9', '-c'] },
  { container: 'zstd', command: ['zstd', '-q', '-1', '-c'] },
  { container: 'zstd', command: ['zstd', '-q', '-19', '-c'] },
  { container: 'zstd', command: ['zstd', '-q', '--no-check', '-c'] },
  { container: 'zstd', command: ['zstd', '-q', '--long=26', '-c'] },
  { container: 'lz4', command: ['lz4', '-q', '-1', '-c'] },
  { container: 'lz4', command: ['lz4', '-q', '-9', '-c'] },
  { container: 'lz4', command: ['lz4', '-q', '-B4', '-BD', '-BX', '-c'] },
  { container: 'lz4', command: ['lz4', '-q', '-B5', '--no-frame-crc', '-c'] },
  { container: 'lz4', command: ['lz4', '-q', '-B6', '-BD', '--content-size', '-c'] },
];

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
