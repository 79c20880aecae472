import { Worker } from 'node:worker_threads';
import { startQuery } from '../report/adhoc.js';
import type { Cell } from '../report/document.js';
import { ReportError } from '../report/errors.js';
import { openStore } from '../store/open.js';
import type { FromQuery, ToQuery } from './query-protocol.js';

/** Memory of the whole process; a query that sorts more than it allows goes to a temporary file by itself. */
const LIMIT_BYTES = 240 * 1024 * 1024;

/**
 * A process that runs one user's statement, so that it can be ended: SQLite inside a worker thread runs on after the
 * thread was told to stop.
 */
const watch = new Worker(new URL('./memory-watch.js', import.meta.url), {
  workerData: { limitBytes: LIMIT_BYTES },
});
watch.unref();

let rows: Iterator<readonly Cell[]> | undefined;
let batchRows = 1;

process.on('message', (message: ToQuery) => {
  try {
    if (message.kind === 'run') {
      const started = startQuery(openStore(message.databasePath), message.query);
      rows = started.rows[Symbol.iterator]();
      batchRows = message.batchRows;
      tell({ kind: 'columns', names: started.names });
    } else {
      tell(nextBatch());
    }
  } catch (error) {
    const code = error instanceof ReportError ? error.code : 'bad-sql';
    tell({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; the process that asked decides.
process.on('SIGINT', () => {});

function nextBatch(): FromQuery {
  const batch: (readonly Cell[])[] = [];
  let bytes = 0;
  while (batch.length < batchRows && bytes < BATCH_BYTES) {
    const next = rows!.next();
    if (next.done === true) return { kind: 'rows', rows: batch, last: true };
    batch.push(next.value);
    for (const cell of next.value) bytes += typeof cell === 'string' ? cell.length : 16;
  }
  return { kind: 'rows', rows: batch, last: false };
}

/** Rows with long texts go in smaller batches. */
const BATCH_BYTES = 1024 * 1024;

function tell(message: FromQuery): void {
  process.send?.(message);
}
