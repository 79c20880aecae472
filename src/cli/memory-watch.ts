import { workerData } from 'node:worker_threads';

/**
 * A thread that watches the memory of its process and ends it beyond the limit: the main thread, deep in a statement,
 * cannot, and SQLite's own limit is off in the build that we use.
 */
const { limitBytes } = workerData as { readonly limitBytes: number };

setInterval(() => {
  if (process.memoryUsage.rss() > limitBytes) process.kill(process.pid, 'SIGTERM');
}, 20);
