import { Command, CommanderError, Option } from 'commander';
import { printableText } from '../rdb-parser/printable.js';
import { type CommandMaker, commandsFor } from './commands/index.js';
import { type CliContext, processContext } from './context.js';
import { EXIT } from './exit-codes.js';
import { toolVersion } from './version.js';

/** Runs one command line; the number is the exit code. Never throws. */
export async function main(args: readonly string[], context: CliContext = processContext()): Promise<number> {
  const debug = args.includes('--debug');
  try {
    const program = buildProgram(context, await commandsFor(args));
    await program.parseAsync(askedOf(program, args), { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Help and usage are printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { describeFailure, isClosedPipe, printableMessage } = await import('./failure.js');
    if (isClosedPipe(error)) return EXIT.done;
    const { exitCode, text } = describeFailure(error);
    const stack = debug && error instanceof Error ? `${error.stack ?? ''}\n` : '';
    try {
      if (text !== '') await context.stderr.write(`rdbscope: ${printableMessage(text)}\n`);
      if (text !== '' && stack !== '') await context.stderr.write(printableMessage(stack));
    } catch {
      // There is nobody left to tell.
    }
    return exitCode;
  }
}

/** `help nope` asks for `nope`, which tells what may be meant; help for it would be the list of everything. */
function askedOf(program: Command, args: readonly string[]): readonly string[] {
  const [first, name] = args;
  if (first !== 'help' || name === undefined || name.startsWith('-')) return args;
  return program.commands.some((command) => command.name() === name) ? args : args.slice(1);
}

/** The command tree, for running and for the docs. */
export function buildProgram(context: CliContext, commands: readonly CommandMaker[]): Command {
  const program = new Command('rdbscope')
    .description(
      'Offline analyser of Redis and Valkey RDB snapshots: every key into SQLite, then answers from it.',
    )
    .version(toolVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText(
      'after',
      `
Examples:
  rdbscope analyze dump.rdb
  rdbscope report dump.sqlite big-keys --top 50
  rdbscope sql dump.sqlite "SELECT key, memory_bytes FROM keys ORDER BY memory_bytes DESC LIMIT 5"

Exit codes: 0 done; 1 a fault of rdbscope; 2 usage; 3 the snapshot is damaged or incomplete (what was read is kept);
4 bad SQL or report; 74 reading or writing failed; 130 stopped by Ctrl-C.`,
    );
  for (const make of commands) {
    program.addCommand(
      make(context).addOption(new Option('--debug', 'print the stack with an error').hideHelp()),
    );
  }
  quietly(program, context);
  return program;
}

/** Commander throws instead of ending the process, and writes where the context says. */
function quietly(program: Command, context: CliContext): void {
  const ignore = (): void => {};
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void context.stdout.write(text).catch(ignore),
      writeErr: (text) => void context.stderr.write(text).catch(ignore),
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      // It repeats what was typed, which may come from a key; line breaks and backslashes stay.
      outputError: (text, write) =>
        write(
          text
            .replace(/^error: /, 'rdbscope: ')
            .split(/([\\\n])/)
            .map((part) => (part === '\\' || part === '\n' ? part : printableText(part)))
            .join(''),
        ),
    });
  }
}
