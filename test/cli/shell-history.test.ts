import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { HISTORY_LINES, historyPath, ShellHistory } from '../../src/cli/shell-history.js';
import { rdbscope, SHOP, scratchFolder } from './cli-run.js';

const folder = scratchFolder();
const database = join(folder, 'shop.sqlite');
const program = new URL('../../bin/rdbscope.js', import.meta.url).pathname;
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** util-linux's `script` gives a program a terminal. */
const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

/** A shell in a process and a terminal of its own; each text is typed once the prompt stands there. */
function shellProcess(env: Record<string, string>, typed: readonly string[], option = ''): Promise<string> {
  const command = `'${process.execPath}' '${program}' sql '${database}' ${option}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const left = [...typed];
  let said = '';
  let seen = 0;
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    said += text;
    const prompt = said.lastIndexOf('sql> ');
    if (prompt < seen) return;
    seen = said.length;
    const next = left.shift();
    if (next !== undefined) child.stdin.write(next);
  });
  return new Promise((resolve) => child.on('close', () => resolve(said)));
}

describe('history', () => {
  it('is one line each, newest first, without repeats and without what could steer a terminal', () => {
    const path = join(folder, 'a', 'b', 'history');
    const history = new ShellHistory(path);
    for (const line of ['one', 'two', '', '   ', 'three\x1b[2J', 'one', 'x'.repeat(10_001), 'é'])
      history.add(line);
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\none\né\n');
    expect(new ShellHistory(path).lines).toEqual(['é', 'one', 'two']);
    expect([modeOf(path), modeOf(join(folder, 'a', 'b'))]).toEqual([0o600, 0o700]);
  });

  it('stays bounded, and private where it was not', () => {
    const path = join(folder, 'long');
    writeFileSync(path, Array.from({ length: 2001 }, (_, i) => `line ${i}\n`).join(''), { mode: 0o644 });
    const { lines } = new ShellHistory(path);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([HISTORY_LINES, 'line 2000', 'line 1001']);
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(HISTORY_LINES + 1);
    expect(modeOf(path)).toBe(0o600);
    writeFileSync(path, 'one\n');
    chmodSync(path, 0o664);
    expect(new ShellHistory(path).lines).toEqual(['one']);
    expect(modeOf(path)).toBe(0o600);
  });

  it('leaves a link to the file where it is', () => {
    const target = join(folder, 'linked');
    const path = join(folder, 'link');
    writeFileSync(target, 'line\n'.repeat(2001));
    symlinkSync(target, path);
    expect(new ShellHistory(path).lines).toEqual(['line']);
    expect(readFileSync(target, 'utf8')).toBe('line\n'.repeat(HISTORY_LINES));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it('ends with the session where nothing can be kept', () => {
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'taken'));
    for (const path of [join(folder, 'file', 'history'), join(folder, 'taken'), '/dev/full', undefined]) {
      const history = new ShellHistory(path);
      history.add('SELECT 1');
      history.add('SELECT 2');
      expect(history.lines).toEqual([]);
    }
  });

  it.each([
    [{}, '/home/ann/.local/state/rdbscope/sql-history'],
    [{ XDG_STATE_HOME: '/state' }, '/state/rdbscope/sql-history'],
    [{ XDG_STATE_HOME: 'state' }, '/home/ann/.local/state/rdbscope/sql-history'],
    [{ XDG_STATE_HOME: '' }, '/home/ann/.local/state/rdbscope/sql-history'],
    [{ RDBSCOPE_HISTORY: '/elsewhere', XDG_STATE_HOME: '/state' }, '/elsewhere'],
    [{ RDBSCOPE_HISTORY: '' }, undefined],
    [{ RDBSCOPE_HISTORY: 'off' }, undefined],
  ] as const)('%j: is kept in %s', (env, path) => {
    expect(historyPath(env, '/home/ann')).toBe(path);
  });
});

describe(
  hasTerminal ? 'two shells' : 'no program is here that gives a terminal: the shells did not run',
  () => {
    const UP = '\x1b[A';
    const inTerminal = (test: () => Promise<void>) => async () => {
      if (hasTerminal) await test();
      else expect(hasTerminal).not.toBe(true);
    };
    beforeAll(async () => {
      expect((await rdbscope(['load', SHOP, '-o', database])).exitCode).toBe(0);
    });

    it(
      'the second knows what was typed into the first',
      inTerminal(async () => {
        const state = join(folder, 'state');
        const kept = join(state, 'rdbscope', 'sql-history');
        const first = await shellProcess({ XDG_STATE_HOME: state }, [
          'SELECT 40 + 2 AS answer;\n',
          '.quit\n',
        ]);
        expect(first).toMatch(/^ *42\r?$/m);
        expect(readFileSync(kept, 'utf8')).toBe('SELECT 40 + 2 AS answer;\n.quit\n');
        expect(modeOf(kept)).toBe(0o600);
        const second = await shellProcess({ XDG_STATE_HOME: state }, [`${UP}${UP}\n`, '.quit\n']);
        expect(second).toMatch(/^ *42\r?$/m);
      }),
    );

    it(
      'one that is told to end while a statement runs ends after it',
      inTerminal(async () => {
        const said = await shellProcess({ RDBSCOPE_HISTORY: 'off' }, ['SELECT 40 + 2 AS answer;\n\x04']);
        expect(said).toMatch(/^ *42\r?$/m);
      }),
    );

    it(
      'neither keeps anything where that is switched off or impossible',
      inTerminal(async () => {
        const state = join(folder, 'no-state');
        const typed = ['SELECT 40 + 2 AS answer;\n', '.quit\n'];
        writeFileSync(join(folder, 'blocked'), '');
        const said = await Promise.all([
          shellProcess({ XDG_STATE_HOME: state }, typed, '--no-history'),
          shellProcess({ XDG_STATE_HOME: state, RDBSCOPE_HISTORY: 'off' }, typed),
          shellProcess({ XDG_STATE_HOME: join(folder, 'blocked') }, typed),
        ]);
        for (const one of said) expect(one).toMatch(/^ *42\r?$/m);
        expect(existsSync(state)).toBe(false);
      }),
    );
  },
);
