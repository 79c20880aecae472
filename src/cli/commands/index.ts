import { Command } from 'commander';
import type { CliContext } from '../context.js';

/** Makes a command for the world that it is to run in. */
export type CommandMaker = (context: CliContext) => Command;

interface CommandEntry {
  /** What it is given, as the list of commands shows it. */
  readonly takes: string;
  readonly summary: string;
  readonly load: () => Promise<CommandMaker>;
}

/**
 * Every command by name, in the order of `--help`. Each is loaded when it is asked for: nobody who verifies a snapshot waits for
 * a database engine to be loaded, and nobody who asks what there is waits for all of it.
 */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  analyze: {
    takes: '<snapshot...>',
    summary: 'load a snapshot and print where its memory goes (start here)',
    load: async () => (await import('./analyze.js')).analyzeCommand,
  },
  load: {
    takes: '<snapshot...>',
    summary: 'write the keys of a snapshot into a SQLite database',
    load: async () => (await import('./load.js')).loadCommand,
  },
  report: {
    takes: '<database> [report...]',
    summary: 'print reports from a database',
    load: async () => (await import('./report.js')).reportCommand,
  },
  findings: {
    takes: '[database]',
    summary: 'check a database against the design rules',
    load: async () => (await import('./findings.js')).findingsCommand,
  },
  plan: {
    takes: '<database>',
    summary: 'write a plan that mends a finding; nothing is run',
    load: async () => (await import('./plan.js')).planCommand,
  },
  sql: {
    takes: '<database> [statement]',
    summary: 'run a SQL query over a database',
    load: async () => (await import('./sql.js')).sqlCommand,
  },
  verify: {
    takes: '<snapshot...>',
    summary: 'say whether a snapshot is sound',
    load: async () => (await import('./verify.js')).verifyCommand,
  },
  inspect: {
    takes: '<snapshot> [key]',
    summary: 'show how one key lies in a snapshot',
    load: async () => (await import('./inspect.js')).inspectCommand,
  },
  'what-if': {
    takes: '<snapshot...>',
    summary: 'say what another server or setting would change in memory',
    load: async () => (await import('./what-if.js')).whatIfCommand,
  },
  calibrate: {
    takes: '<snapshot>',
    summary: 'compare the modelled memory with a server that has the snapshot',
    load: async () => (await import('./calibrate.js')).calibrateCommand,
  },
  reports: {
    takes: '[report...]',
    summary: 'list the reports, or tell about one',
    load: async () => (await import('./reports.js')).reportsCommand,
  },
  schema: {
    takes: '[table...]',
    summary: 'show the tables, columns and functions for SQL',
    load: async () => (await import('./schema.js')).schemaCommand,
  },
};

/** The command that a command line is for, ready to run; the names of all of them when it is for none of ours. */
export async function commandsFor(args: readonly string[]): Promise<readonly CommandMaker[]> {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  const name = (first === 'help' ? second : first) ?? '';
  if (Object.hasOwn(COMMANDS, name)) return [await COMMANDS[name]!.load()];
  return Object.entries(COMMANDS).map(
    ([named, entry]) =>
      () =>
        outline(named, entry),
  );
}

/** All commands, ready to run. */
export function loadCommands(): Promise<readonly CommandMaker[]> {
  return Promise.all(Object.values(COMMANDS).map(({ load }) => load()));
}

/** A command as the list shows it. It can't be run: a command line that names it gets the command itself. */
function outline(name: string, { takes, summary }: CommandEntry): Command {
  return new Command(name).summary(summary).arguments(takes);
}
