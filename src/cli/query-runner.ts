import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { formatDuration } from '../render/format-cell.js';
import type { AdhocQuery } from '../report/adhoc.js';
import type { Cell } from '../report/document.js';
import { ReportError } from '../report/errors.js';
import type { FromQuery, ToQuery } from './query-protocol.js';

export interface QueryLimits {
  /** Milliseconds; 0 for none. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Built JavaScript: a process cannot be started from TypeScript. */
const PROGRAM = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../dist/run/query-process.js' : '../run/query-process.js',
    import.meta.url,
  ),
);

const BATCH_ROWS = 500;

/** A statement under way in its own process. Take the rows, then `end`. */
export class RunningQuery {
  readonly names: readonly string[];
  readonly #process: QueryProcess;

  private constructor(process: QueryProcess, names: readonly string[]) {
    this.#process = process;
    this.names = names;
  }

  /** @throws ReportError for bad SQL, a time or memory limit; the signal's reason when it was stopped */
  static async start(databasePath: string, query: AdhocQuery, limits: QueryLimits): Promise<RunningQuery> {
    const process = new QueryProcess(limits);
    try {
      const answer = await process.ask({ kind: 'run', databasePath, query, batchRows: BATCH_ROWS });
      if (answer.kind !== 'columns') throw new Error('the query process answers out of turn');
      return new RunningQuery(process, answer.names);
    } catch (error) {
      process.end();
      throw error;
    }
  }

  /** Batches of rows, asked for one at a time, so that only one is held. */
  async *batches(): AsyncGenerator<readonly (readonly Cell[])[]> {
    for (;;) {
      const answer = await this.#process.ask({ kind: 'more' });
      if (answer.kind !== 'rows') throw new Error('the query process answers out of turn');
      if (answer.rows.length > 0) yield answer.rows;
      if (answer.last) return;
    }
  }

  end(): void {
    this.#process.end();
  }
}

type Answer = Exclude<FromQuery, { kind: 'failed' }>;

/** One child process and the one question it is working on. */
class QueryProcess {
  readonly #child: ChildProcess;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #signal: AbortSignal;
  #resolve: ((answer: Answer) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;

  constructor({ timeoutMs, signal }: QueryLimits) {
    signal.throwIfAborted();
    this.#signal = signal;
    this.#child = fork(PROGRAM, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    this.#child.on('message', (message: FromQuery) => {
      if (message.kind === 'failed') this.#reject?.(new ReportError(message.code, message.message));
      else this.#resolve?.(message);
    });
    this.#child.on('error', (error) => this.#reject?.(error));
    this.#child.on('exit', (code, name) => {
      const unexpected = new Error(`the query process ended unexpectedly (${name ?? code})`);
      this.#reject?.(name === 'SIGTERM' || name === 'SIGABRT' ? outOfMemory() : unexpected);
    });
    signal.addEventListener('abort', this.#stop);
    if (timeoutMs > 0) this.#timer = setTimeout(() => this.#timeOut(timeoutMs), timeoutMs);
  }

  ask(message: ToQuery): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#child.send(message, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  /** SIGKILL: a running statement looks at nothing else. */
  end(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#stop);
    this.#reject = undefined;
    this.#child.kill('SIGKILL');
  }

  readonly #stop = (): void => {
    this.#reject?.(this.#signal.reason);
    this.end();
  };

  #timeOut(timeoutMs: number): void {
    const limit = formatDuration(timeoutMs);
    this.#reject?.(
      new ReportError('timeout', `the query was stopped after ${limit}; --timeout allows more, 0 any time`),
    );
    this.end();
  }
}

/** The process watches its own memory and ends itself; V8 aborts when its heap is full. */
function outOfMemory(): ReportError {
  const advice = 'narrow it, or put less into one group or row';
  return new ReportError('out-of-memory', `the query needs more memory than it may take: ${advice}`);
}
