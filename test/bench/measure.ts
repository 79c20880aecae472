import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What one run of a command took, children included. CPU is user and system time, seconds; RSS in MiB. */
export interface Run {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly rssMib: number;
}

/** Medians over several runs. */
export interface Measured extends Run {
  readonly runs: number;
  /** Of the run that was disturbed least. */
  readonly leastCpuSeconds: number;
}

/** Without what makes every Node process read a file of certificates first, which takes as long as its own start. */
const PLAIN_ENVIRONMENT = { ...process.env, NODE_EXTRA_CA_CERTS: undefined };

/**
 * Runs a command under GNU time. @param scratch a folder for its figures
 * @throws Error when the command fails
 */
export function runOnce(command: readonly string[], scratch: string): Run {
  const figures = join(scratch, 'time.txt');
  const result = spawnSync('time', ['-o', figures, '-f', '%U %S %e %M', ...command], {
    env: PLAIN_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 2 ** 24,
  });
  if (result.error !== undefined)
    throw new Error(`GNU time can't be run (install the package "time"): ${result.error.message}`);
  if (result.status !== 0)
    throw new Error(
      `${command.join(' ')} ended with ${result.status}: ${result.stderr.toString().slice(-500)}`,
    );
  const [user, system, wall, kib] = readFileSync(figures, 'utf8')
    .trim()
    .split('\n')
    .at(-1)!
    .split(' ')
    .map(Number);
  rmSync(figures);
  return { cpuSeconds: user! + system!, wallSeconds: wall!, rssMib: kib! / 1024 };
}

/** Commands run in turn, so that drift of the machine falls on all of them; medians by name. */
export function measureInTurn(
  commands: Readonly<Record<string, readonly string[]>>,
  runs: number,
  scratch: string,
): Map<string, Measured> {
  const taken = new Map<string, Run[]>(Object.keys(commands).map((name) => [name, []]));
  for (let i = 0; i < runs; i++) {
    for (const [name, command] of Object.entries(commands)) taken.get(name)!.push(runOnce(command, scratch));
  }
  return new Map([...taken].map(([name, all]) => [name, medians(all)]));
}

function medians(runs: readonly Run[]): Measured {
  return {
    runs: runs.length,
    cpuSeconds: median(runs.map((run) => run.cpuSeconds)),
    leastCpuSeconds: Math.min(...runs.map((run) => run.cpuSeconds)),
    wallSeconds: median(runs.map((run) => run.wallSeconds)),
    rssMib: Math.max(...runs.map((run) => run.rssMib)),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
