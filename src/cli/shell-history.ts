import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { CliContext } from './context.js';

/** Lines that are kept, the latest. */
export const HISTORY_LINES = 1000;
/** The file is cut to HISTORY_LINES when a shell starts and it has more lines than this, or more bytes than that. */
const MOST_LINES = 2 * HISTORY_LINES;
const MOST_BYTES = 2 ** 20;
/** A longer line is not worth keeping. */
const MOST_CHARACTERS = 10_000;

/** For the user alone: queries name keys, and keys name people. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** Nothing that could steer a terminal when it is shown again. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * What was typed into the shell, over sessions: each line is appended as it is entered, so that shells that run side by side keep
 * each other's. A file that can't be read or written is no reason to stop: history then ends with the session.
 */
export class ShellHistory {
  /** Newest first, as readline has it. */
  readonly lines: readonly string[];
  #path: string | undefined;

  constructor(path: string | undefined) {
    this.#path = path;
    this.lines = path === undefined ? [] : this.#read(path);
  }

  add(line: string): void {
    if (this.#path === undefined || !isKept(line)) return;
    const path = this.#path;
    this.#guarded(() => appendFileSync(path, `${line}\n`, { mode: PRIVATE_FILE }));
  }

  #read(path: string): string[] {
    let lines: string[] = [];
    this.#guarded(() => {
      mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return;
      if (!stat.isFile()) throw new Error('is no file');
      if (stat.size > MOST_BYTES * 16) throw new Error('is something else');
      const all = readFileSync(path, 'utf8').split('\n').filter(isKept);
      lines = all.slice(-HISTORY_LINES);
      if (all.length > MOST_LINES || stat.size > MOST_BYTES) replace(realpathSync(path), lines);
      else if ((stat.mode & 0o077) !== 0) chmodSync(path, PRIVATE_FILE);
    });
    return [...new Set(lines.reverse())];
  }

  #guarded(action: () => void): void {
    try {
      action();
    } catch {
      this.#path = undefined;
    }
  }
}

/**
 * Where history is kept: what RDBSCOPE_HISTORY says (nowhere when it is set and empty, or "off"), else the user's folder for state.
 * Source: XDG Base Directory Specification 0.8: a path that is not absolute counts for nothing.
 */
export function historyPath(env: CliContext['env'], home: string = homedir()): string | undefined {
  const chosen = env.RDBSCOPE_HISTORY;
  if (chosen !== undefined) return chosen === '' || chosen === 'off' ? undefined : chosen;
  const state = env.XDG_STATE_HOME ?? '';
  const base = isAbsolute(state) ? state : isAbsolute(home) ? join(home, '.local', 'state') : undefined;
  return base === undefined ? undefined : join(base, 'rdbscope', 'sql-history');
}

function isKept(line: string): boolean {
  return line.trim() !== '' && line.length <= MOST_CHARACTERS && !CONTROL.test(line);
}

/** The new file has its name when it is whole. */
function replace(path: string, lines: readonly string[]): void {
  const fresh = `${path}.${process.pid}`;
  try {
    writeFileSync(fresh, lines.map((line) => `${line}\n`).join(''), { mode: PRIVATE_FILE, flag: 'wx' });
    renameSync(fresh, path);
  } finally {
    rmSync(fresh, { force: true });
  }
}
