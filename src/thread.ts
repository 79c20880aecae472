import { Worker } from 'node:worker_threads';

/** Starts a thread of ours from what was built, also when the sources themselves are run by a test runner. */
export function startThread(script: 'load-worker' | 'pass-worker', workerData: unknown): Worker {
  const folder = import.meta.url.endsWith('.ts') ? '../dist/run/' : './run/';
  const url = new URL(`${folder}${script}.js`, import.meta.url);
  return new Worker(url, { workerData, execArgv: inheritedFlags() });
}

/** Node's own flags go on to the thread, less one that a file can't be run with: `node --input-type=module -e ...`. */
function inheritedFlags(): string[] {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? [] : process.execArgv;
}
