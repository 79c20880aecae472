import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandsFor, loadCommands } from '../../src/cli/commands/index.js';
import { processContext } from '../../src/cli/context.js';
import { buildProgram } from '../../src/cli/main.js';
import { rdbscope } from './cli-run.js';

const context = processContext();
const outlined = buildProgram(context, await commandsFor(['--help']));
const loaded = buildProgram(context, await loadCommands());

/** `load [options] <snapshot...>`, as the list of commands shows it. */
const terms = (program: Command): string[] =>
  program.commands.map((command) => program.createHelp().subcommandTerm(command));

describe('the list of commands', () => {
  it('shows what the commands themselves say they take', () => {
    expect(terms(outlined)).toEqual(terms(loaded));
  });

  it('is printed without any command being loaded, whatever asks for it', async () => {
    const { stdout } = await rdbscope(['--help']);
    expect(stdout).toContain('verify [options] <snapshot...>');
    expect((await rdbscope(['help'])).stdout).toBe(stdout);
    expect((await rdbscope(['-h'])).stdout).toBe(stdout);
    expect((await rdbscope([])).stderr).toContain('verify [options] <snapshot...>');
  });

  it('needs only these files, so that it is there at once', () => {
    expect([...importedBy('../../src/cli/main.ts')].sort()).toEqual([
      'src/cli/commands/index.ts',
      'src/cli/context.ts',
      'src/cli/exit-codes.ts',
      'src/cli/main.ts',
      'src/cli/version.ts',
      'src/rdb-parser/printable.ts',
    ]);
  });

  it.each([[['help', 'verify']], [['verify', '--help']], [['--', 'verify', '--help']]])(
    '%j is for a command of its own',
    async (args) => {
      expect(await commandsFor(args)).toHaveLength(1);
    },
  );

  it('offers the nearest name for one that there is not', async () => {
    const { exitCode, stderr } = await rdbscope(['analyse', 'dump.rdb']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("unknown command 'analyse'");
    expect(stderr).toContain('analyze');
    expect(await rdbscope(['help', 'analyse'])).toMatchObject({ exitCode: 2, stderr, stdout: '' });
  });

  it.each([[['\x1b[31mx']], [['report', '--\x1b[31mx']], [['report', 'x.sqlite', '--format', '\x1b[31mx']]])(
    'repeats %j without what could steer a terminal',
    async (args) => {
      const { exitCode, stderr } = await rdbscope(args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('\\x1b[31mx');
      expect(stderr).not.toContain('\x1b');
    },
  );
});

/** The file and all that it imports of ours before it runs: what is imported for its types, or later, is not counted. */
function importedBy(
  path: string,
  from: string | URL = import.meta.url,
  found = new Set<string>(),
): Set<string> {
  const url = new URL(path.replace(/\.js$/, '.ts'), from);
  const name = url.pathname.slice(new URL('../../', import.meta.url).pathname.length);
  if (found.has(name)) return found;
  found.add(name);
  for (const [, next] of readFileSync(url, 'utf8').matchAll(
    /^(?:import|export) (?!type )[^;]*?from '(\.[^']+)'/gm,
  )) {
    importedBy(next!, url, found);
  }
  return found;
}
