import type { Command } from 'commander';
import type { CliContext } from '../context.js';

/** Makes a command for the world that it is to run in. */
export type CommandMaker = (context: CliContext) => Command;

/**
 * Every command by name, in the order of `--help`. Each is loaded when it is asked for: nobody who verifies a snapshot waits for
 * a database engine to be loaded.
 */
const LOADERS: Readonly<Record<string, () => Promise<CommandMaker>>> = {
  analyze: async () => (await import('./analyze.js')).analyzeCommand,
  load: async () => (await import('./load.js')).loadCommand,
  report: async () => (await import('./report.js')).reportCommand,
  findings: async () => (await import('./findings.js')).findingsCommand,
  plan: async () => (await import('./plan.js')).planCommand,
  sql: async () => (await import('./sql.js')).sqlCommand,
  verify: async () => (await import('./verify.js')).verifyCommand,
  inspect: async () => (await import('./inspect.js')).inspectCommand,
  'what-if': async () => (await import('./what-if.js')).whatIfCommand,
  calibrate: async () => (await import('./calibrate.js')).calibrateCommand,
  reports: async () => (await import('./reports.js')).reportsCommand,
  schema: async () => (await import('./schema.js')).schemaCommand,
};

/** The command that is named, or all of them when it is none of ours. */
export async function loadCommands(name: string | undefined): Promise<readonly CommandMaker[]> {
  const loader = name === undefined || !Object.hasOwn(LOADERS, name) ? undefined : LOADERS[name];
  return Promise.all((loader === undefined ? Object.values(LOADERS) : [loader]).map((load) => load()));
}
